// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/blame.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

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
    if (!row.a_ns) row.match = Match::added;
    if (!row.b_ns) row.match = Match::gone;
    return row;
}

std::vector<BlameRow> finished(const Lines& lines, const std::set<int>& rounds) {
    std::vector<BlameRow> rows;
    for (const auto& [key, line] : lines) rows.push_back(finished(line, rounds));
    return rows;
}

// Within one path: what is left of A beside what is left of B is the same work by other kernels.
// Their sum is one line, named by both sides.
void merge_leftovers(std::vector<const Line*> gone,
                     std::vector<const Line*> added,
                     Lines& lines,
                     std::map<Key, Match>& matches) {
    Line merged = *gone[0];
    for (std::size_t i = 1; i < gone.size(); ++i) {
        merged.row.kernel += " + " + gone[i]->row.kernel;
        for (const auto& [round, ns] : gone[i]->a_ns) merged.a_ns[round] += ns;
        for (const auto& [round, calls] : gone[i]->a_calls) merged.a_calls[round] += calls;
    }
    for (const Line* line : added) {
        merged.row.kernel_b += (merged.row.kernel_b.empty() ? "" : " + ") + line->row.kernel;
        for (const auto& [round, ns] : line->b_ns) merged.b_ns[round] += ns;
        for (const auto& [round, calls] : line->b_calls) merged.b_calls[round] += calls;
    }
    merged.row.match = added.size() > gone.size()   ? Match::split
                       : added.size() < gone.size() ? Match::fused
                                                    : Match::renamed;
    const auto key_of = [](const Line& line) {
        return Key{line.row.phase, line.row.path, line.row.kernel};
    };
    std::vector<Key> old;
    for (const Line* line : gone) old.push_back(key_of(*line));
    for (const Line* line : added) old.push_back(key_of(*line));
    for (const Key& key : old) lines.erase(key);
    const Key key = key_of(merged);
    matches[key] = merged.row.match;
    lines.emplace(key, std::move(merged));
}

std::map<Key, Match> match_renamed(Lines& lines) {
    std::map<std::pair<std::string, std::string>,
             std::pair<std::vector<const Line*>, std::vector<const Line*>>>
        leftovers;  // by phase and path
    for (const auto& [key, line] : lines) {
        auto& [gone, added] = leftovers[{line.row.phase, line.row.path}];
        if (line.b_ns.empty()) gone.push_back(&line);
        if (line.a_ns.empty()) added.push_back(&line);
    }
    std::map<Key, Match> matches;
    for (const auto& [place, sides] : leftovers)
        if (!sides.first.empty() && !sides.second.empty())
            merge_leftovers(sides.first, sides.second, lines, matches);
    return matches;
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

Lines kernel_lines(const std::vector<KernelSeries>& series,
                   const std::string& a,
                   const std::string& b,
                   std::string KernelSeries::*place) {
    Lines lines;
    for (const KernelSeries& one : series) {
        Line& line = lines[{one.phase, one.*place, one.kernel}];
        line.row.phase = one.phase;
        line.row.role = one.role;
        line.row.path = one.*place;
        line.row.kernel = one.kernel;
        add(one, a, b, line);
    }
    return lines;
}

std::vector<BlameRow> kernel_rows(const std::vector<KernelSeries>& series,
                                  const std::string& a,
                                  const std::string& b,
                                  std::string KernelSeries::*place,
                                  const std::set<int>& rounds) {
    Lines lines = kernel_lines(series, a, b, place);
    const auto matches = match_renamed(lines);
    std::vector<BlameRow> rows = finished(lines, rounds);
    for (BlameRow& row : rows) {
        const auto found = matches.find({row.phase, row.path, row.kernel});
        if (found != matches.end()) row.match = found->second;
    }
    set_q(rows, static_cast<int>(rounds.size()));
    return rows;
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
    // A path that is an op by itself stands there already.
    for (BlameRow& row : kernel_rows(series, a, b, &KernelSeries::path, rounds)) {
        const bool stands_there = std::any_of(
            out.kernels.begin(), out.kernels.end(),
            [&](const BlameRow& op) { return op.path == row.path && op.kernel == row.kernel; });
        row.whole_op = false;
        if (!stands_there) out.kernels.push_back(std::move(row));
    }
    rank(out.kernels);
    return out;
}

}  // namespace reports::compare
