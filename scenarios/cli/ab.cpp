// SPDX-License-Identifier: Apache-2.0
// tare ab [A B...] SCENARIO...: arms in interleaved, paired rounds, and a verdict.
#include <algorithm>
#include <charconv>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/stats/sequential_plan.h"
#include "scenarios/build/arms.h"
#include "scenarios/cli/ab_common.h"
#include "scenarios/cli/ab_resume.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/calibrated.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/cli/verdict_output.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/margin.h"
#include "scenarios/run/rounds.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr int least_profiled_rounds = 12;

struct AbOptions {
    std::vector<std::string> words;  // arms, then scenarios
    std::optional<int> rounds, profiled_rounds;
    std::string budget;
    std::vector<std::string> margins;
    std::string resume;  // RUN; empty: a new comparison
    MeasuringOptions measuring;
    VerdictOutput output;
};

// The words of the command line, told apart.
struct Asked {
    std::vector<build::ArmSpec> arms;
    std::vector<std::string> scenarios;
};

bool names_scenario(const std::string& word, const AbOptions& options, const Context& context) {
    try {
        plan::find_scenario(word, plan::scenario_folders(given(options.measuring.scenario_folder),
                                                         fs::current_path(), context.executable));
        return true;
    } catch (const plan::NotFound&) {
        return false;
    }
}

// Scenarios stand at the end: the last word is one, and those before it that name one.
Asked split(const AbOptions& options, const Context& context) {
    Asked out;
    auto first = options.words.end();
    do {
        --first;
    } while (first != options.words.begin() && names_scenario(*(first - 1), options, context));
    out.scenarios.assign(first, options.words.end());
    for (auto word = options.words.begin(); word != first; ++word)
        out.arms.push_back(build::parse_arm(*word));
    if (out.arms.size() == 1)
        throw UsageError(fmt::format(
            "one arm ('{}') and the scenario '{}': a comparison needs two arms, e.g. tare ab {} "
            "HEAD {}",
            out.arms[0].text, out.scenarios[0], out.arms[0].text, out.scenarios[0]));
    return out;
}

run::RoundsPlan rounds_plan(const AbOptions& options, const plan::Scenario& scenario) {
    run::RoundsPlan plan{.looks = reports::stats::default_looks,
                         .profiled_rounds = options.profiled_rounds.value_or(
                             profiled_rounds_of(scenario, least_profiled_rounds))};
    if (!options.rounds) return plan;
    if (*options.rounds % 2 != 0)
        throw UsageError(fmt::format("--rounds {}: rounds come in blocks of two; use {} or {}",
                                     *options.rounds, *options.rounds - 1, *options.rounds + 1));
    plan.looks = {*options.rounds};
    return plan;
}

// "90s", "10m", "2h".
double seconds_of(const std::string& text) {
    double value = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    const std::string unit(end, text.data() + text.size());
    const double factor = unit == "s" ? 1 : unit == "m" ? 60 : unit == "h" ? 3600 : 0;
    if (error != std::errc() || factor == 0 || !(value > 0) || value > 1e6)
        throw UsageError(fmt::format("--budget {}: write a time such as 90s, 10m or 2h", text));
    return value * factor;
}

// Turned into a largest number of rounds before the first of them, and frozen.
void apply_budget(const std::string& text, double round_s, run::RoundsPlan& plan) {
    if (text.empty()) return;
    const double budget_s = seconds_of(text);
    const int modes = plan.profiled_rounds > 0 ? 2 : 1;
    const auto rounds = static_cast<int>(budget_s / (round_s * modes)) / 2 * 2;
    constexpr int least_for_an_interval = 6;
    if (rounds < least_for_an_interval)
        throw UsageError(fmt::format(
            "--budget {}: a round takes about {:.2g} s, so there is time for {} rounds, and fewer "
            "than {} have no interval; allow at least {:.0f}s",
            text, round_s * modes, std::max(rounds, 0), least_for_an_interval,
            1 + least_for_an_interval * round_s * modes));
    std::erase_if(plan.looks, [&](int look) { return look > rounds; });
    if (plan.looks.empty()) plan.looks = {rounds};
    if (plan.profiled_rounds > 0) plan.profiled_rounds = std::min(plan.profiled_rounds, rounds);
}

