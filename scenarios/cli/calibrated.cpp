// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/calibrated.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "reports/compare/calibrate.h"
#include "reports/store/calibrations.h"
#include "scenarios/cli/context.h"
#include "scenarios/run/machine.h"

namespace scenarios::cli {

namespace {

std::string why_uncalibrated(const reports::Store& store,
                             const plan::Scenario& scenario,
                             const std::string& machine_class) {
    const auto other = reports::other_calibration(store, scenario.name);
    if (!other) return "uncalibrated";
    const std::string of =
        other->machine_class != machine_class ? "machine class " + other->machine_class
        : other->backend != scenario.backend  ? "backend " + other->backend
                                              : std::string("another text of the scenario");
    return fmt::format("uncalibrated: what was {} is of {}, so it is not used",
                       reports::compare::calibration_words(*other), of);
}

}  // namespace

Calibrated find_calibrated(const reports::Store& store, const plan::Scenario& scenario) {
    const std::string machine_class = run::observe_machine().machine_class;
    Calibrated out{.calibration = reports::find_calibration(
                       store, machine_class, plan::identity(scenario), scenario.backend),
                   .words = {}};
    out.words = out.calibration ? reports::compare::calibration_words(*out.calibration)
                                : why_uncalibrated(store, scenario, machine_class);
    return out;
}

std::optional<double> honest_margin_of(const Calibrated& calibrated,
                                       const std::string& metric,
                                       const std::vector<int>& looks,
                                       int gated) {
    constexpr double least = 1e-4;
    if (!calibrated.calibration) return std::nullopt;
    for (const reports::CalibratedMetric& one : calibrated.calibration->metrics) {
        if (one.key != metric) continue;
        const auto honest =
            reports::compare::honest_margin(*calibrated.calibration, one, looks, gated);
        if (honest) return std::max(*honest, least);
    }
    return std::nullopt;
}

void refuse_dishonest_margins(const Calibrated& calibrated,
                              const std::vector<plan::Metric>& metrics,
                              const std::vector<int>& looks) {
    if (!calibrated.calibration) return;
    reports::compare::Margins margins;
    for (const plan::Metric& metric : metrics) margins[metric.name] = metric.margin;
    const auto small = reports::compare::margins_too_small(*calibrated.calibration, margins, looks);
    if (!small.empty()) throw UsageError(fmt::format("{}", fmt::join(small, "\n")));
}

}  // namespace scenarios::cli
