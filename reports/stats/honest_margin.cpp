// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/honest_margin.h"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <map>
#include <stdexcept>
#include <vector>

#include "reports/stats/decision.h"
#include "reports/stats/draws.h"

namespace reports::stats {
namespace {

using Series = std::vector<OrderedRound>;

// Whole blocks, in order.
std::vector<Series> blocks_of(std::span<const OrderedRound> rounds) {
    std::map<int, Series> by_number;
    for (const OrderedRound& round : rounds)
        if (round.block >= 0) by_number[round.block].push_back(round);
    std::vector<Series> out;
    for (auto& [number, block] : by_number)
        if (block.size() == 2 && block[0].a_first != block[1].a_first) out.push_back(block);
    return out;
}

// `swapped`: the other arm gets the name A.
void append(Series& series, const Series& block, bool swapped) {
    const int number = static_cast<int>(series.size() / 2);
    for (const OrderedRound& round : block)
        series.push_back({.worse = swapped ? -round.worse : round.worse,
                          .a_first = round.a_first != swapped,
                          .block = number});
}

std::vector<Series> draw_series(const std::vector<Series>& blocks,
                                const CalibrationSetting& setting) {
    const auto length = static_cast<std::size_t>(setting.plans.same.most_rounds());
    std::vector<Series> out(static_cast<std::size_t>(setting.series));
    for (std::size_t i = 0; i < out.size(); ++i) {
        Draws draws(setting.seed, i);
        while (out[i].size() < length) {
            const Series& block = blocks[draws.below(blocks.size())];
            append(out[i], block, draws.coin());
        }
    }
    return out;
}

Series slower(Series series, double by) {
    for (OrderedRound& round : series) round.worse += by;
    return series;
}

double share(const std::vector<Series>& all,
             const Plans& plans,
             double margin,
             Verdict verdict,
             double slowdown) {
    const auto hits = std::count_if(all.begin(), all.end(), [&](const Series& series) {
        return decide(slower(series, slowdown), plans, margin).verdict == verdict;
    });
    return static_cast<double>(hits) / static_cast<double>(all.size());
}

// The least upper end over the looks: any margin above it gives "same", unless a change was called
// before or a position effect is corrected. So it is where the search begins.
double least_upper(const Series& series, const SequentialPlan& plan) {
    double least = std::numeric_limits<double>::infinity();
    for (const Look& look : plan.looks) {
        const auto first = std::span(series).first(static_cast<std::size_t>(look.rounds));
        const auto interval = walsh_interval(walsh_averages(values_of(first)), look.c, look.tail);
        if (interval) least = std::min(least, interval->hi);
    }
    return least;
}

double first_guess(const std::vector<Series>& all, const SequentialPlan& plan, double goal) {
    std::vector<double> least;
    for (const Series& series : all) least.push_back(least_upper(series, plan));
    const auto rank = static_cast<std::size_t>(std::ceil(goal * static_cast<double>(least.size())));
    const auto at = least.begin() + static_cast<std::ptrdiff_t>(std::max<std::size_t>(rank, 1) - 1);
    std::nth_element(least.begin(), at, least.end());
    return *at;
}

double least_slowdown(const std::vector<Series>& all,
                      const CalibrationSetting& setting,
                      double margin) {
    const auto seen = [&](double slowdown) {
        return share(all, setting.plans, margin, Verdict::regressed, slowdown) >= setting.goal;
    };
    double missed = margin, found = 2 * margin;
    while (!seen(found)) missed = found, found *= 2;
    while (found - missed > 0.01 * margin) {
        const double middle = (found + missed) / 2;
        (seen(middle) ? found : missed) = middle;
    }
    return found;
}

bool can_call_change(const Plans& plans) {
    return std::any_of(plans.change.looks.begin(), plans.change.looks.end(),
                       [](const Look& look) { return look.c >= 0; });
}

void check(const CalibrationSetting& setting) {
    if (setting.series < 1 || !(setting.goal > 0 && setting.goal < 1))
        throw std::invalid_argument("a calibration needs series, and a goal between 0 and 1");
}

double deviation(const std::vector<Series>& blocks) {
    double sum = 0, squares = 0, n = 0;
    for (const Series& block : blocks)
        for (const OrderedRound& round : block) {
            sum += round.worse;
            squares += round.worse * round.worse;
            ++n;
        }
    return std::sqrt(std::max(0.0, (squares - sum * sum / n) / (n - 1)));
}

bool called_regressed(const Series& series, const Plans& plans, double margin) {
    return decide(series, plans, margin).verdict == Verdict::regressed;
}

}  // namespace

std::optional<HonestMargin> honest_margin(std::span<const OrderedRound> rounds,
                                          const CalibrationSetting& setting) {
    check(setting);
    const auto blocks = blocks_of(rounds);
    HonestMargin out{.rounds = static_cast<int>(2 * blocks.size())};
    if (out.rounds < least_calibration_rounds) return std::nullopt;
    out.sigma = deviation(blocks);
    const auto all = draw_series(blocks, setting);
    const double goal = std::pow(setting.goal, 1.0 / setting.plans.gated);
    const double guess = first_guess(all, setting.plans.same, goal);
    if (!std::isfinite(guess)) return std::nullopt;  // the plan has no interval at any look
    if (guess <= 0) {
        out.detected = 0;
        return out;
    }
    out.margin = guess * (1 + 1e-9);  // "same" needs the upper end below the margin, not at it
    while (share(all, setting.plans, out.margin, Verdict::same, 0) < goal) out.margin *= 1.01;
    if (setting.detect && can_call_change(setting.plans))
        out.detected = least_slowdown(all, setting, out.margin);
    return out;
}

std::optional<FalseAlarms> false_alarms(std::span<const OrderedRound> rounds,
                                        double margin,
                                        const CalibrationSetting& setting) {
    check(setting);
    const auto blocks = blocks_of(rounds);
    const auto length = static_cast<std::size_t>(setting.plans.same.most_rounds()) / 2;
    if (length == 0 || blocks.size() < length) return std::nullopt;
    FalseAlarms out{.resampled = setting.series, .whole = static_cast<int>(blocks.size() / length)};
    const auto comparison = [&](std::size_t which, auto&& swapped) {
        Series series;
        for (std::size_t i = 0; i < length; ++i)
            append(series, blocks[which * length + i], swapped());
        return called_regressed(series, setting.plans, margin);
    };
    for (std::size_t which = 0; which < static_cast<std::size_t>(out.whole); ++which)
        out.whole_alarms += comparison(which, [] { return false; });
    for (int i = 0; i < out.resampled; ++i) {
        Draws draws(setting.seed, static_cast<std::uint64_t>(i));
        const auto which = draws.below(static_cast<std::uint64_t>(out.whole));
        out.resampled_alarms += comparison(which, [&] { return draws.coin(); });
    }
    return out;
}

}  // namespace reports::stats