run::Options run_options(plan::Scenario scenario,
                         const AbOptions& options,
                         const run::RoundsPlan& rounds,
                         const Context& context) {
    auto metrics = metrics_of(scenario, options.margins);
    run::Options out = common_options(std::move(scenario), options.measuring, context, "ab",
                                      rounds.looks.back(), rounds.profiled_rounds);
    out.metrics = std::move(metrics);
    return out;
}

// Without a place for the program every commit would run the same.
void check_that_arms_differ(const Asked& asked, const plan::Scenario& scenario) {
    if (scenario.workload != plan::Workload::command || plan::takes_program(scenario)) return;
    for (const build::ArmSpec& arm : asked.arms)
        if (arm.ref || arm.build_folder)
            throw UsageError(fmt::format(
                "arm {}: the command of scenario {} has no place for its program, so every build "
                "would run the same; write {} there, e.g. command = [\"{}\", \"--size\", \"8\"]",
                arm.text, scenario.name, plan::program_mark, plan::program_mark));
}

struct Comparing {
    const AbOptions& options;
    const Context& context;
    const run::Interrupt& interrupt;
    reports::Store& store;
    std::vector<reports::Id>& runs;  // that were stored
};

int compare_one(const Asked& asked,
                plan::Scenario scenario,
                const Comparing& with,
                std::string& text) {
    run::RoundsPlan rounds = rounds_plan(with.options, scenario);
    const Calibrated calibrated = find_calibrated(with.store, scenario);
    if (!asked.arms.empty()) scenario.arms.clear();
    if (asked.arms.empty() && scenario.arms.size() < 2)
        throw UsageError(fmt::format(
            "scenario {} has no [arms], and none were given; name two, e.g. tare ab HEAD~1 HEAD {}",
            scenario.name, scenario.name));
    check_that_arms_differ(asked, scenario);
    run::Options options = run_options(std::move(scenario), with.options, rounds, with.context);
    options.calibration = calibrated.words;
    run::Progress progress(run::Progress::style_of_stderr(with.options.measuring.quiet));
    if (!asked.arms.empty())
        options.arms =
            arms_under_test(asked.arms, options, with.store.folder(), with.interrupt, progress);
    check_programs(options);
    const run::Preflight before = run::preflight(options, with.interrupt, progress);
    if (before.interrupted) {
        progress.notice("interrupted before the first round; there is nothing to keep");
        return ExitCode::interrupted;
    }
    apply_budget(with.options.budget, before.round_s, rounds);
    // Fewer looks than were asked for need larger margins.
    refuse_dishonest_margins(calibrated, options.metrics, rounds.looks);
    const run::Result result =
        run::run_rounds(with.store, options, rounds, before, decided(with.store, options, rounds),
                        with.interrupt, progress);
    with.runs.push_back(*result.run);
    const Ending ending = end_comparison(with.store, result, with.options.output,
                                         with.options.measuring.store, progress);
    text += (text.empty() ? "" : "\n") + ending.text;
    return ending.exit_code;
}

// 4 before 1 before 3 before 0.
int worse(int a, int b) {
    const auto rank = [](int code) {
        return code == 130 ? 5 : code == 4 ? 4 : code == 1 ? 3 : code == 3 ? 2 : 0;
    };
    return rank(a) >= rank(b) ? a : b;
}

int compare_scenarios(const Asked& asked,
                      std::vector<plan::Scenario> scenarios,
                      const AbOptions& options,
                      const Context& context,
                      const run::Interrupt& interrupt) {
    reports::Store store = new_store(options.measuring.store, interrupt);
    for (const plan::Scenario& scenario : scenarios)  // said before anything is built
        refuse_dishonest_margins(find_calibrated(store, scenario),
                                 metrics_of(scenario, options.margins),
                                 rounds_plan(options, scenario).looks);
    int worst = ExitCode::pass;
    std::string text;
    std::vector<reports::Id> runs;
    for (plan::Scenario& scenario : scenarios) {
        worst = worse(worst, compare_one(asked, std::move(scenario),
                                         {options, context, interrupt, store, runs}, text));
        if (interrupt.raised()) break;
    }
    write_output(text, options.output.out, what_is_stored(runs, "compare"));
    return interrupt.raised() ? ExitCode::interrupted : worst;
}

