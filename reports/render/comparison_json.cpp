// SPDX-License-Identifier: Apache-2.0
// tare.compare/1 of two stored runs: everything but a verdict.
#include <algorithm>
#include <nlohmann/json.hpp>

#include "reports/render/json.h"

namespace reports::render {

using nlohmann::json;

namespace {

json metrics_json(const Comparison& comparison) {
    json list = json::array();
    for (const MetricPair& pair : comparison.metrics) {
        json one = {{"name", pair.name}, {"unit", pair.unit},  {"direction", name(pair.direction)},
                    {"lo", nullptr},     {"hi", nullptr},      {"level", nullptr},
                    {"looks", 0},        {"verdict", nullptr}, {"reason", no_verdict}};
        put(one, "a", pair.a);
        put(one, "b", pair.b);
        put(one, "ratio", pair.ratio);
        one["n"] = pair.a && pair.b ? std::min(pair.a->n, pair.b->n) : 0;
        list.push_back(std::move(one));
    }
    return list;
}

json kernels_json(const Comparison& comparison) {
    json list = json::array();
    for (const KernelPair& pair : comparison.kernels) {
        json one = {{"path", pair.path}, {"kernel", pair.kernel}, {"lo", nullptr}, {"hi", nullptr}};
        put(one, "a_ns", pair.a_ns);
        put(one, "b_ns", pair.b_ns);
        one["delta_ns"] = number(pair.delta_ns);
        list.push_back(std::move(one));
    }
    return list;
}

json counts_json(const Comparison& comparison) {
    json list = json::array();
    for (const CountPair& pair : comparison.counts) {
        json one = {{"name", pair.name}, {"unit", pair.unit}, {"exact", pair.exact}};
        put(one, "a", pair.a);
        put(one, "b", pair.b);
        one["equal"] = pair.a && pair.b ? json(*pair.a == *pair.b) : json(nullptr);
        list.push_back(std::move(one));
    }
    return list;
}

json tokens_json(const Comparison& comparison) {
    json object = {{"identical", nullptr}, {"first_divergence", nullptr}};
    const TokenVerdict& tokens = comparison.tokens;
    if (tokens.identical)
        object["identical"] = *tokens.identical && tokens.a_repeats && tokens.b_repeats;
    if (const auto& at = tokens.first_divergence) {
        object["first_divergence"] = {{"request", at->request}, {"position", at->position}};
        put(object["first_divergence"], "margin", at->margin);
    }
    return object;
}

json comparison_object(const Comparison& comparison) {
    return {{"schema", "tare.compare/1"},
            {"scenario", comparison.a.scenario.name},
            {"arm", comparison.a.arm.name},
            {"arms", {run_json(comparison.a), run_json(comparison.b)}},
            {"plan", nullptr},
            {"metrics", metrics_json(comparison)},
            {"blame", kernels_json(comparison)},
            {"tokens", tokens_json(comparison)},
            {"counts", counts_json(comparison)},
            {"verdict", nullptr},
            {"reason", no_verdict},
            {"exit_code", 0}};
}

}  // namespace

std::string comparison_json(const std::vector<Comparison>& comparisons) {
    json object = comparison_object(comparisons.at(0));
    for (std::size_t i = 1; i < comparisons.size(); ++i) {
        object["other_arms"].push_back(comparison_object(comparisons[i]));
    }
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace reports::render
