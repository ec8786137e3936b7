// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/plan_record.h"

#include <nlohmann/json.hpp>

#include "scenarios/run/environment.h"

namespace scenarios::run {

namespace {

using nlohmann::json;

json turns_json(const std::vector<plan::Turn>& order, const std::vector<ArmUnderTest>& arms) {
    json turns = json::array();
    for (const plan::Turn& turn : order)
        turns.push_back({{"round", turn.round},
                         {"position", turn.position},
                         {"mode", reports::name(turn.mode)},
                         {"arm", arms[turn.arm].words.name}});
    return turns;
}

// What plans of every kind hold.
json common_json(const Options& options, const reports::Plan& plan) {
    json names = json::array(), metrics = json::object();
    for (const ArmUnderTest& arm : arms_of(options)) names.push_back(arm.words.name);
    for (const plan::Metric& metric :
         options.metrics.empty() ? options.scenario.metrics : options.metrics)
        metrics[metric.name] = {{"margin", metric.margin}};
    return {{"arms", names},
            {"rounds", plan.timed_rounds},
            {"profiled_rounds", plan.profiled_rounds},
            {"warm_up", plan.warm_up},
            {"reps", plan.reps},
            {"seed", plan.seed},
            {"time_limit_s", plan.time_limit_s},
            {"metrics", metrics},
            {"scenario_file", options.scenario.file},
            {"directory", std::filesystem::current_path().string()},
            {"threads", options.threads ? json(*options.threads) : json()},
            {"engine_arguments", options.engine_arguments},
            {"prompt", options.scenario.prompt.origin},
            {"environment", that_matters(own_environment())}};
}

reports::Plan plan_of(const Options& options, int timed_rounds, int profiled_rounds) {
    const plan::Scenario& scenario = options.scenario;
    return {.timed_rounds = timed_rounds,
            .profiled_rounds = profiled_rounds,
            .warm_up = scenario.warm_up,
            .reps = scenario.reps,
            .seed = options.seed,
            .time_limit_s = time_limit_of(options),
            .json = ""};
}

std::string text_of(const json& whole) {
    return whole.dump(-1, ' ', false, json::error_handler_t::replace);
}

std::vector<plan::Turn> planned_blocks(const Options& options, const RoundsPlan& rounds) {
    std::vector<reports::Mode> modes = {reports::Mode::timed};
    if (rounds.profiled_rounds > 0) modes.push_back(reports::Mode::profiled);
    std::vector<plan::Turn> order;
    const auto taking_part = that_take_part(arms_of(options));
    for (int block = 0; !taking_part.empty() && block < rounds.looks.back() / 2; ++block)
        for (const plan::Turn& turn : turns_of_block(options.seed, taking_part, block, modes))
            order.push_back(turn);
    return order;
}

}  // namespace

reports::Plan plan_record(const Options& options, const std::vector<plan::Turn>& order) {
    reports::Plan plan = plan_of(options, options.timed_rounds, options.profiled_rounds);
    json whole = common_json(options, plan);
    whole["order"] = turns_json(order, arms_of(options));
    plan.json = text_of(whole);
    return plan;
}

reports::Plan comparison_plan_record(const Options& options, const RoundsPlan& rounds) {
    // The least that makes the run a valid one: what the first look needs.
    reports::Plan plan = plan_of(options, rounds.looks.front(), rounds.profiled_rounds);
    json whole = common_json(options, plan);
    whole["looks"] = rounds.looks;
    if (!options.calibration.empty()) whole["calibration"] = options.calibration;
    whole["most_rounds"] = rounds.looks.back();
    whole["order"] = turns_json(planned_blocks(options, rounds), arms_of(options));
    plan.json = text_of(whole);
    return plan;
}

}  // namespace scenarios::run
