// SPDX-License-Identifier: Apache-2.0
// tare.calibration/1.
#include <nlohmann/json.hpp>

#include "reports/render/calibration.h"
#include "reports/render/json.h"

namespace reports::render {
namespace {

using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json(nullptr);
}

json alarms_json(const std::optional<FalseAlarmCount>& alarms) {
    if (!alarms) return nullptr;
    return {{"margin", number(alarms->margin)},
            {"resampled", alarms->resampled},
            {"resampled_alarms", alarms->resampled_alarms},
            {"whole", alarms->whole},
            {"whole_alarms", alarms->whole_alarms}};
}

json metric_json(const CalibratedMetric& metric) {
    json one = {{"name", metric.name},
                {"metric", metric.key},
                {"unit", metric.unit},
                {"direction", name(metric.direction)},
                {"rounds", metric.rounds.size()},
                {"is_honest", or_null(is_honest(metric))},
                {"false_alarms", alarms_json(metric.alarms)},
                {"reason", metric.reason.empty() ? json(nullptr) : json(metric.reason)}};
    put(one, "value", Figure(metric.values));
    put(one, "sigma", metric.sigma);
    put(one, "honest_margin", metric.honest_margin);
    put(one, "detected", metric.detected);
    put(one, "margin", metric.margin);
    return one;
}

json plan_json(const Calibration& calibration) {
    return {{"looks", calibration.plan.looks},
            {"gated_metrics", calibration.plan.gated},
            {"goal", calibration.plan.goal},
            {"series", calibration.plan.series},
            {"seed", calibration.plan.seed}};
}

json counts_json(const Calibration& calibration) {
    json list = json::array();
    for (const CalibratedCount& count : calibration.counts) {
        json one = {
            {"name", count.name}, {"unit", count.unit}, {"constant", count.value.has_value()}};
        put(one, "value", count.value);
        list.push_back(std::move(one));
    }
    return list;
}

json kernels_json(const Calibration& calibration) {
    json list = json::array();
    for (const CalibratedKernel& one : calibration.kernels)
        list.push_back({{"phase", one.phase},
                        {"path", one.path},
                        {"kernel", one.kernel},
                        {"rounds", one.rounds},
                        {"median_ns", number(one.median_ns)},
                        {"sigma", number(one.sigma)}});
    return list;
}

}  // namespace

std::string calibration_json(const Calibration& calibration) {
    json metrics = json::array();
    for (const CalibratedMetric& one : calibration.metrics) metrics.push_back(metric_json(one));
    const bool valid = calibration.reasons.empty();
    const json whole = {{"schema", "tare.calibration/1"},
                        {"run", or_null(calibration.run)},
                        {"calibrated_utc", calibration.calibrated_utc},
                        {"machine_class", calibration.machine_class},
                        {"scenario", calibration.scenario},
                        {"scenario_sha256", calibration.scenario_sha256},
                        {"backend", calibration.backend},
                        {"arm", calibration.arm},
                        {"build",
                         {{"commit", or_null(calibration.commit)},
                          {"dirty_diff_sha256", or_null(calibration.dirty_diff_sha256)},
                          {"binary_sha256", calibration.binary_sha256}}},
                        {"rounds", calibration.rounds},
                        {"profiled_rounds", calibration.profiled_rounds},
                        {"replaced_rounds", calibration.replaced_rounds},
                        {"plan", plan_json(calibration)},
                        {"metrics", std::move(metrics)},
                        {"kernels", kernels_json(calibration)},
                        {"counts", counts_json(calibration)},
                        {"tokens_repeat", or_null(calibration.tokens_repeat)},
                        {"valid", valid},
                        {"reasons", calibration.reasons},
                        {"exit_code", valid ? 0 : 4}};
    return whole.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace reports::render
