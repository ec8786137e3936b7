// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/scenario.h"

#include <algorithm>
#include <span>

#include <nlohmann/json.hpp>

#include "engine/format/sha256.h"

namespace scenarios::plan {

const char* name(Workload workload) {
    switch (workload) {
        case Workload::prefill:
            return "prefill";
        case Workload::decode:
            return "decode";
        case Workload::score:
            return "score";
        case Workload::command:
            return "command";
    }
    return "";
}

bool takes_program(const Scenario& scenario) {
    return std::any_of(
        scenario.command.begin(), scenario.command.end(),
        [](const std::string& word) { return word.find(program_mark) != std::string::npos; });
}

std::string canonical_json(const Scenario& scenario) {
    // nlohmann::json keeps object keys sorted and dump() without an indent writes no white space.
    nlohmann::json metrics = nlohmann::json::object();
    for (const Metric& metric : scenario.metrics)
        metrics[metric.name] = {{"margin", metric.margin}};
    nlohmann::json all = {
        {"arguments", scenario.arguments},
        {"backend", scenario.backend},
        {"decode_tokens", nullptr},
        {"metrics", metrics},
        {"model", scenario.model},
        {"name", scenario.name},
        {"profiled_rounds", scenario.profiled_rounds},
        {"prompt", {{"sha256", scenario.prompt.sha256}, {"tokens", scenario.prompt.tokens.size()}}},
        {"reps", scenario.reps},
        {"rounds", scenario.rounds},
        {"time_limit_s", nullptr},
        {"warm_up", scenario.warm_up},
        {"workload", name(scenario.workload)},
    };
    if (scenario.workload == Workload::decode) all["decode_tokens"] = scenario.decode_tokens;
    if (scenario.workload == Workload::command) {
        for (const char* key : {"decode_tokens", "model", "prompt"}) all.erase(key);
        all["command"] = scenario.command;
    }
    // Where one text ends and the next begins is part of what is asked.
    if (scenario.workload == Workload::score) all["prompt"]["texts"] = scenario.prompt.texts;
    for (const Arm& arm : scenario.arms)
        all["arms"].push_back(
            {{"name", arm.name}, {"args", arm.arguments}, {"env", arm.environment}});
    if (scenario.time_limit_s) all["time_limit_s"] = *scenario.time_limit_s;
    return all.dump();
}

std::string identity(const Scenario& scenario) {
    const std::string text = canonical_json(scenario);
    return engine::format::sha256_hex(std::as_bytes(std::span(text)));
}

}  // namespace scenarios::plan
