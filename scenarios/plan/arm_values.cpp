// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/arm_values.h"

#include <algorithm>
#include <tuple>

#include <fmt/format.h>

#include "scenarios/plan/names.h"

namespace scenarios::plan {

namespace {

// The suite sets these itself: they make a trial timed or profiled.
bool is_of_the_suite(const std::string& variable) {
    static const std::vector<std::string> prefixes = {"NVTX_INJECTION", "CUDA_INJECTION",
                                                      "TARE_PROBE_", "TARE_RESULT_FILE"};
    return std::any_of(prefixes.begin(), prefixes.end(),
                       [&](const std::string& prefix) { return variable.rfind(prefix, 0) == 0; });
}

bool is_variable(const std::string& text) {
    const auto letter = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    return !text.empty() && letter(text[0]) && std::all_of(text.begin(), text.end(), [&](char c) {
        return letter(c) || (c >= '0' && c <= '9');
    });
}

ArmValues read_arm(const std::string& name, TomlTable table, const Place& place) {
    if (!is_name(name))
        throw ScenarioError(place, fmt::format("an arm named {} is not accepted here; write {}, "
                                               "e.g. [arms.dense]",
                                               in_quotes(name), name_form));
    ArmValues out{.place = place, .name = name, .arguments = {}, .environment = {}, .about = {}};
    if (auto arguments = table.texts("args", "a list of texts: args = [\"--moe\", \"dense\"]"))
        out.arguments = std::move(arguments->value);
    if (auto environment = table.table("env", "a table: env = { OMP_NUM_THREADS = \"2\" }"))
        out.environment = read_environment(*environment);
    if (auto about = table.text("about", "one sentence: about = \"...\"")) out.about = about->value;
    table.refuse_unknown();
    return out;
}

}  // namespace

std::string why_no_arm_variable(const std::string& name) {
    if (!is_variable(name))
        return fmt::format(
            "env has a variable {}; write letters, digits and '_', e.g. "
            "OMP_NUM_THREADS = \"2\"",
            in_quotes(name));
    if (is_of_the_suite(name))
        return fmt::format("env sets {}, which tare sets itself; take it out", name);
    return "";
}

std::map<std::string, std::string> read_environment(TomlTable table) {
    std::map<std::string, std::string> out;
    for (const std::string& key : table.keys()) {
        const Place place = table.place_of(key);
        if (const std::string why = why_no_arm_variable(key); !why.empty())
            throw ScenarioError(place, why);
        out[key] = table.text(key, fmt::format("a text: {} = \"2\"", key))->value;
    }
    return out;
}

std::vector<ArmValues> read_arms(TomlTable table) {
    std::vector<ArmValues> out;
    for (const std::string& name : table.keys()) {
        const Place place = table.place_of(name);
        auto arm = table.table(name, fmt::format("a table: [arms.{}]", name));
        out.push_back(read_arm(name, *arm, place));
    }
    if (out.empty() || out.size() > most_arms)
        throw ScenarioError(table.place(), fmt::format("[arms] has {} arms; write 1 to {} of them, "
                                                       "e.g. [arms.dense]",
                                                       out.size(), most_arms));
    std::sort(out.begin(), out.end(), [](const ArmValues& a, const ArmValues& b) {
        return std::tie(a.place.line, a.place.column) < std::tie(b.place.line, b.place.column);
    });
    return out;
}

}  // namespace scenarios::plan
