// SPDX-License-Identifier: Apache-2.0
// Pairs what two reports have in common.
#include "reports/render/comparison.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <stdexcept>

#include "reports/records/tokens.h"
#include "reports/render/text.h"
#include "reports/stats/summary.h"

namespace reports::render {
namespace {

const PhaseRow* find_timed(const Report& report, const std::string& phase) {
    for (const PhaseRow& row : report.phases) {
        if (row.phase == phase && row.mode == Mode::timed) return &row;
    }
    return nullptr;
}

MetricPair pair(std::string name, const char* unit, Direction direction, Figure a, Figure b) {
    MetricPair out{.name = std::move(name), .unit = unit, .direction = direction, .a = a, .b = b};
    if (a && b) out.ratio = stats::ratio(b->median, a->median);
    return out;
}

// Of another unit or direction it is another metric.
const MetricRow* find_metric(const Report& report, const MetricRow& like) {
    for (const MetricRow& row : report.metrics)
        if (row.name == like.name && row.unit == like.unit && row.direction == like.direction)
            return &row;
    return nullptr;
}

std::vector<MetricPair> pair_metrics(const Report& a, const Report& b) {
    std::vector<MetricPair> out;
    for (const PhaseRow& row : a.phases) {
        if (row.mode != Mode::timed) continue;
        const PhaseRow* other = find_timed(b, row.phase);
        out.push_back(pair(row.phase + ".wall_ns", "ns", Direction::lower, row.wall_ns,
                           other ? other->wall_ns : Figure{}));
        out.push_back(pair(row.phase + ".tokens_per_s", "tokens/s", Direction::higher,
                           row.tokens_per_s, other ? other->tokens_per_s : Figure{}));
    }
    for (const MetricRow& row : a.metrics)
        if (const MetricRow* other = find_metric(b, row))
            out.push_back(pair(row.name, row.unit.c_str(), row.direction, row.value, other->value));
    if (a.metrics.empty())  // a command generates no token
        out.push_back(
            pair("cold_start_ns", "ns", Direction::lower, a.cold_start_ns, b.cold_start_ns));
    return out;
}

// `rows` are a report's ops, or its roles.
std::vector<KernelPair> pair_kernels(const Report& a,
                                     const Report& b,
                                     std::vector<KernelRow> Report::*rows) {
    std::map<std::pair<std::string, std::string>, KernelPair> pairs;
    const auto gather = [&](const Report& report, std::optional<double> KernelPair::*side) {
        for (const KernelRow& row : report.*rows) {
            const std::string path = row.path.empty() ? row.phase + "/" + row.role : row.path;
            KernelPair& both = pairs[{path, row.kernel}];
            both.path = path;
            both.kernel = row.kernel;
            both.*side = (both.*side).value_or(0) + middle(row.total_ns).value_or(0);
        }
    };
    gather(a, &KernelPair::a_ns);
    gather(b, &KernelPair::b_ns);
    std::vector<KernelPair> out;
    for (auto& [key, both] : pairs) {
        both.delta_ns = both.b_ns.value_or(0) - both.a_ns.value_or(0);
        out.push_back(std::move(both));
    }
    std::stable_sort(out.begin(), out.end(), [](const KernelPair& x, const KernelPair& y) {
        return std::abs(x.delta_ns) > std::abs(y.delta_ns);
    });
    return out;
}

std::vector<CountPair> pair_counts(const Report& a, const Report& b) {
    std::map<std::string, CountPair> pairs;
    for (const CountRow& row : a.counts)
        pairs[row.name] = {row.name, row.unit, row.value, {}, row.exact};
    for (const CountRow& row : b.counts) {
        CountPair& both = pairs[row.name];
        both.exact = row.exact && (both.exact || !both.a);
        both.name = row.name;
        both.unit = row.unit;
        both.b = row.value;
    }
    std::vector<CountPair> out;
    for (auto& [name, both] : pairs) out.push_back(std::move(both));
    return out;
}

}  // namespace

Comparison compare_reports(const Report& a, const Report& b) {
    if (a.scenario.sha256 != b.scenario.sha256) {
        throw std::invalid_argument(fmt::format(
            "run {} is of scenario {} ({}), run {} of {} ({}): results of different scenario "
            "identities are not compared; measure both with the same scenario file and arguments",
            a.run.id, a.scenario.name, short_hash(a.scenario.sha256), b.run.id, b.scenario.name,
            short_hash(b.scenario.sha256)));
    }
    Comparison out{.a = a,
                   .b = b,
                   .metrics = pair_metrics(a, b),
                   .roles = pair_kernels(a, b, &Report::roles),
                   .kernels = pair_kernels(a, b, &Report::ops),
                   .counts = pair_counts(a, b)};
    out.tokens = compare_tokens(a, b);
    return out;
}

std::vector<Comparison> compare_by_arm(const Report& a, const Report& b) {
    std::vector<Comparison> out;
    for (const Report* of_a : arms_of(a)) {
        for (const Report* of_b : arms_of(b)) {
            if (of_a->arm.name == of_b->arm.name) out.push_back(compare_reports(*of_a, *of_b));
        }
    }
    if (out.empty()) {
        throw std::invalid_argument(fmt::format(
            "run {} (arms {}) and run {} (arms {}) have no arm "
            "in common",
            a.run.id, fmt::join(a.all_arms, ", "), b.run.id, fmt::join(b.all_arms, ", ")));
    }
    return out;
}

Comparison compare_arms(const Report& a, const Report& b) {
    Comparison out = compare_reports(a, b);
    out.a_name = a.arm.name;
    out.b_name = b.arm.name;
    out.why_no_verdict = no_verdict_of_arms;
    return out;
}

}  // namespace reports::render