int compare_all(const AbOptions& options, const Context& context) {
    check_backend(options.measuring.backend);
    if (!options.budget.empty()) seconds_of(options.budget);  // said before anything is built
    const Asked asked = split(options, context);
    check_verdict_output(options.output, asked.scenarios.size());
    std::vector<plan::Scenario> scenarios;
    for (const std::string& text : asked.scenarios)
        scenarios.push_back(load_scenario(text, options.measuring, context));
    const run::Interrupt interrupt;
    return unless_interrupted(interrupt, [&] {
        return compare_scenarios(asked, std::move(scenarios), options, context, interrupt);
    });
}

// A new comparison, or the rest of one.
int measure(const AbOptions& options, const Context& context, const CLI::App& command) {
    if (!options.resume.empty()) {
        refuse_options_of_the_plan(command, options.resume);
        return resume_comparison(
            {options.resume, options.measuring.store, options.measuring.quiet, options.output},
            context);
    }
    if (options.words.empty())
        throw UsageError(
            "WORDS is required: arms, then scenarios, e.g. tare ab HEAD~1 HEAD decode-64; or "
            "--resume RUN to go on with a comparison that was cut off");
    return compare_all(options, context);
}

int compare_arms(const AbOptions& options, const Context& context, const CLI::App& command) {
    try {
        return measure(options, context, command);
    } catch (const build::ArmSyntax& error) {
        throw UsageError(error.what());
    } catch (const build::ArmError& error) {
        throw UsageError(error.what());
    } catch (const plan::ScenarioError& error) {  // of tare.toml
        throw UsageError(error.what());
    } catch (const plan::MarginSyntax& error) {
        throw UsageError(error.what());
    }
}

}  // namespace

void add_ab(CLI::App& app, Context& context) {
    auto options = std::make_shared<AbOptions>();
    CLI::App* command = app.add_subcommand("ab", "Compare arms in interleaved rounds: a verdict");
    command->add_option("WORDS", options->words,
                        "Arms (REF or build:DIR, then any of +args:\"...\" and +env:K=V), then "
                        "scenarios; without arms those of the scenario's [arms]");
    command
        ->add_option("--resume", options->resume,
                     "Go on with a comparison that was cut off; its plan is the stored one")
        ->type_name("RUN");
    command
        ->add_option("--rounds", options->rounds,
                     "One look after N timed rounds, even (default: looks after 8, 12, 16, 24)")
        ->check(CLI::Range(2, 64));
    command
        ->add_option("--profiled-rounds", options->profiled_rounds,
                     "Least number of profiled rounds, even; 0: no blame (default: 12)")
        ->check(CLI::Range(0, 64));
    command->add_option("--budget", options->budget, "Longest time for the rounds: 90s, 10m, 2h")
        ->type_name("TIME");
    command
        ->add_option("--margin", options->margins,
                     "Change a metric may have, e.g. decode_wall_ns=2%; repeat for more")
        ->type_name("METRIC=P%")
        ->allow_extra_args(false);
    add_measuring_options(*command, options->measuring);
    add_verdict_output(*command, options->output);
    command->footer(
        "Each arm is compared with the first and with the one before it.\n"
        "Examples:\n"
        "  tare ab HEAD~1 HEAD decode-64\n"
        "  tare ab build:before build:after prefill-4k --format markdown\n"
        "  tare ab HEAD 'HEAD+args:\"--moe dense\"' prefill-4k --rounds 6\n"
        "  tare ab moe-gather\n"
        "  tare ab --resume 7");
    command->callback([options, &context, command] {
        context.action = [options, &context, command] {
            return compare_arms(*options, context, *command);
        };
    });
}

}  // namespace scenarios::cli
