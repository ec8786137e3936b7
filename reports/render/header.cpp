// SPDX-License-Identifier: Apache-2.0
// The header of a report: what was measured, by which build, where, under which plan.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/render/report_document.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

std::string because(const Missing& missing, const char* field) {
    const auto found = missing.find(field);
    return found == missing.end() ? std::string() : " (" + found->second + ")";
}

std::string known(const std::optional<std::string>& value,
                  const Missing& missing,
                  const char* field) {
    return value ? *value : std::string("unknown") + because(missing, field);
}

std::string build_text(const Build& build) {
    const std::string commit = build.commit ? short_hash(*build.commit)
                                            : "unknown commit" + because(build.missing, "commit");
    const std::string dirty =
        build.dirty_diff_sha256 ? " + local changes " + short_hash(*build.dirty_diff_sha256) : "";
    return fmt::format("{}{} · {} {} · binary {}", commit, dirty,
                       known(build.compiler, build.missing, "compiler"), build.flags.value_or(""),
                       short_hash(build.binary_sha256));
}

std::string machine_text(const Machine& machine) {
    const std::string gpu = machine.gpu_name ? " · " + *machine.gpu_name : "";
    return fmt::format("{} · {} · {} cores · {:.1f} GB{} · Linux {}", machine.machine_class,
                       machine.cpu_model, machine.cores,
                       static_cast<double>(machine.memory_bytes) / 1e9, gpu, machine.kernel);
}

std::string roof_text(const Roof& roof) {
    if (!roof.copy_bytes_per_s && !roof.flops_per_s) return "not measured in this run";
    return fmt::format("copy {} · {}{}", scaled(roof.copy_bytes_per_s, "B/s"),
                       scaled(roof.flops_per_s, "FLOP/s"),
                       roof.how.empty() ? "" : " · " + roof.how);
}

std::string trials_text(const Report& report) {
    const auto valid = std::count_if(report.trials.begin(), report.trials.end(),
                                     [](const TrialRow& row) { return row.trial.valid; });
    const auto planted = std::count_if(report.trials.begin(), report.trials.end(),
                                       [](const TrialRow& row) { return row.trial.planted; });
    const auto voided =
        std::count_if(report.trials.begin(), report.trials.end(),
                      [](const TrialRow& row) { return !row.trial.voided.empty(); });
    std::string text = fmt::format("{} of {} valid", valid, std::ssize(report.trials) - voided);
    if (voided > 0) text += fmt::format(" · {} void (cut off and run again)", voided);
    if (planted > 0) text += fmt::format(" · {} with a planted fault", planted);
    return text;
}

std::string plan_text(const Plan& plan) {
    return fmt::format("{} timed + {} profiled rounds · {} warm-up + {} measured reps · seed {}",
                       plan.timed_rounds, plan.profiled_rounds, plan.warm_up, plan.reps, plan.seed);
}

std::string output_text(const Report& report) {
    if (report.outputs.empty()) return "none";
    if (!report.output_sha256) {
        return fmt::format("different between trials: {} answers to {} requests",
                           report.outputs.size(), report.outputs.back().request + 1);
    }
    std::size_t tokens = 0;
    for (const OutputRow& row : report.outputs) tokens += row.tokens.size();
    const std::string requests =
        report.outputs.size() > 1 ? fmt::format(" of {} requests", report.outputs.size()) : "";
    return fmt::format("{} tokens{}, sha256 {} in all trials", tokens, requests,
                       short_hash(*report.output_sha256));
}

// What every profiled trial is given says nothing of its arm.
bool is_of_the_probe(const std::string& variable) {
    return variable.starts_with("NVTX_INJECTION") || variable.starts_with("CUDA_INJECTION") ||
           variable.starts_with("TARE_PROBE_");
}

std::string arm_text(const Arm& arm) {
    std::string text = arm.name + (arm.about.empty() ? "" : ": " + arm.about);
    if (!arm.arguments.empty()) text += fmt::format(" · {}", fmt::join(arm.arguments, " "));
    for (const auto& [key, value] : arm.environment) {
        if (!is_of_the_probe(key)) text += " · " + key + "=" + value;
    }
    return text;
}

std::string conditions_text(const std::vector<Condition>& conditions) {
    std::string text;
    for (const Condition& condition : conditions) {
        const bool bare = condition.unit.empty() || condition.unit == "1";
        text += fmt::format("{}{} {:.4g}{}{}", text.empty() ? "" : " · ", condition.name,
                            condition.value, bare ? "" : " ", bare ? "" : condition.unit);
    }
    return text;
}

}  // namespace

std::vector<std::pair<std::string, std::string>> header_of(const Report& report) {
    std::vector<std::pair<std::string, std::string>> lines = {
        {"scenario", fmt::format("{} · identity {} · prompt {}", report.scenario.name,
                                 short_hash(report.scenario.sha256),
                                 short_hash(report.scenario.prompt_sha256))},
        {"model",
         fmt::format("{} · sha256 {}", report.model.name.empty() ? "none" : report.model.name,
                     report.model.sha256 ? short_hash(*report.model.sha256)
                                         : "unknown" + because(report.model.missing, "sha256"))},
        {"build", build_text(report.build)},
        {"arm", arm_text(report.arm)},
        {"machine", machine_text(report.machine)},
        {"roof", roof_text(report.roof)},
        {"plan", plan_text(report.plan)},
        {"trials", trials_text(report)},
        {"output", output_text(report)}};
    if (report.model.name.empty() && report.scenario.prompt_sha256.empty()) {  // of a command
        std::erase_if(lines, [](const auto& line) {
            return line.first == "model" || line.first == "roof" || line.first == "output";
        });
        lines.front().second = fmt::format("{} · identity {}", report.scenario.name,
                                           short_hash(report.scenario.sha256));
        lines.insert(lines.begin() + 1,
                     {"command", fmt::format("{}", fmt::join(report.arm.command, " "))});
    }
    if (report.all_arms.size() < 2) {  // the one arm there is has nothing of its own
        std::erase_if(lines, [](const auto& line) { return line.first == "arm"; });
    }
    if (report.cold_start_ns) {
        lines.push_back({"cold start", fmt::format("{} to the first token ({})",
                                                   duration(report.cold_start_ns->median),
                                                   range(report.cold_start_ns))});
    }
    if (!report.conditions.empty()) {
        lines.push_back({"conditions", conditions_text(report.conditions)});
    }
    return lines;
}

}  // namespace reports::render
