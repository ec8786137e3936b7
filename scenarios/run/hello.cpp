// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/hello.h"

#include <nlohmann/json.hpp>

#include "engine/format/json_number.h"

namespace scenarios::run {

namespace {

using nlohmann::json;

// The object of a line of the given type, or null for anything else, garbage included.
json parse_line(std::string_view line, const char* type) {
    json object = json::parse(line, nullptr, false);
    const bool wanted = object.is_object() && object.contains("type") && object["type"] == type;
    return wanted ? object : json();
}

std::optional<std::string> text(const json& object, const char* outer, const char* key) {
    const auto found = object.find(outer);
    if (found == object.end() || !found->is_object()) return std::nullopt;
    const auto value = found->find(key);
    if (value == found->end() || !value->is_string() || value->get<std::string>().empty())
        return std::nullopt;
    return value->get<std::string>();
}

}  // namespace

std::optional<Hello> parse_hello(std::string_view line) {
    const json object = parse_line(line, "hello");
    if (object.is_null()) return std::nullopt;
    Hello hello;
    if (object.contains("protocol"))
        hello.protocol = engine::format::whole_number<int>(object["protocol"]);
    hello.commit = text(object, "build", "commit");
    hello.dirty_diff_sha256 = text(object, "build", "dirty_diff_sha256");
    hello.compiler = text(object, "build", "compiler");
    hello.flags = text(object, "build", "flags");
    hello.build_type = text(object, "build", "build_type");
    hello.sanitize = text(object, "build", "sanitize");
    hello.model_name = text(object, "model", "name");
    hello.model_sha256 = text(object, "model", "sha256");
    hello.prompt_sha256 = text(object, "prompt", "sha256");
    return hello;
}

std::optional<std::int64_t> parse_rep_begin(std::string_view line) {
    const json object = parse_line(line, "rep");
    if (object.is_null() || !object.contains("begin_ns")) return std::nullopt;
    return engine::format::whole_number<std::int64_t>(object["begin_ns"]);
}

}  // namespace scenarios::run
