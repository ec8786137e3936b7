// SPDX-License-Identifier: Apache-2.0
// tare show RUN: where a run's figures come from: provenance, plan, trials, conditions, reasons.
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "engine/format/printable.h"
#include "reports/store/verdict.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/show_json.h"
#include "scenarios/cli/table.h"
#include "scenarios/run/environment.h"

namespace scenarios::cli {

namespace {

struct ShowOptions {
    std::string run, arm, store, format = "table";
};

std::string field(const std::string& key, const std::string& value) {
    return fmt::format("  {:<17} {}\n", key, engine::format::printable(value));
}

// A null field is shown with the reason why it is not known.
std::string field(const std::string& key,
                  const std::optional<std::string>& value,
                  const reports::Missing& missing) {
    if (value) return field(key, *value);
    const auto reason = missing.find(key);
    return field(key,
                 "- (" + (reason == missing.end() ? "no reason recorded" : reason->second) + ")");
}

std::string run_section(const reports::Report& report) {
    const reports::Run& run = report.run;
    std::string text = fmt::format("Run {}\n", run.id);
    text += field("started", run.started_utc);
    text += field("status", run.status + (run.note.empty() ? "" : ": " + run.note));
    text += field("command line", fmt::format("{}", fmt::join(run.command_line, " ")));
    text += field("suite commit", run.suite_commit);
    text += field("backend", run.backend);
    return text;
}

std::string scenario_section(const reports::Report& report) {
    std::string text = fmt::format("\nScenario {}\n", report.scenario.name);
    text += field("identity", report.scenario.sha256);
    text += field("prompt sha256", report.scenario.prompt_sha256);
    text += field("resolved", report.scenario.resolved_json);
    return text;
}

std::string machine_section(const reports::Machine& machine) {
    std::string text = fmt::format("\nMachine {}\n", machine.machine_class);
    text += field("host", machine.hostname);
    text += field("cpu", machine.cpu_model);
    text += field("cores", std::to_string(machine.cores));
    text += field("memory", mebibytes(static_cast<double>(machine.memory_bytes)));
    text += field("kernel", machine.kernel);
    text += field("gpu_name", machine.gpu_name, machine.missing);
    text += field("gpu_uuid", machine.gpu_uuid, machine.missing);
    text += field("driver", machine.driver, machine.missing);
    return text;
}

std::string build_section(const reports::Report& report) {
    const reports::Build& build = report.build;
    std::string text = "\nBuild\n";
    text += field("binary", build.binary_path);
    text += field("binary sha256", build.binary_sha256);
    text += field("commit", build.commit, build.missing);
    text += field("dirty_diff_sha256", build.dirty_diff_sha256, build.missing);
    text += field("compiler", build.compiler, build.missing);
    text += field("flags", build.flags, build.missing);
    const auto protocol =
        build.protocol ? std::optional(std::to_string(*build.protocol)) : std::nullopt;
    text += field("protocol", protocol, build.missing);
    text += fmt::format("\nModel {}\n", report.model.name);
    text += field("sha256", report.model.sha256, report.model.missing);
    return text;
}

std::string arm_fields(const reports::Arm& arm, const reports::Report& report) {
    std::string text;
    if (report.all_arms.size() > 1)
        text += field("arm", arm.name + (arm.about.empty() ? "" : ": " + arm.about));
    text += field("command", fmt::format("{}", fmt::join(arm.command, " ")));
    for (const auto& [key, value] : arm.environment)
        text +=
            field(run::is_of_the_probe(key) ? "profiled with" : "environment", key + "=" + value);
    return text;
}

std::string plan_section(const reports::Report& report) {
    const reports::Plan& plan = report.plan;
    std::string text = "\nPlan\n";
    text += field("rounds",
                  fmt::format("{} timed, {} profiled", plan.timed_rounds, plan.profiled_rounds));
    text +=
        field("per trial", fmt::format("{} warm-up, {} measured reps", plan.warm_up, plan.reps));
    text += field("time limit", fmt::format("{:.3g} s a trial", plan.time_limit_s));
    text += field("seed", std::to_string(plan.seed));
    text += field("whole", plan.json);
    for (const reports::Report* arm : arms_of(report)) text += arm_fields(arm->arm, report);
    return text;
}

std::string roof_section(const reports::Roof& roof) {
    std::string text = "\nRoof\n";
    const auto figure = [](const std::optional<double>& value, double unit, const char* name) {
        return value ? fmt::format("{:.2f} {}", *value / unit, name) : std::string("-");
    };
    text += field("copy", figure(roof.copy_bytes_per_s, 1e9, "GB/s"));
    text += field("float32", figure(roof.flops_per_s, 1e9, "GFLOP/s"));
    text += field("how", roof.how);
    return text;
}

std::string ending(const reports::Trial& trial) {
    if (trial.timed_out) return "killed at the limit";
    if (trial.signal) return fmt::format("signal {}", *trial.signal);
    return trial.exit_code ? fmt::format("exit {}", *trial.exit_code) : "-";
}

std::string trial_section(const reports::Report& report) {
    std::vector<Row> rows = {
        {"trial", "round", "position", "arm", "mode", "seconds", "end", "valid", "reason"}};
    for (const TrialOfArm& of : trials_of(report)) {
        const reports::Trial& trial = of.row->trial;
        const double seconds = static_cast<double>(trial.exit_raw_ns - trial.spawn_raw_ns) * 1e-9;
        rows.push_back({std::to_string(of.row->id), std::to_string(trial.round),
                        std::to_string(trial.position), of.arm, reports::name(trial.mode),
                        trial.exit_raw_ns > 0 ? fmt::format("{:.3f}", seconds) : "-", ending(trial),
                        fmt::format("{}{}",
                                    trial.valid            ? "yes"
                                    : trial.voided.empty() ? "no"
                                                           : "void",
                                    trial.planted ? ", planted" : ""),
                        trial.reason});
    }
    return "\nTrials\n" + aligned(rows);
}

std::string rest(const reports::Report& report) {
    std::string text;
    if (!report.conditions.empty()) {
        std::vector<Row> rows = {{"condition", "median", "unit"}};
        for (const auto& condition : report.conditions)
            rows.push_back(
                {condition.name, fmt::format("{:.4g}", condition.value), condition.unit});
        text += "\nConditions\n" + aligned(rows);
    }
    text += run_is_valid(report) ? "\nValid\n" : "\nInvalid\n";
    for (const std::string& reason : run_reasons(report)) text += "  " + reason + "\n";
    return text;
}

// What was concluded, kept with the run: of one metric a line.
std::string verdict_section(const std::optional<reports::StoredVerdict>& verdict) {
    if (!verdict) return "";
    std::string text = fmt::format("\nVerdict of {}: {}, exit code {}\n", verdict->kind,
                                   verdict->verdict, verdict->exit_code);
    text += field("concluded by", verdict->suite_version);
    for (const std::string& reason : verdict->reasons) text += field("reason", reason);
    std::vector<Row> rows = {{"of", "name", "verdict", "ratio"}};
    for (const reports::StoredMetricVerdict& m : verdict->metrics)
        rows.push_back({m.a.empty() ? m.b : m.b + " against " + m.a, m.name, m.verdict,
                        m.ratio ? fmt::format("{:.4f}", *m.ratio) : "-"});
    return text + aligned(rows);
}

int show(const ShowOptions& options) {
    const auto store = open_store(options.store, reports::Store::Access::read_only);
    const auto report = load_run(store, options.run, options.arm);
    const auto verdict = reports::store::verdict_of(store, report.run.id);
    const auto sections = [&] {
        return run_section(report) + scenario_section(report) + machine_section(report.machine) +
               build_section(report) + plan_section(report) + roof_section(report.roof) +
               trial_section(report) + rest(report) + verdict_section(verdict);
    };
    const std::string text = options.format == "json" ? show_json(report, verdict)
                                                      : engine::format::printable_lines(sections());
    write_output(text, "");
    return ExitCode::pass;
}

}  // namespace

void add_show(CLI::App& app, Context& context) {
    auto options = std::make_shared<ShowOptions>();
    CLI::App* command = app.add_subcommand(
        "show", "Provenance, plan, trials, conditions and every reason of a stored run");
    command->add_option("RUN", options->run, "Number of a run (default: the latest)");
    add_arm_option(*command, options->arm);
    add_store_option(*command, options->store);
    command->add_option("--format", options->format, "How the result is written")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  tare show\n"
        "  tare show 7 --format json");
    command->callback(
        [options, &context] { context.action = [options] { return show(*options); }; });
}

}  // namespace scenarios::cli
