// SPDX-License-Identifier: Apache-2.0
// Parsing and matching of planted faults.
#include "engine/trace/faults.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>
#include <stdexcept>

namespace engine::trace {
namespace {

constexpr double max_percent = 100000;
constexpr int max_launches = 1000;

[[noreturn]] void refuse(std::string_view spec, std::string_view reason) {
    throw std::invalid_argument(fmt::format(
        "--fault '{}': {}. Accepted forms: delay:<path glob>:<percent>, launch:<path glob>:+<n>, "
        "token:<request>:<position>, maths:<name>, exit:<path glob>, hang:<path glob>; in a glob "
        "'*' matches any characters, e.g. 'delay:prefill/*/experts.up:20'",
        spec, reason));
}

template <class Number>
std::optional<Number> number(std::string_view text) {
    Number value{};
    const auto* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, value);
    return error == std::errc{} && stop == end ? std::optional(value) : std::nullopt;
}

FaultKind kind_of(std::string_view word, std::string_view spec) {
    constexpr std::pair<std::string_view, FaultKind> kinds[] = {
        {"delay", FaultKind::delay}, {"launch", FaultKind::launch}, {"token", FaultKind::token},
        {"maths", FaultKind::maths}, {"exit", FaultKind::exit},     {"hang", FaultKind::hang}};
    for (const auto& [text, kind] : kinds) {
        if (text == word) {
            return kind;
        }
    }
    refuse(spec, fmt::format("unknown fault '{}'", word));
}

// "<path>:<last>"; paths hold no colon.
std::pair<std::string_view, std::string_view> split_last(std::string_view text,
                                                         std::string_view spec,
                                                         std::string_view second) {
    const auto colon = text.rfind(':');
    if (colon == std::string_view::npos) {
        refuse(spec, fmt::format("the {} is missing", second));
    }
    return {text.substr(0, colon), text.substr(colon + 1)};
}

void parse_delay(std::string_view rest, Fault& fault) {
    const auto [path, text] = split_last(rest, fault.spec, "percent");
    const auto percent = number<double>(text);
    if (!percent || !(*percent > 0) || *percent > max_percent) {
        refuse(fault.spec,
               fmt::format("percent is '{}', it must be a number over 0 and at most {:.0f}", text,
                           max_percent));
    }
    fault.pattern = path;
    fault.percent = *percent;
}

void parse_launch(std::string_view rest, Fault& fault) {
    const auto [path, text] = split_last(rest, fault.spec, "number of extra launches");
    const auto launches =
        text.starts_with('+') ? number<int>(text.substr(1)) : std::optional<int>();
    if (!launches || *launches < 1 || *launches > max_launches) {
        refuse(fault.spec,
               fmt::format("extra launches are '{}', they must be +1 to +{}", text, max_launches));
    }
    fault.pattern = path;
    fault.launches = *launches;
}

void parse_token(std::string_view rest, Fault& fault) {
    const auto [request_text, position_text] = split_last(rest, fault.spec, "position");
    const auto request = number<std::int64_t>(request_text);
    const auto position = number<std::int64_t>(position_text);
    if (!request || *request < 0) {
        refuse(fault.spec, fmt::format("request is '{}', it must be 0 or more", request_text));
    }
    if (!position || *position < 0) {
        refuse(fault.spec, fmt::format("position is '{}', it must be 0 or more", position_text));
    }
    fault.request = *request;
    fault.position = *position;
}

}  // namespace

Fault parse_fault(std::string_view spec) {
    const auto colon = spec.find(':');
    Fault fault;
    fault.kind = kind_of(spec.substr(0, colon), spec);
    fault.spec = spec;
    const auto rest = colon == std::string_view::npos ? "" : spec.substr(colon + 1);
    switch (fault.kind) {
        case FaultKind::delay:
            parse_delay(rest, fault);
            break;
        case FaultKind::launch:
            parse_launch(rest, fault);
            break;
        case FaultKind::token:
            parse_token(rest, fault);
            return fault;
        case FaultKind::maths:
            if (rest.empty()) {
                refuse(spec, "the name of the arithmetic defect is missing");
            }
            fault.maths = rest;
            return fault;
        case FaultKind::exit:
        case FaultKind::hang:
            fault.pattern = rest;
            break;
    }
    if (fault.pattern.empty()) {
        refuse(spec, "the range path is empty");
    }
    return fault;
}

bool glob_match(std::string_view pattern, std::string_view path) {
    // Greedy with one point of return: the last star, and where its match would grow next.
    std::size_t p = 0, s = 0;
    auto star = std::string_view::npos;
    std::size_t retry = 0;
    while (s < path.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            retry = s;
        } else if (p < pattern.size() && pattern[p] == path[s]) {
            ++p;
            ++s;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            s = ++retry;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

FaultTable::FaultTable(std::span<const std::string> specs) {
    for (const auto& spec : specs) {
        faults_.push_back(parse_fault(spec));
    }
}

bool FaultTable::watches_paths() const {
    return std::any_of(faults_.begin(), faults_.end(),
                       [](const Fault& fault) { return !fault.pattern.empty(); });
}

const Strike& FaultTable::strike(const std::string& path) {
    const auto [place, is_new] = strikes_.try_emplace(path);
    if (!is_new) {
        return place->second;
    }
    auto& strike = place->second;
    for (auto& fault : faults_) {
        if (fault.pattern.empty() || !glob_match(fault.pattern, path)) {
            continue;
        }
        fault.struck = true;
        strike.delay_percent += fault.percent;
        strike.extra_launches += fault.launches;
        strike.exits |= fault.kind == FaultKind::exit;
        strike.hangs |= fault.kind == FaultKind::hang;
    }
    return strike;
}

std::vector<std::string> FaultTable::specs() const {
    std::vector<std::string> result;
    for (const auto& fault : faults_) {
        result.push_back(fault.spec);
    }
    return result;
}

std::vector<std::string> FaultTable::maths() const {
    std::vector<std::string> result;
    for (const auto& fault : faults_) {
        if (fault.kind == FaultKind::maths) {
            result.push_back(fault.maths);
        }
    }
    return result;
}

void FaultTable::flip_tokens(std::int64_t request,
                             std::int64_t vocab,
                             std::span<std::int32_t> tokens) {
    for (auto& fault : faults_) {
        const auto here = fault.kind == FaultKind::token && fault.request == request &&
                          fault.position < static_cast<std::int64_t>(tokens.size());
        if (here) {
            auto& token = tokens[static_cast<std::size_t>(fault.position)];
            token = static_cast<std::int32_t>((token + 1) % vocab);
            fault.struck = true;
        }
    }
}

std::vector<std::string> FaultTable::unmet() const {
    std::vector<std::string> result;
    for (const auto& fault : faults_) {
        if (fault.kind != FaultKind::maths && !fault.struck) {
            result.push_back(fault.spec);
        }
    }
    return result;
}

}  // namespace engine::trace
