// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/exact.h"

#include <algorithm>
#include <functional>

#include <fmt/format.h>

#include "reports/records/tokens.h"

namespace baselines {
namespace {

using reports::CountRow;
using reports::LossRow;
using reports::Report;

template <class Rows, class Same>
auto found_in(const Rows& rows, Same same) -> decltype(&rows[0]) {
    const auto found = std::find_if(rows.begin(), rows.end(), same);
    return found == rows.end() ? nullptr : &*found;
}

const ArmBaseline* arm_named(const Baseline& baseline, const std::string& name) {
    return found_in(baseline.arms, [&](const ArmBaseline& one) { return one.name == name; });
}

const CountRow* count_named(const std::vector<CountRow>& rows, const std::string& name) {
    return found_in(rows, [&](const CountRow& one) { return one.name == name; });
}

std::string shown(const CountRow& row) {
    return row.unit == "1" ? fmt::format("{}", row.value)
                           : fmt::format("{} {}", row.value, row.unit);
}

struct CountChanges {
    std::vector<std::string> differ, gone;
};

CountChanges count_changes(const std::vector<CountRow>& before, const std::vector<CountRow>& now) {
    CountChanges out;
    for (const CountRow& was : before) {
        const CountRow* is = count_named(now, was.name);
        if (is == nullptr)
            out.gone.push_back(fmt::format("{}: {} before, not there now", was.name, shown(was)));
        else if (!is->exact)
            out.differ.push_back(fmt::format("{}: {} before, differs from trial to trial now",
                                             was.name, shown(was)));
        else if (is->value != was.value)
            out.differ.push_back(
                fmt::format("{}: {} before, {} now", was.name, shown(was), shown(*is)));
    }
    for (const CountRow& is : now)
        if (is.exact && count_named(before, is.name) == nullptr)
            out.differ.push_back(fmt::format("{}: new, {} now", is.name, shown(is)));
    return out;
}

std::vector<std::string> loss_changes(const std::vector<LossRow>& before,
                                      const std::vector<LossRow>& now) {
    std::vector<std::string> out;
    for (const LossRow& was : before) {
        const LossRow* is =
            found_in(now, [&](const LossRow& one) { return one.request == was.request; });
        if (is == nullptr)
            out.push_back(fmt::format("loss of text {} ({}): gone", was.request, was.name));
        else if (is->sha256 != was.sha256)
            out.push_back(
                fmt::format("loss of text {} ({}): {:.9g} nats a token before, {:.9g} now "
                            "(the {} values are not the same)",
                            was.request, was.name, was.nll_mean, is->nll_mean, was.tokens));
    }
    for (const LossRow& is : now)
        if (!found_in(before, [&](const LossRow& one) { return one.request == is.request; }))
            out.push_back(fmt::format("loss of text {} ({}): new", is.request, is.name));
    return out;
}

reports::TokenVerdict tokens_of(const ArmBaseline& before, const Report& now) {
    Report was;
    was.outputs = before.outputs;
    return reports::compare_tokens(was, now);
}

std::vector<std::string> token_changes(const ArmBaseline& before, const Report& now) {
    std::vector<std::string> out;
    if (before.outputs.empty() != now.outputs.empty())
        out.push_back(before.outputs.empty() ? "tokens: none before, some now"
                                             : "tokens: some before, none now");
    else if (const auto verdict = tokens_of(before, now); verdict.identical && !*verdict.identical)
        out.push_back(reports::token_sentence(verdict, "the baseline", "this run"));
    const auto losses = loss_changes(before.losses, now.losses);
    out.insert(out.end(), losses.begin(), losses.end());
    return out;
}

bool has_valid_trial(const Report& arm) {
    return std::any_of(arm.trials.begin(), arm.trials.end(),
                       [](const reports::TrialRow& row) { return row.trial.valid; });
}

// Of an arm that gave nothing to compare: what went wrong with it, in its own words.
std::vector<std::string> reasons_of(const Report& arm) {
    if (!arm.reasons.empty()) return arm.reasons;
    return std::vector<std::string>(1, "no trial of this arm is valid");
}

Check counts_of_arm(const ArmBaseline& before, const Report& now) {
    Check out{.name = "counts", .arm = now.arm.name, .outcome = Outcome::passed, .reasons = {}};
    CountChanges found = count_changes(before.counts, now.counts);
    // A count that a lost profile could not take is no change of the program.
    if (now.valid)
        std::move(found.gone.begin(), found.gone.end(), std::back_inserter(found.differ));
    if (has_valid_trial(now) && !found.differ.empty()) {
        out.outcome = Outcome::regressed;
        out.reasons = std::move(found.differ);
        return out;
    }
    if (!now.valid) {
        out.outcome = Outcome::invalid;
        out.reasons = reasons_of(now);
        return out;
    }
    if (before.counts.empty()) {
        out.outcome = Outcome::not_checked;
        out.reasons.emplace_back("the baseline holds no counts of this arm");
        return out;
    }
    out.reasons = {fmt::format("{} exact counts are equal", before.counts.size())};
    return out;
}

std::string equal_tokens(const ArmBaseline& before) {
    std::size_t tokens = 0;
    for (const auto& row : before.outputs) tokens += row.tokens.size();
    std::string out =
        fmt::format("{} tokens of {} requests are equal", tokens, before.outputs.size());
    if (!before.losses.empty())
        out += fmt::format("; losses of {} texts are equal bit by bit", before.losses.size());
    return out;
}

// Trials that disagree among themselves have no tokens that could be equal to anything.
bool repeats(const Report& now) {
    for (std::size_t i = 1; i < now.outputs.size(); ++i)
        if (now.outputs[i].request == now.outputs[i - 1].request) return false;
    return true;
}

Check tokens_of_arm(const ArmBaseline& before, const Report& now) {
    Check out{.name = "tokens", .arm = now.arm.name, .outcome = Outcome::passed, .reasons = {}};
    if (!has_valid_trial(now)) {
        out.outcome = Outcome::invalid;
        out.reasons = reasons_of(now);
        return out;
    }
    out.reasons = token_changes(before, now);
    if (!repeats(now))
        out.reasons.insert(out.reasons.begin(),
                           "trials of this run disagree among themselves: the program no longer "
                           "repeats its tokens");
    if (!out.reasons.empty()) {
        out.outcome = Outcome::regressed;
        return out;
    }
    if (before.outputs.empty() && before.losses.empty()) {
        out.outcome = Outcome::not_checked;
        out.reasons.emplace_back("this scenario generates no tokens and scores no texts");
        return out;
    }
    out.reasons = {equal_tokens(before)};
    return out;
}

std::vector<Check> of_every_arm(const Baseline& baseline,
                                const Report& report,
                                const std::string& what,
                                const std::function<Check(const ArmBaseline&, const Report&)>& of) {
    std::vector<Check> out;
    const auto arms = reports::arms_of(report);
    for (const Report* arm : arms) {
        const ArmBaseline* before = arm_named(baseline, arm->arm.name);
        if (before != nullptr)
            out.push_back(of(*before, *arm));
        else
            out.push_back({what,
                           arm->arm.name,
                           Outcome::invalid,
                           {"the baseline has no arm of this name; accept a new one"}});
    }
    for (const ArmBaseline& before : baseline.arms)
        if (!found_in(arms, [&](const Report* one) { return one->arm.name == before.name; }))
            out.push_back({what, before.name, Outcome::invalid, {"the run has no such arm"}});
    return out;
}

void add_prefixed(const std::vector<std::string>& from,
                  const std::string& prefix,
                  std::vector<std::string>& out) {
    for (const std::string& one : from) out.push_back(prefix + one);
}

}  // namespace

std::string why_not_comparable(const Baseline& baseline, const Report& report) {
    const auto other = [](const char* what, const std::string& was, const std::string& is) {
        return fmt::format(
            "the baseline is of another {} ({:.12} there, {:.12} here): results of different ones "
            "are never compared; if the change is meant, accept a new baseline with "
            "--accept --reason \"...\"",
            what, was, is);
    };
    if (baseline.scenario != report.scenario.name)
        return other("scenario", baseline.scenario, report.scenario.name);
    if (baseline.scenario_sha256 != report.scenario.sha256)
        return other("text of the scenario", baseline.scenario_sha256, report.scenario.sha256);
    if (baseline.backend != report.run.backend)
        return other("backend", baseline.backend, report.run.backend);
    if (baseline.model_sha256 && report.model.sha256 &&
        *baseline.model_sha256 != *report.model.sha256)
        return other("model", *baseline.model_sha256, *report.model.sha256);
    return "";
}

std::vector<Check> check_counts(const Baseline& baseline, const Report& report) {
    return of_every_arm(baseline, report, "counts", counts_of_arm);
}

std::vector<Check> check_tokens(const Baseline& baseline, const Report& report) {
    return of_every_arm(baseline, report, "tokens", tokens_of_arm);
}

std::vector<std::string> changes(const Baseline& from, const Baseline& to) {
    std::vector<std::string> out;
    if (from.scenario_sha256 != to.scenario_sha256) out.push_back("another text of the scenario");
    if (from.model_sha256 != to.model_sha256) out.push_back("another model");
    for (const ArmBaseline& now : to.arms) {
        const ArmBaseline* before = arm_named(from, now.name);
        const std::string prefix = to.arms.size() > 1 ? now.name + ": " : "";
        if (before == nullptr) {
            out.push_back(fmt::format("arm {} is new", now.name));
            continue;
        }
        const CountChanges counts = count_changes(before->counts, now.counts);
        add_prefixed(counts.differ, prefix, out);
        add_prefixed(counts.gone, prefix, out);
        Report as_report;
        as_report.outputs = now.outputs;
        as_report.losses = now.losses;
        add_prefixed(token_changes(*before, as_report), prefix, out);
    }
    for (const ArmBaseline& before : from.arms)
        if (arm_named(to, before.name) == nullptr)
            out.push_back(fmt::format("arm {} is gone", before.name));
    return out;
}

}  // namespace baselines
