// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/build_recipe.h"

#include <filesystem>

#include <fmt/format.h>
#include <toml++/toml.h>

#include "scenarios/plan/arm_values.h"
#include "scenarios/plan/names.h"
#include "scenarios/plan/parse_toml.h"

namespace scenarios::plan {

namespace {

constexpr const char* artefact_form =
    "a path below the repository's top, or a list of them with the program first: artefact = "
    "\"build/release/bin/server\"";
constexpr double longest_build_s = 86'400;

bool is_below_top(const std::string& path) {
    const auto normal = std::filesystem::path(path).lexically_normal();
    return !path.empty() && normal.is_relative() && *normal.begin() != "..";
}

void refuse_placeholder(const std::string& key, const std::string& text, const Place& place) {
    if (text.rfind(placeholder_mark, 0) == 0)
        throw ScenarioError(place, fmt::format("{} = {} was never filled in; write how this "
                                               "project is built, e.g. command = \"make -j8 "
                                               "server\", artefact = \"server\"",
                                               key, in_quotes(text)));
}

std::vector<std::string> read_paths(TomlTable& table, const std::string& key, const char* form) {
    const auto paths = table.texts_or_text(key, form);
    if (!paths) return {};
    for (const std::string& path : paths->value) refuse_placeholder(key, path, paths->place);
    for (const std::string& path : paths->value)
        if (!is_below_top(path))
            throw ScenarioError(paths->place, fmt::format("{} = {} is not accepted here; write {}",
                                                          key, in_quotes(path), form));
    return paths->value;
}

}  // namespace

BuildRecipe read_build(TomlTable table) {
    BuildRecipe out;
    out.place = table.place();
    const auto command = table.text("command", "one line for bash: command = \"make -j8 server\"");
    if (command) refuse_placeholder("command", command->value, command->place);
    out.artefacts = read_paths(table, "artefact", artefact_form);
    out.inputs = read_paths(table, "inputs", "a list of paths: inputs = [\"src\", \"Makefile\"]");
    if (auto environment = table.table("environment", "a table: environment = { CC = \"gcc\" }"))
        out.environment = read_environment(*environment);
    if (const auto limit = table.positive_number("time_limit_s", longest_build_s))
        out.time_limit_s = limit->value;
    table.refuse_unknown();
    if (!command)
        throw ScenarioError(out.place, "command is missing; write command = \"make -j8 server\"");
    if (out.artefacts.empty())
        throw ScenarioError(out.place, fmt::format("artefact is missing; write {}", artefact_form));
    out.command = command->value;
    return out;
}

BuildRecipe parse_project(const std::string& text, const std::string& file) {
    const toml::table parsed = parse_toml(text, file);
    TomlTable table(parsed, file, "");
    auto build = table.table("build", "a table: [build]");
    if (!build)
        throw ScenarioError({file, 1, 1},
                            "no [build] table; write [build] with command = \"...\" and "
                            "artefact = \"...\"");
    BuildRecipe out = read_build(*build);
    table.refuse_unknown();
    return out;
}

}  // namespace scenarios::plan
