// SPDX-License-Identifier: Apache-2.0
// Whether margins ask for more than a calibrated machine can tell.
#include <cmath>

#include <fmt/format.h>

#include "reports/compare/calibrate.h"
#include "reports/stats/honest_margin.h"

namespace reports::compare {
namespace {

std::optional<double> under_another_plan(const Calibration& calibration,
                                         const CalibratedMetric& metric,
                                         const std::vector<int>& looks,
                                         int gated) {
    std::vector<stats::OrderedRound> rounds;
    for (const CalibrationRound& one : metric.rounds)
        rounds.push_back({one.worse, one.a_first, one.block});
    const auto honest = stats::honest_margin(rounds, {.plans = stats::plans_for(looks, gated),
                                                      .seed = calibration.plan.seed,
                                                      .series = calibration.plan.series,
                                                      .goal = calibration.plan.goal,
                                                      .detect = false});
    if (!honest) return std::nullopt;
    return std::expm1(honest->margin);
}

std::string percent_above(double share) {
    return fmt::format("{:.2f}%", std::ceil(share * 1e4) / 100);
}

std::string too_small(const Calibration& calibration,
                      const CalibratedMetric& metric,
                      double margin,
                      double honest) {
    return fmt::format(
        "{}: the margin of {:g} % is smaller than the honest margin of {:.2f} %, which machine "
        "class {} had for scenario {} when it was {}: a program compared with itself would be "
        "called inconclusive more often than one time in {:.0f}. Raise the margin (--margin "
        "{}={}), "
        "give more rounds (--rounds), or quieten the machine and calibrate again (tare calibrate "
        "{})",
        metric.name, 100 * margin, 100 * honest, calibration.machine_class, calibration.scenario,
        calibration_words(calibration), 1 / (1 - calibration.plan.goal), metric.key,
        percent_above(honest), calibration.scenario);
}

}  // namespace

int gated(const Calibration& calibration, const Margins& margins) {
    int out = 0;
    for (const CalibratedMetric& metric : calibration.metrics)
        out += static_cast<int>(margins.count(metric.key));
    return out;
}

std::optional<double> honest_margin(const Calibration& calibration,
                                    const CalibratedMetric& metric,
                                    const std::vector<int>& looks,
                                    int gated) {
    if (metric.rounds.empty() || looks.empty()) return std::nullopt;
    if (looks == calibration.plan.looks && gated == calibration.plan.gated)
        return metric.honest_margin;
    return under_another_plan(calibration, metric, looks, gated);
}

std::vector<std::string> margins_too_small(const Calibration& calibration,
                                           const Margins& margins,
                                           const std::vector<int>& looks) {
    std::vector<std::string> out;
    const int all = gated(calibration, margins);
    for (const CalibratedMetric& metric : calibration.metrics) {
        const auto found = margins.find(metric.key);
        if (found == margins.end()) continue;
        const auto honest = honest_margin(calibration, metric, looks, all);
        if (honest && found->second < *honest)
            out.push_back(too_small(calibration, metric, found->second, *honest));
    }
    return out;
}

std::string calibration_words(const Calibration& calibration) {
    return fmt::format("calibrated {} from {} rounds{}", calibration.calibrated_utc,
                       calibration.rounds,
                       calibration.run ? fmt::format(" (run {})", *calibration.run) : "");
}

}  // namespace reports::compare
