// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/keep.h"

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "reports/store/verdict.h"

namespace reports::compare {
namespace {

StoredMetricVerdict stored(const MetricVerdict& metric, const PairVerdict& pair) {
    StoredMetricVerdict out{.a = pair.a, .b = pair.b, .name = metric.name};
    out.verdict = metric.verdict ? name(*metric.verdict) : "not gated";
    out.ratio = metric.ratio;
    if (metric.interval) {
        out.lo = metric.interval->lo;
        out.hi = metric.interval->hi;
        out.level = metric.interval->level;
    }
    out.margin = metric.margin;
    out.rounds = metric.rounds;
    out.reason = metric.reason;
    return out;
}

void conclude_one(Store& store, Id run, const std::string& suite_version, ConcludedAgain& out) {
    const auto before = store::verdict_of(store, run);
    const auto now = stored_verdict(load_comparison(store, run), suite_version);
    ++out.runs;
    if (before && same_conclusion(*before, now)) return;
    store::replace_verdict(store, run, now);
    if (!before) return;
    out.changed.push_back(fmt::format("run {}: {} (exit {}) by {}, {} (exit {}) now", run,
                                      before->verdict, before->exit_code, before->suite_version,
                                      now.verdict, now.exit_code));
}

}  // namespace

StoredVerdict stored_verdict(const ComparisonReport& report, const std::string& suite_version) {
    StoredVerdict out{.kind = "ab",
                      .verdict = name(report.verdict),
                      .exit_code = report.exit_code,
                      .reasons = report.reasons,
                      .suite_version = suite_version,
                      .metrics = {}};
    for (const PairVerdict& pair : report.pairs)
        for (const MetricVerdict& metric : pair.metrics)
            out.metrics.push_back(stored(metric, pair));
    return out;
}

ConcludedAgain conclude_again(Store& store, const std::string& suite_version) {
    ConcludedAgain out;
    for (const RunSummary& summary : store.list()) {
        if (summary.run.kind != "ab" || summary.run.status == "running" || summary.arms < 2)
            continue;
        try {
            conclude_one(store, summary.run.id, suite_version, out);
        } catch (const MachineLacks&) {
            throw;
        } catch (const StoreError& error) {
            out.changed.push_back(fmt::format("run {}: its verdict stays as it is: {}",
                                              summary.run.id, error.what()));
        }
    }
    return out;
}

}  // namespace reports::compare
