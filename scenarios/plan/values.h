// SPDX-License-Identifier: Apache-2.0
// A scenario file as written: every value optional and with its place, variants beside it.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/plan/build_recipe.h"
#include "scenarios/plan/place.h"

namespace scenarios::plan {

struct PromptValues {
    Place place;
    std::optional<Located<std::string>> file;  // FILE.json or FILE.safetensors:NAME
    std::optional<Located<std::int64_t>> seed, count;
};

struct MetricValues {
    std::string name;
    double margin = 0;  // share
};

// [arms.NAME]
struct ArmValues {
    Place place;
    std::string name;
    std::vector<std::string> arguments;
    std::map<std::string, std::string> environment;
    std::string about;
};

// What [variant.*] may override.
struct Values {
    std::optional<Located<std::string>> model, workload;
    std::optional<PromptValues> prompt;
    std::optional<Located<std::vector<std::string>>> arguments, command;
    std::optional<Located<std::int64_t>> decode_tokens, warm_up, reps, rounds, profiled_rounds;
    std::optional<Located<double>> time_limit_s;
    std::optional<std::vector<MetricValues>> metrics;
};

struct ScenarioValues {
    std::string file;
    std::optional<Located<std::string>> name, about;
    Values base;
    std::map<std::string, Values> variants;  // "cpu", "cuda"
    std::vector<ArmValues> arms;             // in the order they stand in the file
    std::optional<BuildRecipe> build;
};

// From memory alone; `file` is for messages. Every key, type and range is checked, those of
// variants not asked for too. Throws ScenarioError and nothing else.
ScenarioValues parse_scenario(const std::string& text, const std::string& file);

// `over` where it has a value, else `base`. A prompt, arguments or metrics are replaced whole.
Values overridden(const Values& base, const Values& over);

}  // namespace scenarios::plan
