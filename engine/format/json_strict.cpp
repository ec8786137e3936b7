// SPDX-License-Identifier: Apache-2.0
// A parser's watch over keys and depth.
#include "engine/format/json_strict.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <stdexcept>
#include <unordered_set>
#include <vector>

namespace engine::format {

using nlohmann::json;

namespace {

constexpr int max_depth = 64;
constexpr std::size_t max_shown = 60;

class Watch {
  public:
    explicit Watch(const std::string& name) : name_(name) {}

    void see(int depth, json::parse_event_t event, const json& value) {
        using Event = json::parse_event_t;
        if (event == Event::object_start || event == Event::array_start) {
            if (depth >= max_depth) {
                throw std::runtime_error(
                    fmt::format("{}: JSON nested deeper than {} levels", name_, max_depth));
            }
            if (event == Event::object_start) keys_.emplace_back();
        } else if (event == Event::object_end) {
            keys_.pop_back();
        } else if (event == Event::key && !keys_.back().insert(value.get<std::string>()).second) {
            throw std::runtime_error(
                fmt::format("{}: the key {} is given twice in one object", name_, shown(value)));
        }
    }

  private:
    const std::string& name_;
    std::vector<std::unordered_set<std::string>> keys_;  // of the objects that are open
};

// The parser's words without its own name for the error.
std::string_view reason(const json::exception& error) {
    std::string_view text = error.what();
    for (const std::string_view before : {"] ", "parse error at "}) {
        const auto at = text.find(before);
        if (at != std::string_view::npos) text.remove_prefix(at + before.size());
    }
    return text;
}

}  // namespace

json parse_strictly(std::string_view text, const std::string& name) {
    Watch watch(name);
    try {
        return json::parse(text, [&](int depth, json::parse_event_t event, json& value) {
            watch.see(depth, event, value);
            return true;
        });
    } catch (const json::parse_error& error) {
        throw std::runtime_error(
            fmt::format("{}: not JSON at byte {}: {}", name, error.byte, reason(error)));
    } catch (const json::exception& error) {  // a number that overflows
        throw std::runtime_error(fmt::format("{}: not JSON: {}", name, reason(error)));
    }
}

std::string shown(const json& value) {
    if (value.is_object()) return "an object";
    if (value.is_array()) return fmt::format("a list of {}", value.size());
    auto text = value.dump(-1, ' ', true, json::error_handler_t::replace);
    if (text.size() > max_shown) text = text.substr(0, max_shown) + "...";
    return text;
}

}  // namespace engine::format
