// SPDX-License-Identifier: Apache-2.0
#include "tests/reports/stats/series.h"

#include <cmath>
#include <random>

#include "reports/stats/block_order.h"
#include "reports/stats/sequential_plan.h"

namespace fakes {

namespace {

using reports::stats::OrderedRound;
using reports::stats::Verdict;

// Log time of each slot apart from the arm's own, unit: standard deviations of a slot.
class Slots {
  public:
    Slots(Noise noise, std::uint64_t seed)
        : noise_(noise), random_(seed * 2 + 1), phase_(seed % 4) {}

    double next() {
        const double step = normal_(random_);
        const auto slot = slot_++;
        switch (noise_) {
            case Noise::normal:
                return step;
            case Noise::t3:
                return t3_(random_) / std::sqrt(3.0);
            case Noise::spikes:
                return step + (random_() % 20 == 0 ? 10 : 0);
            case Noise::drift:
                return step + 0.3 * static_cast<double>(slot);
            case Noise::autoregressive:
                return state_ = 0.9 * state_ + std::sqrt(0.19) * step;
            case Noise::position:
                return step + (slot % 2 == 1 ? 3 : 0);
            case Noise::period_4:
                return step + ((slot + phase_) % 4 == 0 ? 3 : 0);
        }
        return step;
    }

  private:
    Noise noise_;
    std::mt19937_64 random_;
    std::uint64_t phase_;
    std::normal_distribution<double> normal_;
    std::student_t_distribution<double> t3_{3};
    double state_ = 0;
    std::uint64_t slot_ = 0;
};

void count(Tally& tally, Verdict verdict) {
    tally.improved += verdict == Verdict::improved;
    tally.same += verdict == Verdict::same;
    tally.regressed += verdict == Verdict::regressed;
    tally.inconclusive += verdict == Verdict::inconclusive;
}

}  // namespace

std::string name(Noise noise) {
    switch (noise) {
        case Noise::normal:
            return "normal";
        case Noise::t3:
            return "Student t, 3 degrees of freedom";
        case Noise::spikes:
            return "normal, 5 % of trials 10 sigma slower";
        case Noise::drift:
            return "normal, 0.3 sigma slower every trial";
        case Noise::autoregressive:
            return "AR(0.9) over trials";
        case Noise::position:
            return "normal, second of a round 3 sigma slower";
        case Noise::period_4:
            return "normal, every 4th trial 3 sigma slower";
    }
    return {};
}

std::vector<OrderedRound> draw_series(const Cell& cell, std::uint64_t seed, int rounds) {
    Slots slots(cell.noise, seed);
    const double of_slot = cell.sigma / std::sqrt(2.0);
    std::vector<OrderedRound> out;
    for (int round = 0; round < rounds; ++round) {
        const bool a_first = reports::stats::arm_order(seed, 2, round)[0] == 0;
        const double first = slots.next(), second = slots.next();
        const double b_minus_a = a_first ? second - first : first - second;
        out.push_back(
            {cell.slower + of_slot * b_minus_a, a_first, cell.order_known ? round / 2 : -1});
    }
    return out;
}

Tally simulate(const Cell& cell, int series) {
    const auto plans = reports::stats::plans_for(reports::stats::default_looks, cell.gated);
    Tally tally{.series = series};
    for (int i = 0; i < series; ++i) {
        bool all_same = true, any_regressed = false;
        for (int metric = 0; metric < cell.gated; ++metric) {
            const auto seed =
                static_cast<std::uint64_t>(i) * 8 + static_cast<std::uint64_t>(metric);
            const auto decision = reports::stats::decide(
                draw_series(cell, seed, plans.same.most_rounds()), plans, cell.margin);
            all_same = all_same && decision.verdict == Verdict::same;
            any_regressed = any_regressed || decision.verdict == Verdict::regressed;
            if (metric > 0) continue;
            count(tally, *decision.verdict);
            tally.rounds += decision.rounds / static_cast<double>(series);
        }
        tally.all_same += all_same;
        tally.any_regressed += any_regressed;
    }
    return tally;
}

}  // namespace fakes
