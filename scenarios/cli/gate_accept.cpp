// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/gate_accept.h"

#include <fmt/format.h>

#include "baselines/gate/exact.h"
#include "baselines/gate/timings.h"
#include "reports/stats/sequential_plan.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/baseline_files.h"
#include "scenarios/cli/gate_timings.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/machine.h"

namespace scenarios::cli {

namespace fs = std::filesystem;
using baselines::Check;
using baselines::GateVerdict;
using baselines::Outcome;

namespace {

// What becomes of the timings of a run that is still to be made.
struct TimingsToAccept {
    fs::path file;
    std::optional<baselines::TimingBaseline> before;
    baselines::Margins margins;
    std::optional<reports::Calibration> calibration;
    std::string why_not;  // empty: they are accepted
};

std::string why_no_timings(const plan::Scenario& scenario,
                           const std::vector<plan::Metric>& metrics,
                           const Gating& with) {
    if (metrics.empty())
        return "no metric of the scenario has a margin under [metrics], so no time can be judged";
    const auto engine = at_hand(
        common_options(scenario, with.measuring, with.context, "gate", 0, 0), with.interrupt);
    return baselines::why_no_baseline(engine.commit, engine.commit && !engine.is_clean);
}

TimingsToAccept timings_to_accept(const plan::Scenario& scenario,
                                  const GateOptions& options,
                                  const Gating& with,
                                  const fs::path& folder) {
    TimingsToAccept out;
    const std::string machine_class = run::observe_machine().machine_class;
    out.file = timings_file(folder, machine_class, scenario.name);
    if (!checks_asked(options).timings) {
        out.why_not = "not asked for";
        return out;
    }
    out.before = read_timings(out.file);
    const auto metrics = metrics_of(scenario, options.margins);
    out.margins = margins_of(metrics);
    out.why_not = why_no_timings(scenario, metrics, with);
    if (!out.why_not.empty()) return out;
    const Calibrated calibrated = find_calibrated(with.store, scenario);
    refuse_dishonest_margins(calibrated, metrics, reports::stats::default_looks);
    out.calibration = calibrated.calibration;
    return out;
}

GateVerdict refused(const reports::Report& report,
                    const fs::path& file,
                    std::vector<std::string> reasons) {
    return {.scenario = report.scenario.name,
            .run = report.run.id,
            .baseline = file.string(),
            .planted = false,
            .checks = {{"accept", "", Outcome::invalid, std::move(reasons)}}};
}

baselines::Acceptance acceptance_of(const reports::Report& report, const std::string& reason) {
    return {.date = run::utc_text(run::real_now_ns()),
            .commit = report.build.commit.value_or("unknown"),
            .dirty = report.build.dirty_diff_sha256.has_value(),
            .reason = reason,
            .changes = {}};
}

Check accepted(const fs::path& file, bool is_first, std::size_t changes, const char* what) {
    return {"accept",
            "",
            Outcome::passed,
            {is_first ? fmt::format("the first {}: {}", what, file.string())
                      : fmt::format("{} changes accepted: {}", changes, file.string())}};
}

void accept_exact(const fs::path& file,
                  const std::optional<baselines::Baseline>& before,
                  baselines::Baseline now,
                  baselines::Acceptance acceptance,
                  GateVerdict& verdict) {
    if (before) {
        now.accepted = before->accepted;
        acceptance.changes = baselines::changes(*before, now);
    }
    now.accepted.push_back(acceptance);
    write_baseline(file, now);
    verdict.checks.push_back(
        accepted(file, !before, acceptance.changes.size(), "baseline of this scenario"));
}

Check regressions_check(const baselines::TimingAcceptance& acceptance) {
    Check out{"accept", "", Outcome::passed, {}};
    for (const baselines::AcceptedRegression& one : acceptance.regressions)
        out.reasons.push_back(
            fmt::format("a regression is accepted and stays listed: {} of {}: "
                        "{:g} {} before, {:g} now",
                        one.metric, one.arm, one.from, one.unit, one.to));
    return out;
}

void accept_timings(const TimingsToAccept& timings,
                    const reports::Report& report,
                    const std::string& reason,
                    const Gating& with,
                    GateVerdict& verdict) {
    const auto samples = reports::compare::load_timed_samples(with.store, report.run.id);
    auto now = baselines::timings_of(report, samples, timings.margins, timings.calibration);
    baselines::TimingAcceptance acceptance{.date = run::utc_text(run::real_now_ns()),
                                           .commit = now.commit,
                                           .reason = reason,
                                           .changes = {},
                                           .regressions = {}};
    if (timings.before) {
        now.accepted = timings.before->accepted;
        baselines::add_changes(*timings.before, now, acceptance);
    }
    now.accepted.push_back(acceptance);
    write_timings(timings.file, now);
    verdict.checks.push_back(accepted(timings.file, !timings.before, acceptance.changes.size(),
                                      "baseline of this scenario's timings on this machine class"));
    if (!acceptance.regressions.empty()) verdict.checks.push_back(regressions_check(acceptance));
}

// The run the greeting spoke for may have been another program by then.
std::string why_not_of_run(const TimingsToAccept& timings, const reports::Report& report) {
    if (!timings.why_not.empty()) return timings.why_not;
    return baselines::why_no_baseline(report.build.commit,
                                      report.build.dirty_diff_sha256.has_value());
}

GateTrials trials_of(const GateOptions& options, const TimingsToAccept& timings) {
    GateTrials out;
    if (timings.why_not.empty()) out.timed = options.rounds.value_or(accepted_trials);
    if (!checks_asked(options).any_exact()) out.profiled = 0;
    return out;
}

}  // namespace

std::optional<GateVerdict> accept_baseline(plan::Scenario scenario,
                                           const GateOptions& options,
                                           const Gating& with,
                                           const fs::path& folder) {
    const bool exact = checks_asked(options).any_exact();
    const fs::path any = baseline_file(folder, scenario.name);
    const auto before = exact ? read_baseline(any) : std::nullopt;
    const TimingsToAccept timings = timings_to_accept(scenario, options, with, folder);
    const fs::path& file = exact ? any : timings.file;
    const auto report = measure_gate(std::move(scenario), with, trials_of(options, timings));
    if (!report) return std::nullopt;
    if (!reports::run_is_valid(*report))
        return refused(*report, file, reports::run_reasons(*report));
    const baselines::Baseline now = baselines::baseline_of(*report);
    GateVerdict verdict = judge_gate(now, *report, {.counts = exact, .tokens = exact});
    if (verdict.planted)
        return refused(*report, file, {"a fault was planted; no baseline is made of it"});
    verdict.baseline = file.string();
    if (exact && baselines::exit_code(verdict) != 0)
        return verdict;  // e.g. it does not repeat itself
    if (exact) accept_exact(any, before, now, acceptance_of(*report, options.reason), verdict);
    const std::string why_not = why_not_of_run(timings, *report);
    if (why_not.empty())
        accept_timings(timings, *report, options.reason, with, verdict);
    else if (checks_asked(options).timings)
        verdict.checks.push_back(
            baselines::timings_check("", exact ? Outcome::not_checked : Outcome::invalid,
                                     "no baseline of timings was written: " + why_not));
    return verdict;
}

}  // namespace scenarios::cli
