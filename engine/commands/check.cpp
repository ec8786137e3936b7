// SPDX-License-Identifier: Apache-2.0
// `tare-engine check`: whether a prompt says the same however it is fed.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/checks/checks.h"
#include "engine/commands/commands.h"
#include "engine/commands/engine.h"
#include "engine/commands/fresh_process.h"
#include "engine/commands/json_text.h"
#include "engine/commands/number_option.h"
#include "engine/commands/output.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

using checks::Outcome, checks::Verdict;
using Json = nlohmann::ordered_json;

constexpr int exit_fail = 1;
constexpr int exit_skipped = 3;

struct CheckOptions : EngineOptions {
    std::vector<std::string> names;
    std::uint64_t seed = 1;
    bool record_only = false;  // we are the fresh process of another one
};

std::vector<const checks::Check*> chosen(const CheckOptions& options) {
    std::vector<const checks::Check*> result;
    for (const auto& name : options.names) {
        const auto* check = checks::find(name);
        if (check == nullptr) {
            std::vector<std::string_view> known;
            for (const auto& one : checks::all()) known.push_back(one.name);
            throw UsageError(fmt::format("check '{}': there is none; there are {}", name,
                                         fmt::join(known, ", ")));
        }
        result.push_back(check);
    }
    return result;
}

// Other faults strike at range paths or at generated tokens; a check has neither.
void refuse_other_faults(const trace::FaultTable& faults) {
    for (const auto& spec : faults.unmet()) {
        throw UsageError(fmt::format(
            "--fault '{}': check knows only maths:<name>; those that break what it checks are "
            "maths:{}",
            spec, fmt::join(model::state_fault_names(), ", maths:")));
    }
}

Json difference_json(const Outcome& outcome, const model::Geometry& geometry) {
    if (!outcome.first_difference) {
        return nullptr;
    }
    const auto& first = *outcome.first_difference;
    const bool is_layer =
        first.layer >= 0 && first.layer < static_cast<std::int64_t>(geometry.layers.size());
    return {{"layer", is_layer ? Json(first.layer) : Json(nullptr)},
            {"where", checks::place_name(geometry, first.layer)},
            {"row", first.row},
            {"column", first.column},
            {"a", first.a},
            {"b", first.b},
            {"case", outcome.first_case}};
}

void print(const Outcome& outcome, const CheckOptions& options, const model::Geometry& geometry) {
    if (options.json) {
        print_line(json_text(
            Json{{"check", outcome.check},
                 {"verdict", name(outcome.verdict)},
                 {"reason", outcome.reason.empty() ? Json(nullptr) : Json(outcome.reason)},
                 {"cases", outcome.cases},
                 {"failed", outcome.failed},
                 {"first_difference", difference_json(outcome, geometry)}}));
    } else {
        print_line(fmt::format("{:8} {:7} {} cases{}", outcome.check, name(outcome.verdict),
                               outcome.cases, outcome.reason.empty() ? "" : ": " + outcome.reason));
    }
}

struct Counts {
    std::int64_t passed = 0, failed = 0, skipped = 0;

    void add(Verdict verdict) {
        ++(verdict == Verdict::pass ? passed : verdict == Verdict::fail ? failed : skipped);
    }

    Verdict verdict() const {
        return failed > 0 ? Verdict::fail : skipped > 0 ? Verdict::skipped : Verdict::pass;
    }

    int exit_code() const { return failed > 0 ? exit_fail : skipped > 0 ? exit_skipped : 0; }
};

void print_summary(const Counts& counts, bool json) {
    const auto verdict = name(counts.verdict());
    if (json) {
        print_line(json_text(Json{{"check", "summary"},
                                  {"verdict", verdict},
                                  {"passed", counts.passed},
                                  {"failed", counts.failed},
                                  {"skipped", counts.skipped}}));
    } else {
        print_line(fmt::format("{}: {} passed, {} failed, {} skipped", verdict, counts.passed,
                               counts.failed, counts.skipped));
    }
}

int run_checks(const checks::Subject& subject, const CheckOptions& options) {
    const auto wanted = chosen(options);
    Counts counts;
    for (const auto* check : wanted) {
        say(fmt::format("check {}", check->name));
        const auto outcome = check->run(subject);
        print(outcome, options, subject.model.geometry());
        counts.add(outcome.verdict);
    }
    if (wanted.size() > 1) {
        print_summary(counts, options.json);
    }
    return counts.exit_code();
}

int run(const CheckOptions& options) {
    chosen(options);  // a wrong name is said before anything is read
    const auto engine = open_engine(options, 0);
    engine->session.reset();  // the checks open their own
    refuse_other_faults(engine->tracer.faults());
    auto choice = session_options(options);
    choice.maths_faults = engine->tracer.faults().maths();
    const checks::Subject subject{.model = *engine->model,
                                  .options = choice,
                                  .tokens = engine->prompt.ids,
                                  .seed = options.seed,
                                  .fresh_process = record_in_fresh_process};
    if (options.record_only) {
        print_recording(checks::record(subject));
        return 0;
    }
    return run_checks(subject, options);
}

}  // namespace

Command add_check(CLI::App& app) {
    auto options = std::make_shared<CheckOptions>();
    auto* sub = app.add_subcommand("check", "Whether a prompt says the same however it is fed");
    std::string about = "What to check, one or more:";
    for (const auto& check : checks::all()) {
        about += fmt::format("\n  {}: {}", check.name, check.about);
    }
    sub->add_option("checks", options->names, about)->required()->type_name("NAME");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    if (auto* sampling = sub->get_option_no_throw("--seed")) {
        sub->remove_option(sampling);  // nothing is sampled here: the seed is of the cuts
    }
    add_number(*sub, "--seed", options->seed, seed_bounds, "Of the drawn cuts (default 1)")
        ->type_name("S");
    add_backend_options(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->add_flag(std::string("--") + record_only_option, options->record_only)->group("");
    sub->footer(
        "Equal means bit for bit: every row's residual after every layer, the last row's logits.\n"
        "Exit codes: 0 PASS, 1 FAIL, 3 SKIPPED, which is never a pass.\n"
        "Examples:\n"
        "  tare-engine check chunked resume repeat --model scenarios/models/small-bf16 \\\n"
        "      --tokens-file scenarios/prompts/long256.json --json\n"
        "  tare-engine check chunked --model scenarios/models/small-bf16 --tokens 1,45,81 \\\n"
        "      --fault maths:stale_conv_window");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
