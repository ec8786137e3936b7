// SPDX-License-Identifier: Apache-2.0
// tare.compare/1 of a comparison with verdicts.
#include <nlohmann/json.hpp>

#include "reports/render/json.h"
#include "reports/render/verdict.h"

namespace reports::render {

using nlohmann::json;

namespace {

json text_or_null(const std::optional<std::string>& text) {
    return text ? json(*text) : json(nullptr);
}

void put_interval(json& object, const std::optional<ChangeInterval>& interval) {
    object["lo"] = interval ? number(interval->lo) : json(nullptr);
    object["hi"] = interval ? number(interval->hi) : json(nullptr);
    object["level"] = interval ? number(interval->level) : json(nullptr);
}

json rounds_json(const std::vector<double>& values) {
    json list = json::array();
    for (const double value : values) list.push_back(number(value));
    return list;
}

json order_json(const std::vector<RoundOrder>& order) {
    json list = json::array();
    for (const RoundOrder& one : order)
        list.push_back({{"round", one.round}, {"a_first", one.a_first}});
    return list;
}

json metric_json(const MetricVerdict& metric) {
    json one = {{"name", metric.name},
                {"unit", metric.unit},
                {"direction", name(metric.direction)},
                {"n", metric.rounds},
                {"look", metric.look},
                {"looks", metric.looks},
                {"position_corrected", metric.position_corrected},
                {"verdict", metric.verdict ? json(name(*metric.verdict)) : json(nullptr)},
                {"reason", metric.reason},
                {"a_rounds", rounds_json(metric.a_rounds)},
                {"b_rounds", rounds_json(metric.b_rounds)},
                {"order", order_json(metric.order)}};
    put(one, "a", metric.a);
    put(one, "b", metric.b);
    put(one, "ratio", metric.ratio);
    put(one, "median_ratio", metric.median_ratio);
    put_interval(one, metric.interval);
    put(one, "margin", metric.margin);
    put(one, "signed_rank_p", metric.signed_rank_p);
    put(one, "sign_p", metric.sign_p);
    put(one, "second_costs", metric.second_costs);
    return one;
}

json blame_json(const BlameRow& row) {
    json one = {{"phase", row.phase},
                {"path", row.path.empty() ? row.phase + "/" + row.role : row.path},
                {"kernel", row.kernel},
                {"role", row.role},
                {"whole_op", row.whole_op},
                {"match", name(row.match)},
                {"delta_ns", number(row.delta_ns)}};
    if (!row.kernel_b.empty()) one["kernel_b"] = row.kernel_b;
    if (!row.shape.empty()) one["launch_shape"] = row.shape;
    if (!row.shape_b.empty()) one["launch_shape_b"] = row.shape_b;
    put_interval(one, row.interval);
    put(one, "a_ns", row.a_ns);
    put(one, "b_ns", row.b_ns);
    put(one, "a_calls", row.a_calls);
    put(one, "b_calls", row.b_calls);
    put(one, "p", row.p);
    put(one, "q", row.q);
    return one;
}

json unsteady_json(const UnsteadyKernel& one) {
    return {{"arm", one.arm},
            {"path", one.path},
            {"kernel", one.kernel},
            {"seen", one.seen},
            {"rounds", one.rounds}};
}

json waterfall_json(const Waterfall& waterfall) {
    json rows = json::array();
    for (const Waterfall::Row& row : waterfall.rows) {
        json one = {{"name", row.name}, {"delta_ns", number(row.delta_ns)}};
        put_interval(one, row.interval);
        rows.push_back(std::move(one));
    }
    return {{"phase", waterfall.phase},
            {"wall_ns", number(waterfall.wall_ns)},
            {"rows", rows},
            {"rest_ns", number(waterfall.rest_ns)},
            {"profiling_changed_the_answer", waterfall.profiling_changed_the_answer}};
}

json tokens_json(const TokenVerdict& tokens) {
    json object = {{"identical", tokens.identical ? json(*tokens.identical) : json(nullptr)},
                   {"a_repeats", tokens.a_repeats},
                   {"b_repeats", tokens.b_repeats},
                   {"agreement", tokens.identical ? number(tokens.agreement) : json(nullptr)},
                   {"first_divergence", nullptr}};
    if (const auto& at = tokens.first_divergence) {
        json& one =
            object["first_divergence"] = {{"request", at->request}, {"position", at->position}};
        put(one, "margin", at->margin);
        one["a_token"] = at->a_token ? json(*at->a_token) : json(nullptr);
        one["b_token"] = at->b_token ? json(*at->b_token) : json(nullptr);
    }
    return object;
}

json count_json(const CountVerdict& count) {
    json one = {{"name", count.name}, {"unit", count.unit}, {"exact", count.exact}};
    put(one, "a", count.a);
    put(one, "b", count.b);
    one["equal"] = count.equal ? json(*count.equal) : json(nullptr);
    return one;
}

template <class T, class Function>
json list_of(const std::vector<T>& values, Function to_json) {
    json list = json::array();
    for (const T& value : values) list.push_back(to_json(value));
    return list;
}

json pair_json(const PairVerdict& pair) {
    return {{"a", pair.a},
            {"b", pair.b},
            {"metrics", list_of(pair.metrics, metric_json)},
            {"blame", list_of(pair.kernels, blame_json)},
            {"roles", list_of(pair.roles, blame_json)},
            {"paths", list_of(pair.paths, blame_json)},
            {"unsteady", list_of(pair.unsteady, unsteady_json)},
            {"waterfalls", list_of(pair.waterfalls, waterfall_json)},
            {"tokens", tokens_json(pair.tokens)},
            {"counts", list_of(pair.counts, count_json)},
            {"verdict", name(pair.verdict)},
            {"reasons", pair.reasons},
            {"exit_code", pair.exit_code}};
}

json arm_json(const ArmSummary& arm) {
    return {{"name", arm.name},
            {"spec", arm.spec},
            {"commit", text_or_null(arm.commit)},
            {"dirty_diff_sha256", text_or_null(arm.dirty_diff_sha256)},
            {"compiler", text_or_null(arm.compiler)},
            {"binary_sha256", text_or_null(arm.binary_sha256)},
            {"timed_trials", arm.timed},
            {"profiled_trials", arm.profiled},
            {"failed_trials", arm.failed},
            {"planted", arm.planted},
            {"invalid", arm.why_invalid.empty() ? json(nullptr) : json(arm.why_invalid)},
            {"first_failures", arm.first_failures}};
}

json replaced_json(const ReplacedBlock& one) {
    return {{"rounds", {2 * one.block, 2 * one.block + 1}},
            {"mode", name(one.mode)},
            {"arm", one.arm},
            {"reason", one.reason}};
}

json plan_json(const ComparisonReport& report) {
    return {{"looks", report.plan.looks},
            {"most_rounds", report.plan.looks.empty() ? report.rounds : report.plan.looks.back()},
            {"profiled_rounds", report.plan.profiled_rounds},
            {"alpha", number(report.plan.alpha)},
            {"gated_metrics", report.plan.gated},
            {"seed", report.plan.seed},
            {"calibration", report.plan.calibration},
            {"rounds", report.rounds},
            {"replaced_rounds", report.replaced_rounds},
            {"void_trials", report.void_trials}};
}

}  // namespace

std::string verdict_json(const ComparisonReport& report) {
    json object = {{"schema", "tare.compare/1"},
                   {"run",
                    {{"id", report.run.id},
                     {"started_utc", report.run.started_utc},
                     {"kind", report.run.kind},
                     {"status", report.run.status},
                     {"machine_class", report.machine.machine_class},
                     {"scenario_sha256", report.scenario.sha256}}},
                   {"scenario", report.scenario.name},
                   {"arms", list_of(report.arms, arm_json)},
                   {"plan", plan_json(report)}};
    // The first pair's stand at the top, as of a comparison of two; all pairs follow.
    json first = report.pairs.empty() ? json::object() : pair_json(report.pairs[0]);
    for (const char* key :
         {"metrics", "blame", "roles", "paths", "unsteady", "waterfalls", "tokens", "counts"})
        object[key] = first.contains(key) ? first[key] : json(nullptr);
    object["replaced"] = list_of(report.replaced, replaced_json);
    object["pairs"] = list_of(report.pairs, pair_json);
    object["verdict"] = name(report.verdict);
    object["reasons"] = report.reasons;
    object["exit_code"] = report.exit_code;
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace reports::render
