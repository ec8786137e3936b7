// SPDX-License-Identifier: Apache-2.0
// A comparison in the forms that CI systems show: JUnit XML and GitHub annotations.
#include <fmt/format.h>

#include "reports/render/ci_cases.h"
#include "reports/render/verdict.h"

namespace reports::render {
namespace {

std::vector<CiCase> cases_of(const PairVerdict& pair) {
    std::vector<CiCase> cases;
    for (const MetricVerdict& metric : pair.metrics)
        if (metric.verdict) cases.push_back({metric.name, *metric.verdict, metric.reason});
    if (pair.tokens.identical)
        cases.push_back({"tokens",
                         pair.tokens.a_repeats && pair.tokens.b_repeats
                             ? (*pair.tokens.identical ? Verdict::same : Verdict::regressed)
                             : Verdict::inconclusive,
                         pair.reasons.empty() ? "" : pair.reasons[0]});
    for (const CountVerdict& count : pair.counts)
        if (count.equal)
            cases.push_back(
                {"count " + count.name, *count.equal ? Verdict::same : Verdict::regressed,
                 fmt::format("{} in {}, {} in {}", *count.a, pair.a, *count.b, pair.b)});
    if (pair.verdict == Verdict::invalid)
        cases.push_back(
            {"validity", Verdict::invalid, pair.reasons.empty() ? "" : pair.reasons[0]});
    return cases;
}

}  // namespace

std::string verdict_junit(const ComparisonReport& report) {
    std::vector<CiSuite> suites;
    for (const PairVerdict& pair : report.pairs)
        suites.push_back(
            {fmt::format("tare.{}.{}-{}", report.scenario.name, pair.a, pair.b), cases_of(pair)});
    return junit(suites);
}

std::string verdict_github(const ComparisonReport& report) {
    std::string out;
    for (const PairVerdict& pair : report.pairs) {
        const std::string title = fmt::format("{}: {} against {} {}", report.scenario.name, pair.b,
                                              pair.a, name(pair.verdict));
        for (const std::string& reason : pair.reasons)
            out += github_annotation(pair.verdict, title, reason);
    }
    return out;
}

}  // namespace reports::render
