// SPDX-License-Identifier: Apache-2.0
#include <cmath>

#include "reports/compare/blame.h"
#include "reports/compare/differences.h"
#include "reports/stats/summary.h"

namespace reports::compare {
namespace {

using Pairs = std::vector<std::pair<PhaseSeries::Value, PhaseSeries::Value>>;

// Row `name` from what `part` takes of each rep.
template <class Part>
void add_row(const Pairs& pairs, const std::string& name, Part part, Waterfall& out) {
    std::vector<double> differences;
    for (const auto& [a, b] : pairs) differences.push_back(part(b) - part(a));
    const Difference difference = difference_of(differences);
    out.rows.push_back({name, difference.estimate, difference.interval});
}

void add_gap_rows(const Pairs& pairs, Waterfall& out) {
    const bool has_classes = !pairs.empty() && !pairs[0].first.gap.empty();
    if (!has_classes) {
        add_row(
            pairs, "gap", [](const auto& value) { return value.gap_ns; }, out);
        return;
    }
    for (const std::string name : gap_classes) {
        const auto part = [&](const PhaseSeries::Value& value) {
            const auto found = value.gap.find(name);
            return found == value.gap.end() ? 0.0 : found->second;
        };
        if (pairs[0].first.gap.count(name) > 0) add_row(pairs, "gap." + name, part, out);
    }
}

const MetricVerdict* wall_of(const std::string& phase, const std::vector<MetricVerdict>& timed) {
    for (const MetricVerdict& one : timed)
        if (one.name == phase + ".wall_ns") return &one;
    return nullptr;
}

// The change of the timed rounds, in ns.
Difference timed_change(const MetricVerdict& wall) {
    std::vector<double> differences;
    for (std::size_t i = 0; i < wall.a_rounds.size(); ++i)
        differences.push_back(wall.b_rounds[i] - wall.a_rounds[i]);
    return difference_of(differences);
}

// What the profiled rounds do not share with the timed ones. Where it is larger than the margin
// and than its own uncertainty, the profile explains another program than the one that was timed.
void add_profiling(const MetricVerdict& wall, const Difference& range, Waterfall& out) {
    const Difference timed = timed_change(wall);
    out.wall_ns = timed.estimate;
    Waterfall::Row row{"profiling", timed.estimate - range.estimate, {}};
    if (timed.interval && range.interval)
        row.interval =
            ChangeInterval{timed.interval->lo - range.interval->hi,
                           timed.interval->hi - range.interval->lo, timed.interval->level};
    const double margin_ns = wall.margin.value_or(0) * (wall.a ? wall.a->median : 0);
    const bool is_sure = row.interval && (row.interval->lo > 0 || row.interval->hi < 0);
    out.profiling_changed_the_answer = is_sure && wall.margin && std::abs(row.delta_ns) > margin_ns;
    out.rows.push_back(std::move(row));
}

Waterfall waterfall_of(const PhaseSeries& series,
                       const std::string& a,
                       const std::string& b,
                       const std::vector<MetricVerdict>& timed) {
    Waterfall out{.phase = series.phase};
    const Pairs pairs = paired(series.arms, a, b);
    if (pairs.empty()) return out;
    // Exposed is when only one kernel runs; what two or more share stands by itself.
    const auto shared = [](const auto& value) { return value.sum_ns - value.busy_ns; };
    add_row(
        pairs, "kernels", [&](const auto& value) { return value.busy_ns - shared(value); }, out);
    add_row(pairs, "shared", shared, out);
    add_gap_rows(pairs, out);
    std::vector<double> range;
    for (const auto& [x, y] : pairs) range.push_back(y.range_ns - x.range_ns);
    out.wall_ns = difference_of(range).estimate;
    if (const MetricVerdict* wall = wall_of(series.phase, timed))
        add_profiling(*wall, difference_of(range), out);
    out.rest_ns = out.wall_ns;
    for (const Waterfall::Row& row : out.rows) out.rest_ns -= row.delta_ns;
    return out;
}

}  // namespace

std::vector<Waterfall> waterfalls(const Observations& observations,
                                  const std::string& a,
                                  const std::string& b,
                                  const std::vector<MetricVerdict>& timed) {
    std::vector<Waterfall> out;
    for (const PhaseSeries& series : observations.phases) {
        Waterfall one = waterfall_of(series, a, b, timed);
        if (!one.rows.empty()) out.push_back(std::move(one));
    }
    return out;
}

}  // namespace reports::compare
