// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/gate_timings.h"

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "reports/stats/sequential_plan.h"
#include "scenarios/build/builder.h"
#include "scenarios/build/git.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/baseline_files.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/resolve.h"
#include "scenarios/plan/toml_table.h"
#include "scenarios/run/machine.h"

namespace scenarios::cli {

namespace fs = std::filesystem;
using baselines::Check;
using baselines::Outcome;
using baselines::timings_check;

namespace {

std::vector<int> looks_of(const GateOptions& options) {
    return options.rounds ? std::vector<int>{*options.rounds} : reports::stats::default_looks;
}

std::string no_file(const plan::Scenario& scenario, const std::string& machine_class) {
    return fmt::format(
        "there is no baseline of this machine class ({0}); make one with: tare gate {1} --accept "
        "--only timings --reason \"...\"; or compare two commits: tare ab HEAD~1 HEAD {1}",
        machine_class, scenario.name);
}

void read_baseline_of(const plan::Scenario& scenario,
                      const std::string& machine_class,
                      TimingsPlan& out) {
    auto baseline = read_timings(out.file);
    if (!baseline) {
        out.why_not = timings_check("", Outcome::not_checked, no_file(scenario, machine_class));
        return;
    }
    const std::string other = baselines::why_not_comparable(
        *baseline, {scenario.name, plan::identity(scenario), scenario.backend, machine_class});
    if (!other.empty()) {
        out.why_not = timings_check("", Outcome::invalid, other);
        return;
    }
    out.baseline = std::move(baseline);
}

// One arm of the scenario, of two programs.
struct Side {
    const plan::Scenario& scenario;
    const plan::Arm& words;
    std::string arm;  // its name in checks; empty: the scenario has none
};

std::vector<build::ArmSpec> specs_of(const Side& side, const std::string& commit) {
    build::ArmSpec then{.text = commit,
                        .ref = commit,
                        .build_folder = {},
                        .arguments = side.words.arguments,
                        .environment = side.words.environment};
    build::ArmSpec now = then;
    now.text.clear();
    now.ref.reset();
    return {then, now};
}

// In words, what keeps the two from being compared; empty: nothing.
std::string why_invalid(const run::Options& options, const run::Result& result) {
    for (const run::ArmUnderTest& arm : options.arms)
        if (!arm.why_invalid.empty())
            return fmt::format("{} cannot be measured: {}",
                               arm.words.name == "a" ? "the baseline's commit" : "the engine",
                               arm.why_invalid);
    return result.stopped_early;
}

std::vector<Check> checks_of(const Side& side,
                             const TimingsPlan& plan,
                             const run::Options& options,
                             const run::Result& result,
                             const Gating& with) {
    const std::string invalid = why_invalid(options, result);
    if (!invalid.empty())
        return {timings_check(side.arm, Outcome::invalid,
                              fmt::format("{} (run {})", invalid, *result.run))};
    const auto report = reports::compare::load_comparison(with.store, *result.run);
    const std::string against =
        fmt::format("commit {:.12}, built and run in interleaved rounds; {}", plan.baseline->commit,
                    plan.calibrated.words);
    return baselines::interleaved_checks(report.pairs.at(0), side.arm, against, *result.run);
}

run::Options run_options(const Side& side,
                         const TimingsPlan& plan,
                         const run::RoundsPlan& rounds,
                         const Gating& with) {
    plan::Scenario scenario = side.scenario;
    scenario.arms.clear();
    run::Options out = common_options(std::move(scenario), with.measuring, with.context, "gate",
                                      rounds.looks.back(), 0);
    out.metrics = plan.metrics;
    out.calibration = plan.calibrated.words;
    return out;
}

// nullopt: interrupted.
std::optional<std::vector<Check>> compare(const Side& side,
                                          const TimingsPlan& plan,
                                          const GateOptions& asked,
                                          const Gating& with) {
    const run::RoundsPlan rounds{.looks = looks_of(asked), .profiled_rounds = 0};
    run::Progress progress(run::Progress::style_of_stderr(with.measuring.quiet));
    run::Options options = run_options(side, plan, rounds, with);
    options.arms = arms_under_test(specs_of(side, plan.baseline->commit), options,
                                   with.store.folder(), with.interrupt, progress);
    const run::Preflight before = run::preflight(options, with.interrupt, progress);
    if (before.interrupted) return std::nullopt;
    const run::Result result =
        run::run_rounds(with.store, options, rounds, before, decided(with.store, options, rounds),
                        with.interrupt, progress);
    if (result.interrupted || !result.run) {
        if (result.run)
            progress.notice(
                fmt::format("interrupted; run {} keeps its {} trials", *result.run, result.trials));
        return std::nullopt;
    }
    return checks_of(side, plan, options, result, with);
}

// A baseline whose commit is gone or cannot be built leaves times unjudged; counts and tokens are
// not touched by that.
std::optional<std::vector<Check>> compare_or_say(const Side& side,
                                                 const TimingsPlan& plan,
                                                 const GateOptions& asked,
                                                 const Gating& with) {
    const auto invalid = [&](const std::exception& error) {
        return std::vector<Check>{timings_check(
            side.arm, Outcome::invalid,
            fmt::format("the baseline's commit {:.12} cannot be measured: {}; accept a new "
                        "baseline, or use --against stored",
                        plan.baseline->commit, error.what()))};
    };
    try {
        return compare(side, plan, asked, with);
    } catch (const build::ArmError& error) {
        return invalid(error);
    } catch (const build::GitError& error) {
        return invalid(error);
    } catch (const plan::ScenarioError& error) {  // of tare.toml
        return invalid(error);
    } catch (const build::BuildInterrupted&) {
        return std::nullopt;
    }
}

}  // namespace

baselines::Margins margins_of(const std::vector<plan::Metric>& metrics) {
    baselines::Margins out;
    for (const plan::Metric& metric : metrics) out.emplace_back(metric.name, metric.margin);
    return out;
}

TimingsPlan plan_timings(const plan::Scenario& scenario,
                         const GateOptions& options,
                         const Gating& with,
                         const fs::path& folder) {
    const std::string machine_class = run::observe_machine().machine_class;
    TimingsPlan out{.metrics = metrics_of(scenario, options.margins),
                    .calibrated = find_calibrated(with.store, scenario),
                    .file = timings_file(folder, machine_class, scenario.name),
                    .baseline = {},
                    .why_not = {}};
    if (out.metrics.empty())
        out.why_not = timings_check(
            "", Outcome::not_checked,
            "no metric of the scenario has a margin under [metrics], so no time can be judged");
    else
        read_baseline_of(scenario, machine_class, out);
    if (out.baseline) refuse_dishonest_margins(out.calibrated, out.metrics, looks_of(options));
    return out;
}

std::optional<std::vector<Check>> interleave_timings(const plan::Scenario& scenario,
                                                     const TimingsPlan& plan,
                                                     const GateOptions& options,
                                                     const Gating& with) {
    const std::vector<plan::Arm> only_one(1);
    std::vector<Check> out;
    for (const plan::Arm& arm : scenario.arms.empty() ? only_one : scenario.arms) {
        auto checks = compare_or_say({scenario, arm, arm.name}, plan, options, with);
        if (!checks) return std::nullopt;
        out.insert(out.end(), checks->begin(), checks->end());
    }
    return out;
}

}  // namespace scenarios::cli
