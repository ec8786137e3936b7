// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/blame.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

#include "reports/compare/alignment.h"
#include "reports/compare/differences.h"
#include "reports/stats/false_discovery.h"
#include "reports/stats/summary.h"

namespace reports::compare {
namespace {

// Time and calls of one line of the table, by round.
struct Line {
    BlameRow row;
    std::map<int, double> a_ns, b_ns;
    std::map<int, double> a_calls, b_calls;
};

using Key = std::tuple<std::string, std::string, std::string>;  // phase, path or role, kernel
using Lines = std::map<Key, Line>;

void add(const KernelSeries& series, const std::string& a, const std::string& b, Line& line) {
    for (const auto& [name, values] : series.arms) {
        if (name != a && name != b) continue;
        for (const KernelSeries::Value& value : values) {
            (name == a ? line.a_ns : line.b_ns)[value.round] += value.total_ns;
            (name == a ? line.a_calls : line.b_calls)[value.round] += value.calls;
        }
    }
}

// A kernel of one arm only took no time in the other: rounds are those any kernel was seen in.
std::set<int> rounds_of(const std::vector<KernelSeries>& series,
                        const std::string& a,
                        const std::string& b) {
    std::set<int> of_a, of_b, both;
    for (const KernelSeries& one : series)
        for (const auto& [name, values] : one.arms)
            for (const KernelSeries::Value& value : values) {
                if (name == a) of_a.insert(value.round);
                if (name == b) of_b.insert(value.round);
            }
    std::set_intersection(of_a.begin(), of_a.end(), of_b.begin(), of_b.end(),
                          std::inserter(both, both.end()));
    return both;
}

std::optional<double> middle(const std::map<int, double>& by_round) {
    std::vector<double> values;
    for (const auto& [round, value] : by_round) values.push_back(value);
    return stats::median(values);
}

double at(const std::map<int, double>& by_round, int round) {
    const auto found = by_round.find(round);
    return found == by_round.end() ? 0 : found->second;
}

BlameRow finished(const Line& line, const std::set<int>& rounds) {
    BlameRow row = line.row;
    std::vector<double> differences;
    for (const int round : rounds)
        differences.push_back(at(line.b_ns, round) - at(line.a_ns, round));
    const Difference difference = difference_of(differences);
    row.delta_ns = difference.estimate;
    row.interval = difference.interval;
    row.p = difference.p;
    row.a_ns = middle(line.a_ns);
    row.b_ns = middle(line.b_ns);
    row.a_calls = middle(line.a_calls);
    row.b_calls = middle(line.b_calls);
    return row;
}

std::vector<BlameRow> finished(const Lines& lines, const std::set<int>& rounds) {
    std::vector<BlameRow> rows;
    for (const auto& [key, line] : lines) rows.push_back(finished(line, rounds));
    return rows;
}

void rank(std::vector<BlameRow>& rows) {
    std::stable_sort(rows.begin(), rows.end(), [](const BlameRow& x, const BlameRow& y) {
        return std::abs(x.delta_ns) > std::abs(y.delta_ns);
    });
}

void set_q(std::vector<BlameRow>& rows, int rounds) {
    if (rows.empty() || !stats::q_within_reach(rounds, static_cast<int>(rows.size()))) return;
    std::vector<double> p;
    for (const BlameRow& row : rows) p.push_back(row.p.value_or(1));
    const auto q = stats::benjamini_hochberg(p);
    for (std::size_t i = 0; i < rows.size(); ++i) rows[i].q = q[i];
}

Lines role_lines(const std::vector<KernelSeries>& series,
                 const std::string& a,
                 const std::string& b) {
    Lines lines;
    for (const KernelSeries& one : series) {
        Line& line = lines[{one.phase, one.role, ""}];
        line.row.phase = one.phase;
        line.row.role = one.role;
        add(one, a, b, line);
    }
    return lines;
}

// Kernels of one arm at one place, in the order in which it first ran them.
struct Step {
    std::int64_t first_seen = 0;
    Launched launched;
    std::vector<const KernelSeries*> series;  // of all layers, where the place is an op
};

std::vector<Step> steps_of(const std::vector<const KernelSeries*>& all, const std::string& arm) {
    std::map<std::pair<std::string, std::string>, Step> steps;
    for (const KernelSeries* one : all) {
        const auto values = one->arms.find(arm);
        if (values == one->arms.end() || values->second.empty()) continue;
        Step& step = steps[{one->kernel, one->shape}];
        const std::int64_t seen = values->second.front().first_seen;
        step.first_seen = step.series.empty() ? seen : std::min(step.first_seen, seen);
        step.launched = {one->kernel, one->shape};
        step.series.push_back(one);
    }
    std::vector<Step> out;
    for (auto& [key, step] : steps) out.push_back(std::move(step));
    std::stable_sort(out.begin(), out.end(),
                     [](const Step& x, const Step& y) { return x.first_seen < y.first_seen; });
    return out;
}

std::vector<Launched> launched(const std::vector<Step>& steps) {
    std::vector<Launched> out;
    for (const Step& step : steps) out.push_back(step.launched);
    return out;
}

// Names and shapes of one side of an alignment, and its times into the line.
void take_side(const std::vector<Step>& steps,
               const std::vector<std::size_t>& indices,
               const std::string& arm,
               bool is_a,
               Line& line,
               std::string& name,
               std::string& shape) {
    for (const std::size_t i : indices) {
        name += (name.empty() ? "" : " + ") + steps[i].launched.name;
        if (!steps[i].launched.shape.empty())
            shape += (shape.empty() ? "" : " + ") + steps[i].launched.shape;
        for (const KernelSeries* one : steps[i].series) {
            line.row.role = one->role;
            add(*one, is_a ? arm : "", is_a ? "" : arm, line);
        }
    }
}

Line line_of(const Aligned& group,
             const std::vector<Step>& of_a,
             const std::vector<Step>& of_b,
             const std::string& a,
             const std::string& b) {
    Line line;
    std::string name_b, shape_b;
    take_side(of_b, group.b, b, false, line, name_b, shape_b);
    take_side(of_a, group.a, a, true, line, line.row.kernel, line.row.shape);
    line.row.match = group.match;
    if (group.a.empty()) {
        line.row.kernel = name_b;
        line.row.shape = shape_b;
        return line;
    }
    if (!group.b.empty() && name_b != line.row.kernel) line.row.kernel_b = name_b;
    if (!group.b.empty() && shape_b != line.row.shape) line.row.shape_b = shape_b;
    return line;
}

using Place = std::pair<std::string, std::string>;  // phase, path or op
using Places = std::map<Place, std::vector<const KernelSeries*>>;

Places places_of(const std::vector<KernelSeries>& series, std::string KernelSeries::*place) {
    Places out;
    for (const KernelSeries& one : series) out[{one.phase, one.*place}].push_back(&one);
    return out;
}

std::vector<BlameRow> kernel_rows(const std::vector<KernelSeries>& series,
                                  const std::string& a,
                                  const std::string& b,
                                  std::string KernelSeries::*place,
                                  const std::set<int>& rounds) {
    std::vector<BlameRow> rows;
    for (const auto& [where, all] : places_of(series, place)) {
        const auto of_a = steps_of(all, a), of_b = steps_of(all, b);
        for (const Aligned& group : align(launched(of_a), launched(of_b))) {
            Line line = line_of(group, of_a, of_b, a, b);
            line.row.phase = where.first;
            line.row.path = where.second;
            rows.push_back(finished(line, rounds));
        }
    }
    set_q(rows, static_cast<int>(rounds.size()));
    return rows;
}

// However kernels were aligned, the total of their path is one number.
std::vector<BlameRow> path_rows(const std::vector<KernelSeries>& series,
                                const std::string& a,
                                const std::string& b,
                                const std::vector<BlameRow>& kernels,
                                const std::set<int>& rounds) {
    std::map<Place, int> lines;
    for (const BlameRow& row : kernels) ++lines[{row.phase, row.path}];
    std::vector<BlameRow> rows;
    for (const auto& [where, all] : places_of(series, &KernelSeries::family)) {
        if (lines[where] < 2) continue;
        Line line;
        line.row.phase = where.first;
        line.row.path = where.second;
        for (const KernelSeries* one : all) add(*one, a, b, line);
        rows.push_back(finished(line, rounds));
    }
    return rows;
}

std::vector<UnsteadyKernel> unsteady_kernels(const std::vector<KernelSeries>& series,
                                             const std::string& a,
                                             const std::string& b) {
    std::map<std::string, std::set<int>> rounds;  // by arm
    for (const KernelSeries& one : series)
        for (const auto& [arm, values] : one.arms)
            for (const KernelSeries::Value& value : values) rounds[arm].insert(value.round);
    std::vector<UnsteadyKernel> out;
    for (const KernelSeries& one : series)
        for (const auto& [arm, values] : one.arms) {
            std::set<int> seen;
            for (const KernelSeries::Value& value : values) seen.insert(value.round);
            if ((arm == a || arm == b) && seen.size() < rounds[arm].size())
                out.push_back({arm, one.path, one.kernel, static_cast<int>(seen.size()),
                               static_cast<int>(rounds[arm].size())});
        }
    return out;
}

}  // namespace

Blame find_blame(const std::vector<KernelSeries>& series,
                 const std::string& a,
                 const std::string& b) {
    const std::set<int> rounds = rounds_of(series, a, b);
    Blame out;
    out.roles = finished(role_lines(series, a, b), rounds);
    set_q(out.roles, static_cast<int>(rounds.size()));
    rank(out.roles);
    out.kernels = kernel_rows(series, a, b, &KernelSeries::family, rounds);
    out.paths = path_rows(series, a, b, out.kernels, rounds);
    out.unsteady = unsteady_kernels(series, a, b);
    // A path that is an op by itself stands there already.
    for (BlameRow& row : kernel_rows(series, a, b, &KernelSeries::path, rounds)) {
        const bool stands_there =
            std::any_of(out.kernels.begin(), out.kernels.end(), [&](const BlameRow& op) {
                return op.path == row.path && op.kernel == row.kernel && op.shape == row.shape;
            });
        row.whole_op = false;
        if (!stands_there) out.kernels.push_back(std::move(row));
    }
    rank(out.kernels);
    rank(out.paths);
    return out;
}

}  // namespace reports::compare
