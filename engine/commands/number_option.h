// SPDX-License-Identifier: Apache-2.0
// Options of the command line that take a number, or one of a few words.
#pragma once

#include <CLI/CLI.hpp>
#include <string>
#include <vector>

#include "engine/commands/whole_number.h"

namespace engine::commands {

// `value` keeps its default while the option is not given.
template <class Value, class Number>
CLI::Option* add_number(CLI::App& app,
                        const std::string& name,
                        Value& value,
                        Bounds<Number> bounds,
                        const std::string& about) {
    const auto take = [name, &value, bounds](const std::string& text) {
        value = whole_number(name, text, bounds);
    };
    return app.add_option_function<std::string>(name, take, about)->type_name("N");
}

inline CLI::Option* add_choice(CLI::App& app,
                               const std::string& name,
                               std::string& value,
                               const std::vector<std::string>& words,
                               const std::string& about) {
    const auto take = [name, &value, words](const std::string& text) {
        value = one_of(name, text, words);
    };
    return app.add_option_function<std::string>(name, take, about);
}

}  // namespace engine::commands
