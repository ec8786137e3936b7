// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/arguments.h"

#include <algorithm>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/format/printable.h"
#include "scenarios/cli/context.h"

namespace scenarios::cli {

namespace {

using engine::format::printable;

// An argument for the engine is the engine's to judge.
constexpr auto may_be_empty = "--engine-arg";

// Of the subcommands that were named, outermost first.
std::vector<const CLI::Option*> options_given(const CLI::App& app) {
    std::vector<const CLI::Option*> out;
    for (const CLI::Option* option : app.get_options())
        if (option->count() > 0) out.push_back(option);
    for (const CLI::App* command : app.get_subcommands())
        for (const CLI::Option* option : options_given(*command)) out.push_back(option);
    return out;
}

void refuse_empty_values(const CLI::App& app) {
    for (const CLI::Option* option : options_given(app)) {
        const auto& values = option->results();
        if (option->get_name() == may_be_empty) continue;
        if (std::none_of(values.begin(), values.end(), [](const auto& v) { return v.empty(); }))
            continue;
        throw UsageError(
            fmt::format("{} is empty (an unset variable?); give a value ({}), or leave it out",
                        option->get_name(), option->get_description()));
    }
}

std::string joined(const std::vector<std::string>& values) {
    std::string out;
    for (const std::string& value : values)
        out += (out.empty() ? "'" : ", '") + printable(value) + "'";
    return out;
}

void refuse_repeated(const CLI::App& app) {
    for (const CLI::Option* option : options_given(app)) {
        const auto& values = option->results();
        if (static_cast<int>(values.size()) <= option->get_items_expected_max()) continue;
        throw UsageError(fmt::format("{} is given {} times: {}; give it once", option->get_name(),
                                     values.size(), joined(values)));
    }
}

}  // namespace

void parse_arguments(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
    } catch (const CLI::Success&) {
        throw;
    } catch (const CLI::ParseError& error) {
        refuse_empty_values(app);
        refuse_repeated(app);
        std::string where = "tare";
        for (const CLI::App* command : app.get_subcommands()) where += " " + command->get_name();
        throw UsageError(
            fmt::format("{}. `{} --help` shows what there is.", printable(error.what()), where));
    }
    refuse_empty_values(app);
}

}  // namespace scenarios::cli
