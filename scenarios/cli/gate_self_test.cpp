// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/gate_self_test.h"

#include <algorithm>

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "scenarios/cli/calibrated.h"
#include "scenarios/run/plan_record.h"
#include "scenarios/run/rounds.h"
#include "scenarios/run/trial.h"

namespace scenarios::cli {

using baselines::Check;
using baselines::GateVerdict;
using baselines::Outcome;

namespace {

constexpr int flipped_position = 3;
// Of every op's own time: where nothing is known of the noise, more than what it can hide.
constexpr int delay_percent = 25;
constexpr int delay_honest_margins = 5;  // where it is known
constexpr int delay_rounds = 16;

// A fault, and what the gate has to say of it.
struct Planted {
    std::string name;
    GateTrials trials;
    std::string check;  // that has to say it
    Outcome outcome = Outcome::regressed;
    std::string words;  // that one of its reasons has to hold
};

GateTrials fault(const std::string& text, int timed = 1, int profiled = 1) {
    return {.kind = "self-test",
            .arguments = {"--fault", text},
            .environment = {},
            .timed = timed,
            .profiled = profiled,
            .time_limit_s = {}};
}

GateTrials probe_fault(const std::string& text) {
    return {.kind = "self-test",
            .arguments = {},
            .environment = {{"TARE_PROBE_FAULT", text}},
            .timed = 1,
            .profiled = 1,
            .time_limit_s = {}};
}

// An op in which a launch more or an early end can be planted.
std::string some_path(const reports::Report& report) {
    std::string path;
    for (const reports::KernelRow& row : report.kernels)
        if (!row.path.empty()) path = row.path;
    if (path.empty())
        throw UsageError("self-test: the engine names no range that a fault could be planted in");
    return path;
}

std::vector<Planted> faults(const std::string& path) {
    return {
        {"an extra launch", fault("launch:" + path + ":+1"), "counts", Outcome::regressed,
         ".calls."},
        {"a flipped token", fault(fmt::format("token:0:{}", flipped_position)), "tokens",
         Outcome::regressed, fmt::format("request 0, position {}", flipped_position)},
        {"a lost capture", probe_fault("drop:100"), "counts", Outcome::invalid,
         "records were lost"},
        {"a crash", fault("exit:" + path), "counts", Outcome::invalid, "exit code"},
        {"a hang", fault("hang:" + path, 1, 0), "counts", Outcome::invalid, "time limit"},
    };
}

// Whether `verdict` is what the fault deserves: the check it is meant for says it for its own
// reason, and no other check is blamed.
Check seen_as(const Planted& planted, const GateVerdict& verdict) {
    Check out{planted.name, "", Outcome::regressed, {}};
    for (const Check& check : verdict.checks) {
        const bool says =
            std::any_of(check.reasons.begin(), check.reasons.end(), [&](const std::string& reason) {
                return reason.find(planted.words) != std::string::npos;
            });
        if (check.name == planted.check && check.outcome == planted.outcome && says) {
            out.outcome = Outcome::passed;
            out.reasons.insert(out.reasons.begin(),
                               fmt::format("reported as it should: {} {}: {}", check.name,
                                           baselines::name(check.outcome), check.reasons[0]));
        } else if (check.name != planted.check && check.outcome == Outcome::regressed) {
            out.reasons.push_back(
                fmt::format("{} was blamed too: {}", check.name, check.reasons[0]));
        } else if (check.name == planted.check) {
            out.reasons.push_back(
                fmt::format("{} should be {} with \"{}\" among its reasons, and is {}: {}",
                            check.name, baselines::name(planted.outcome), planted.words,
                            baselines::name(check.outcome), check.reasons[0]));
        }
    }
    if (out.reasons.size() != 1) out.outcome = Outcome::regressed;
    if (!verdict.planted) {
        out.outcome = Outcome::regressed;
        out.reasons.push_back("its trials are not marked as planted");
    }
    return out;
}

// Known from the unchanged program: a hang costs no more than it has to, and a machine on which
// everything takes longer is given longer. At least twice a whole trial, for scenarios that warm up
// little and measure much.
double self_test_limit_s(const GateRun& unchanged) {
    double limit_s = run::silence_limit_s(unchanged.warm_up_ns.value_or(0));
    for (const reports::TrialRow& row : unchanged.report.trials)
        limit_s = std::max(
            limit_s, 2e-9 * static_cast<double>(row.trial.exit_raw_ns - row.trial.spawn_raw_ns));
    return limit_s;
}

// Where to look for more.
Check with_run(Check check, reports::Id run) {
    check.reasons.front() += fmt::format(" (run {})", run);
    return check;
}

Check unchanged(const GateVerdict& verdict) {
    Check out{"no fault", "", Outcome::passed, {"passes, as it should"}};
    if (baselines::exit_code(verdict) == 0 && !verdict.planted) return out;
    out.outcome = Outcome::regressed;
    out.reasons = {"should pass, and does not"};
    for (const Check& check : verdict.checks)
        for (const std::string& reason : check.reasons)
            out.reasons.push_back(
                fmt::format("{} {}: {}", check.name, baselines::name(check.outcome), reason));
    return out;
}

// What is planted, and the margins that have to notice it.
struct Delay {
    std::string name;                    // of the check
    std::vector<std::string> arguments;  // of the delayed arm
    std::vector<plan::Metric> metrics;
    std::string words;  // which calibration it follows, or that there is none
};

Delay uncalibrated_delay(const plan::Scenario& scenario, const std::string& words) {
    return {.name = fmt::format("a delay of {} % in every op", delay_percent),
            .arguments = {"--fault", fmt::format("delay:*:{}", delay_percent)},
            .metrics = scenario.metrics,
            .words = words};
}

// The phase of a wall time's metric: "decode" of "decode_wall_ns"; empty: of no phase.
std::string phase_of(const std::string& metric) {
    const std::string end = "_wall_ns";
    return metric.ends_with(end) ? metric.substr(0, metric.size() - end.size()) : "";
}

// Margins as small as this machine can honour, and five of them for each phase.
Delay calibrated_delay(const plan::Scenario& scenario, const Calibrated& calibrated) {
    Delay out{.name = {}, .arguments = {}, .metrics = {}, .words = calibrated.words};
    std::string phases;
    for (const plan::Metric& metric : scenario.metrics) {
        const auto honest = honest_margin_of(calibrated, metric.name, {delay_rounds},
                                             static_cast<int>(scenario.metrics.size()));
        if (!honest) continue;
        out.metrics.push_back({metric.name, *honest});
        const std::string phase = phase_of(metric.name);
        if (phase.empty()) continue;
        const double percent = 100 * delay_honest_margins * *honest;
        out.arguments.insert(out.arguments.end(),
                             {"--fault", fmt::format("delay:{}/*:{:.4f}", phase, percent)});
        phases += fmt::format("{}{} {:.2f} %", phases.empty() ? "" : ", ", phase, percent);
    }
    out.name =
        fmt::format("a delay of {} honest margins in every op ({})", delay_honest_margins, phases);
    return out;
}

Delay delay_for(const plan::Scenario& scenario, const Gating& with) {
    const Calibrated calibrated = find_calibrated(with.store, scenario);
    if (calibrated.calibration)
        if (Delay out = calibrated_delay(scenario, calibrated); !out.arguments.empty()) return out;
    return uncalibrated_delay(scenario, calibrated.words);
}

// Three arms in interleaved rounds: the program twice, and delayed.
run::Options delay_options(const plan::Scenario& scenario,
                           const Delay& delay,
                           const Gating& with,
                           std::optional<double> time_limit_s) {
    run::Options out =
        common_options(scenario, with.measuring, with.context, "self-test", delay_rounds, 0);
    out.metrics = delay.metrics;
    out.calibration = delay.words;
    out.time_limit_s = time_limit_s;
    for (const auto& [name, arguments] : {std::pair{"unchanged", std::vector<std::string>{}},
                                          {"again", {}},
                                          {"delayed", delay.arguments}})
        out.arms.push_back(
            {.words = {.name = name, .arguments = arguments, .environment = {}, .about = {}},
             .engine = out.engine});
    return out;
}

const reports::PairVerdict* pair_of(const reports::ComparisonReport& report,
                                    const std::string& b,
                                    const std::string& a) {
    for (const reports::PairVerdict& pair : report.pairs)
        if (pair.a == a && pair.b == b) return &pair;
    return nullptr;
}

// Sentences on the metrics that were called regressed.
std::vector<std::string> regressed_metrics(const reports::PairVerdict& pair) {
    std::vector<std::string> out;
    for (const reports::MetricVerdict& metric : pair.metrics)
        if (metric.verdict == reports::Verdict::regressed)
            out.push_back(fmt::format("{} regressed: {}", metric.name, metric.reason));
    return out;
}

// An op that takes longer shows in the wall time of its phase.
std::vector<std::string> regressed_phases(const reports::PairVerdict& pair) {
    std::vector<std::string> out = regressed_metrics(pair);
    std::erase_if(
        out, [](const std::string& one) { return one.find(".wall_ns ") == std::string::npos; });
    return out;
}

struct DelaySeen {
    reports::Id run = 0;
    std::vector<std::string> delayed;    // phases that got slower in the delayed arm
    std::vector<std::string> unchanged;  // metrics of the arm that is the same program
};

std::optional<DelaySeen> see_delay(const plan::Scenario& scenario,
                                   const Delay& delay,
                                   const Gating& with,
                                   std::optional<double> time_limit_s) {
    run::Options options = delay_options(scenario, delay, with, time_limit_s);
    run::Progress progress(run::Progress::style_of_stderr(with.measuring.quiet));
    const run::RoundsPlan rounds{.looks = {delay_rounds}, .profiled_rounds = 0};
    const run::Preflight before = run::preflight(options, with.interrupt, progress);
    if (before.interrupted) return std::nullopt;
    const auto never = [](reports::Id, int) { return false; };
    const run::Result result =
        run::run_rounds(with.store, options, rounds, before, never, with.interrupt, progress);
    if (result.interrupted || !result.run) return std::nullopt;
    const auto report = reports::compare::load_comparison(with.store, *result.run);
    DelaySeen out{.run = *result.run, .delayed = {}, .unchanged = {}};
    if (const auto* pair = pair_of(report, "delayed", "unchanged"))
        out.delayed = regressed_phases(*pair);
    if (const auto* pair = pair_of(report, "again", "unchanged"))
        out.unchanged = regressed_metrics(*pair);
    return out;
}

// No phase gets slower without a cause more often than alpha; twice in a row is a broken gate.
std::optional<Check> delay_check(const plan::Scenario& scenario,
                                 const Gating& with,
                                 std::optional<double> time_limit_s) {
    const Delay delay = delay_for(scenario, with);
    auto seen = see_delay(scenario, delay, with, time_limit_s);
    std::string note;
    if (seen && (seen->delayed.empty() || !seen->unchanged.empty())) {
        note = "; measured a second time";
        seen = see_delay(scenario, delay, with, time_limit_s);
    }
    if (!seen) return std::nullopt;
    Check check{delay.name, "", Outcome::passed, {}};
    if (seen->delayed.empty())
        check.reasons.push_back("no phase with a margin was called regressed" + note);
    for (const std::string& reason : seen->unchanged)
        check.reasons.push_back("the same program was called slower" + note + ": " + reason);
    if (!check.reasons.empty())
        check.outcome = Outcome::regressed;
    else
        check.reasons = {
            fmt::format("reported as it should ({}{}): {}", delay.words, note, seen->delayed[0])};
    return with_run(check, seen->run);
}

void check_scenario(const plan::Scenario& scenario) {
    if (scenario.workload != plan::Workload::decode || !scenario.arms.empty())
        throw UsageError(fmt::format(
            "--self-test {}: a flipped token needs a scenario with workload \"decode\" and no "
            "[arms]; decode-64 is one",
            scenario.name));
    if (scenario.decode_tokens <= flipped_position || scenario.metrics.empty())
        throw UsageError(fmt::format(
            "--self-test {}: needs more than {} decode_tokens and a metric with a margin under "
            "[metrics]; decode-64 has both",
            scenario.name, flipped_position));
}

}  // namespace

std::optional<GateVerdict> gate_self_test(plan::Scenario scenario, const Gating& with) {
    check_scenario(scenario);
    GateTrials plain;
    plain.kind = "self-test";
    plain.time_limit_s = std::max(scenario.time_limit_s.value_or(0), run::default_time_limit_s);
    const auto first = run_gate(scenario, with, plain);
    if (!first) return std::nullopt;
    plain.time_limit_s = self_test_limit_s(*first);
    const auto again = measure_gate(scenario, with, plain);
    if (!again) return std::nullopt;
    const auto baseline = baselines::baseline_of(first->report);
    GateVerdict out{.scenario = scenario.name + ", self-test",
                    .run = 0,
                    .baseline = {},
                    .planted = false,
                    .checks = {}};
    out.checks.push_back(with_run(unchanged(judge_gate(baseline, *again, {})), again->run.id));
    // No fault can be told from what is broken.
    if (baselines::exit_code(out) != 0) return out;
    for (Planted& planted : faults(some_path(first->report))) {
        planted.trials.time_limit_s = plain.time_limit_s;
        const auto report = measure_gate(scenario, with, planted.trials);
        if (!report) return std::nullopt;
        out.checks.push_back(
            with_run(seen_as(planted, judge_gate(baseline, *report, {})), report->run.id));
    }
    const auto delay = delay_check(scenario, with, plain.time_limit_s);
    if (!delay) return std::nullopt;
    out.checks.push_back(*delay);
    return out;
}

}  // namespace scenarios::cli
