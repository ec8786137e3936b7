// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/arm_spec.h"

#include <fmt/format.h>

#include "scenarios/build/shell_words.h"
#include "scenarios/plan/arm_values.h"
#include "scenarios/plan/names.h"

namespace scenarios::build {

namespace {

constexpr const char* form =
    "write REF or build:DIR, then any of +args:\"...\" and +env:NAME=value, e.g. "
    "main+args:\"--moe dense\"";

[[noreturn]] void refuse(const std::string& arm, const std::string& why) {
    throw ArmSyntax(fmt::format("arm {}: {}; {}", plan::in_quotes(arm), why, form));
}

bool starts_with(std::string_view text, std::string_view prefix) {
    return text.substr(0, prefix.size()) == prefix;
}

// The text between the '+' that start a part; the first may be empty.
std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts(1);
    bool in_quotes = false;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const std::string_view rest = std::string_view(text).substr(i);
        if (text[i] == '"' && (i == 0 || text[i - 1] != '\\')) in_quotes = !in_quotes;
        if (!in_quotes && (starts_with(rest, "+args:") || starts_with(rest, "+env:")))
            parts.emplace_back();
        else
            parts.back() += text[i];
    }
    if (in_quotes) refuse(text, "a double quote has no end");
    return parts;
}

// The quote that ends the one at the start, or npos.
std::size_t closing_quote(const std::string& value) {
    for (std::size_t i = 1; i < value.size(); ++i) {
        if (value[i] == '\\')
            ++i;
        else if (value[i] == '"')
            return i;
    }
    return std::string::npos;
}

std::string unquoted(const std::string& value) {
    const bool is_quoted =
        value.size() >= 2 && value[0] == '"' && closing_quote(value) == value.size() - 1;
    return is_quoted ? value.substr(1, value.size() - 2) : value;
}

void add_arguments(ArmSpec& arm, const std::string& value) {
    try {
        const auto words = shell_words(unquoted(value));
        arm.arguments.insert(arm.arguments.end(), words.begin(), words.end());
    } catch (const ShellSyntax& error) {
        refuse(arm.text, fmt::format("args: {}", error.what()));
    }
}

void add_variable(ArmSpec& arm, const std::string& value) {
    const std::string text = unquoted(value);
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    if (equals == std::string::npos) refuse(arm.text, "env has no '='");
    if (const std::string why = plan::why_no_arm_variable(name); !why.empty())
        refuse(arm.text, why);
    arm.environment[name] = text.substr(equals + 1);
}

// False: not a part of that kind.
bool add_part(ArmSpec& arm, const std::string& part) {
    if (starts_with(part, "args:"))
        add_arguments(arm, part.substr(5));
    else if (starts_with(part, "env:"))
        add_variable(arm, part.substr(4));
    else
        return false;
    return true;
}

void set_origin(ArmSpec& arm, const std::string& origin) {
    if (starts_with(origin, "build:")) {
        arm.build_folder = unquoted(origin.substr(6));
        if (arm.build_folder->empty()) refuse(arm.text, "build: names no folder");
    } else if (origin.empty() || origin[0] == '-') {
        // A ref that begins with '-' would be an option of git.
        refuse(arm.text, origin.empty() ? "it names neither a ref nor a build"
                                        : "a ref does not begin with '-'");
    } else {
        arm.ref = origin;
    }
}

}  // namespace

ArmSpec parse_arm(const std::string& text) {
    if (plan::has_control_characters(text)) refuse(text, "it holds control characters");
    ArmSpec arm{.text = text, .ref = {}, .build_folder = {}, .arguments = {}, .environment = {}};
    const auto parts = parts_of(text);
    if (!add_part(arm, parts[0])) set_origin(arm, parts[0]);
    for (std::size_t i = 1; i < parts.size(); ++i) add_part(arm, parts[i]);
    return arm;
}

}  // namespace scenarios::build
