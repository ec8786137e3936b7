// SPDX-License-Identifier: Apache-2.0
// One reader per protocol ever shipped; a line is taken whole or named as a problem.
#include "reports/ingest/engine_lines.h"

#include <fmt/format.h>

#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <type_traits>

#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"

namespace reports::ingest {
namespace {

using nlohmann::json;

// As a value a line takes a few times its length in memory.
constexpr std::size_t longest_line_bytes = 32 << 20;
constexpr std::size_t most_bad_lines = 10'000;

[[noreturn]] void refuse(const char* field, const json& value, std::string_view accepted) {
    throw std::invalid_argument(fmt::format("field '{}' is {}; accepted: {}", field,
                                            engine::format::shown(value), accepted));
}

void read(const json& value, const char* field, std::string& out) {
    if (!value.is_string()) refuse(field, value, "a string");
    out = value.get<std::string>();
}

void read(const json& value, const char* field, double& out) {
    const auto number = engine::format::finite_number(value);
    if (!number) refuse(field, value, "a finite number");
    out = *number;
}

template <class T>
requires std::is_integral_v<T>

void read(const json& value, const char* field, T& out) {
    const auto number = engine::format::whole_number<T>(value);
    if (!number) {
        refuse(field, value,
               fmt::format("a whole number from {} to {}", std::numeric_limits<T>::min(),
                           std::numeric_limits<T>::max()));
    }
    out = *number;
}

template <class T>
void read(const json& value, const char* field, std::vector<T>& out) {
    if (!value.is_array()) refuse(field, value, "a list");
    for (const json& entry : value) read(entry, field, out.emplace_back());
}

// Fields may be null or absent: unknown.
template <class T>
std::optional<T> maybe(const json& object, const char* field) {
    const auto found = object.find(field);
    if (found == object.end() || found->is_null()) return std::nullopt;
    T value{};
    read(*found, field, value);
    return value;
}

template <class T>
T need(const json& object, const char* field) {
    auto value = maybe<T>(object, field);
    if (!value) throw std::invalid_argument(fmt::format("field '{}' is missing", field));
    return std::move(*value);
}

const json& part(const json& object, const char* field) {
    static const json nothing = json::object();
    const auto found = object.find(field);
    return found != object.end() && found->is_object() ? *found : nothing;
}

void take_hello(const json& line, EngineLines& out) {
    out.clock = maybe<std::string>(line, "clock");
    out.moe = maybe<std::string>(line, "moe");
    out.commit = maybe<std::string>(part(line, "build"), "commit");
    out.model_sha256 = maybe<std::string>(part(line, "model"), "sha256");
    out.prompt_sha256 = maybe<std::string>(part(line, "prompt"), "sha256");
    out.faults =
        maybe<std::vector<std::string>>(line, "faults").value_or(std::vector<std::string>{});
}

void take_rep(const json& line, EngineLines& out) {
    RepLine rep{.phase = need<std::string>(line, "phase"),
                .rep = need<int>(line, "rep"),
                .begin_ns = need<std::int64_t>(line, "begin_ns"),
                .end_ns = need<std::int64_t>(line, "end_ns"),
                .tokens = need<std::int64_t>(line, "tokens"),
                .ops = need<std::int64_t>(line, "ops")};
    if (rep.end_ns <= rep.begin_ns) {
        throw std::invalid_argument(
            fmt::format("end_ns {} is not after begin_ns {}", rep.end_ns, rep.begin_ns));
    }
    if (!out.rep_index.try_emplace({rep.phase, rep.rep}, out.reps.size()).second) {
        throw std::invalid_argument(
            fmt::format("phase {} rep {} was there before", rep.phase, rep.rep));
    }
    out.reps.push_back(std::move(rep));
}

void take_counters(const json& line, EngineLines& out) {
    out.counters.push_back({.phase = need<std::string>(line, "phase"),
                            .rep = need<int>(line, "rep"),
                            .ops_planned = maybe<std::int64_t>(line, "ops_planned"),
                            .expert_rows_asked = maybe<std::int64_t>(line, "expert_rows_asked"),
                            .expert_rows_planned = maybe<std::int64_t>(line, "expert_rows_planned"),
                            .expert_rows_done = maybe<std::int64_t>(line, "expert_rows_done"),
                            .experts_hit = maybe<std::int64_t>(line, "experts_hit")});
}

void take_output(const json& line, EngineLines& out) {
    OutputLine output{.request = need<int>(line, "request"),
                      .tokens = need<std::vector<std::int64_t>>(line, "tokens"),
                      .margins = need<std::vector<double>>(line, "margins"),
                      .sha256 = need<std::string>(line, "sha256")};
    for (const OutputLine& other : out.outputs) {
        if (other.request != output.request) continue;
        throw std::invalid_argument(
            fmt::format("the output of request {} was there before", output.request));
    }
    out.outputs.push_back(std::move(output));
}

void take_loss(const json& line, EngineLines& out) {
    // Of a text too short to foretell anything nothing is said.
    if (maybe<std::int64_t>(line, "tokens") == 0 && !maybe<double>(line, "nll_mean")) return;
    LossLine loss{.request = need<int>(line, "request"),
                  .name = need<std::string>(line, "name"),
                  .tokens = need<std::int64_t>(line, "tokens"),
                  .nll_sum = need<double>(line, "nll_sum"),
                  .nll_mean = need<double>(line, "nll_mean"),
                  .sha256 = need<std::string>(line, "sha256")};
    for (const LossLine& other : out.losses) {
        if (other.request != loss.request) continue;
        throw std::invalid_argument(
            fmt::format("the loss of request {} was there before", loss.request));
    }
    out.losses.push_back(std::move(loss));
}

void take_memory(const json& line, EngineLines& out) {
    out.memory = {.planned_bytes = maybe<std::int64_t>(line, "planned_bytes"),
                  .used_bytes = maybe<std::int64_t>(line, "used_bytes"),
                  .scratch_planned_bytes = maybe<std::int64_t>(line, "scratch_planned_bytes"),
                  .scratch_used_bytes = maybe<std::int64_t>(line, "scratch_used_bytes"),
                  .state_bytes = maybe<std::int64_t>(line, "state_bytes"),
                  .weights_bytes = maybe<std::int64_t>(line, "weights_bytes"),
                  .peak_bytes = maybe<std::int64_t>(line, "peak_bytes")};
}

void take_end(const json& line, EngineLines& out) {
    out.ended = true;
    out.first_token_ns = maybe<std::int64_t>(line, "first_token_ns");
}

// Types a protocol may add later are passed over: fields and lines are only added.
void read_protocol_1(const json& line, EngineLines& out) {
    using Take = void (*)(const json&, EngineLines&);
    static const std::map<std::string, Take> takers = {
        {"hello", take_hello},   {"rep", take_rep},   {"counters", take_counters},
        {"output", take_output}, {"loss", take_loss}, {"memory", take_memory},
        {"end", take_end}};
    const auto taker = takers.find(need<std::string>(line, "type"));
    if (taker != takers.end()) taker->second(line, out);
}

using ProtocolReader = void (*)(const json&, EngineLines&);

const std::map<int, ProtocolReader>& readers() {
    static const std::map<int, ProtocolReader> all = {{1, read_protocol_1}};
    return all;
}

// The first line names the protocol; without a reader for it nothing below can be trusted.
ProtocolReader choose_reader(const json& line, EngineLines& out) {
    if (maybe<std::string>(line, "type") != "hello") {
        throw std::invalid_argument("the first line is not of type \"hello\"");
    }
    out.protocol = need<int>(line, "protocol");
    const auto found = readers().find(*out.protocol);
    if (found == readers().end()) {
        throw std::invalid_argument(
            fmt::format("protocol {} is unknown; this tare reads up to protocol {}. Measure with a "
                        "tare as new as the process",
                        *out.protocol, readers().rbegin()->first));
    }
    return found->second;
}

// Cut to fit into a sentence, with what cannot be printed as \xNN.
std::string shortened(std::string_view line) {
    constexpr std::size_t limit = 60;
    std::string out;
    for (const char c : line.substr(0, limit)) {
        const auto byte = static_cast<unsigned char>(c);
        out += byte < 0x20 || byte >= 0x7f ? fmt::format("\\x{:02x}", byte) : std::string(1, c);
    }
    return line.size() <= limit ? out : fmt::format("{}... ({} bytes)", out, line.size());
}

// The first problems say what is wrong; a flood of them only how much.
void add_problem(std::string text, EngineLines& out) {
    constexpr std::size_t most = 20;
    if (out.problems.size() < most) {
        out.problems.push_back(std::move(text));
    } else {
        ++out.more_problems;
    }
}

// False: the rest cannot be read either.
bool take_line(std::string_view text, int number, ProtocolReader& reader, EngineLines& out) {
    try {
        if (text.size() > longest_line_bytes) {
            throw std::invalid_argument(
                fmt::format("longer than {} MiB", longest_line_bytes >> 20));
        }
        const json line = json::parse(text);
        if (!line.is_object()) throw std::invalid_argument("not a JSON object");
        if (reader == nullptr) reader = choose_reader(line, out);
        reader(line, out);
    } catch (const json::parse_error&) {
        add_problem(fmt::format("engine line {}: not JSON: '{}'", number, shortened(text)), out);
    } catch (const std::exception& error) {  // invalid_argument, json::type_error
        add_problem(fmt::format("engine line {}: {}: '{}'", number, error.what(), shortened(text)),
                    out);
    }
    return reader != nullptr;
}

void read_lines(std::string_view text, EngineLines& out) {
    ProtocolReader reader = nullptr;
    int number = 0;
    while (!text.empty()) {
        const std::size_t end = text.find('\n');
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
        ++number;
        if (line.empty()) continue;
        if (!take_line(line, number, reader, out)) return;
        if (out.more_problems >= most_bad_lines) {
            out.problems.push_back(fmt::format("nothing behind line {} was looked at", number));
            return;
        }
    }
    if (!out.ended) {
        out.problems.push_back(
            fmt::format("the process did not finish: no \"end\" line after {} lines; its stderr "
                        "may say why (tare show)",
                        number));
    }
}

}  // namespace

const RepLine* EngineLines::find_rep(const std::string& phase, int rep) const {
    const auto found = rep_index.find({phase, rep});
    return found == rep_index.end() ? nullptr : &reps[found->second];
}

std::vector<int> known_protocols() {
    std::vector<int> numbers;
    for (const auto& [number, reader] : readers()) numbers.push_back(number);
    return numbers;
}

EngineLines read_engine_lines(std::string_view text) {
    EngineLines out;
    read_lines(text, out);
    if (out.more_problems > 0) {
        out.problems.push_back(fmt::format("{} more lines like these", out.more_problems));
    }
    return out;
}

}  // namespace reports::ingest
