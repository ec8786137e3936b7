// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/plan_record.h"

#include <nlohmann/json.hpp>

#include "scenarios/run/environment.h"

namespace scenarios::run {

reports::Plan plan_record(const Options& options, const std::vector<plan::Turn>& order) {
    const plan::Scenario& scenario = options.scenario;
    nlohmann::json turns = nlohmann::json::array(), metrics = nlohmann::json::object();
    for (const plan::Turn& turn : order)
        turns.push_back({{"round", turn.round},
                         {"position", turn.position},
                         {"mode", reports::name(turn.mode)}});
    for (const plan::Metric& metric : scenario.metrics)
        metrics[metric.name] = {{"margin", metric.margin}};
    reports::Plan plan{.timed_rounds = options.timed_rounds,
                       .profiled_rounds = options.profiled_rounds,
                       .warm_up = scenario.warm_up,
                       .reps = scenario.reps,
                       .seed = options.seed,
                       .time_limit_s = scenario.time_limit_s.value_or(default_time_limit_s),
                       .json = ""};
    const nlohmann::json whole = {{"arms", {"a"}},
                                  {"rounds", plan.timed_rounds},
                                  {"profiled_rounds", plan.profiled_rounds},
                                  {"warm_up", plan.warm_up},
                                  {"reps", plan.reps},
                                  {"seed", plan.seed},
                                  {"time_limit_s", plan.time_limit_s},
                                  {"metrics", metrics},
                                  {"order", turns},
                                  {"scenario_file", scenario.file},
                                  {"prompt", scenario.prompt.origin},
                                  {"environment", that_matters(own_environment())}};
    plan.json = whole.dump();
    return plan;
}

}  // namespace scenarios::run
