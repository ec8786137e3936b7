// SPDX-License-Identifier: Apache-2.0
// Writes the protocol lines.
#include "engine/commands/protocol.h"

#include <nlohmann/json.hpp>

#include "engine/commands/token_source.h"
#include "version.h"

namespace engine::commands::protocol {
namespace {

using Json = nlohmann::ordered_json;

Json known(const char* text) {
    return *text == '\0' ? Json(nullptr) : Json(text);
}

Json build() {
    namespace version = tare::version;
    return {{"release", known(version::release)},
            {"commit", known(version::commit)},
            {"dirty_diff_sha256", known(version::dirty_diff_sha256)},
            {"compiler", known(version::compiler)},
            {"flags", known(version::flags)},
            {"build_type", known(version::build_type)},
            {"sanitize", known(version::sanitize)}};
}

}  // namespace

std::string hello_line(const Hello& hello) {
    const auto& model = *hello.model;
    return Json{{"type", "hello"},
                {"protocol", 1},
                {"build", build()},
                {"model",
                 {{"name", model.name()},
                  {"sha256", model.sha256()},
                  {"parameters", model.weights().parameters},
                  {"formats", model.weights().formats}}},
                {"backend", hello.backend},
                {"threads", hello.threads},
                {"isa", hello.isa},
                {"precision", hello.precision},
                {"clock", "monotonic_raw"},
                {"prompt", {{"tokens", hello.prompt_tokens}, {"sha256", hello.prompt_sha256}}},
                {"faults", hello.faults},
                {"machine_roof", nullptr}}
        .dump();
}

std::string rep_line(const PhaseRun& run, std::int64_t rep) {
    return Json{
        {"type", "rep"},        {"phase", run.phase},   {"rep", rep},    {"begin_ns", run.begin_ns},
        {"end_ns", run.end_ns}, {"tokens", run.tokens}, {"ops", run.ops}}
        .dump();
}

std::string counters_line(const PhaseRun& run, std::int64_t rep, std::uint64_t ops_planned) {
    return Json{{"type", "counters"},
                {"phase", run.phase},
                {"rep", rep},
                {"ops_planned", ops_planned},
                {"expert_rows_asked", run.counters.expert_rows_asked},
                {"expert_rows_done", run.counters.expert_rows_done},
                {"experts_hit", run.counters.experts_hit}}
        .dump();
}

std::string output_line(const Output& output) {
    return Json{{"type", "output"},
                {"request", output.request},
                {"tokens", output.tokens},
                {"margins", output.margins},
                {"sha256", tokens_sha256(output.tokens)}}
        .dump();
}

std::string memory_line(const Memory& memory) {
    const auto resident = memory.state_bytes + memory.weights_bytes;
    return Json{{"type", "memory"},
                {"planned_bytes", resident + memory.scratch_planned_bytes},
                {"used_bytes", resident + memory.scratch_used_bytes},
                {"scratch_planned_bytes", memory.scratch_planned_bytes},
                {"scratch_used_bytes", memory.scratch_used_bytes},
                {"state_bytes", memory.state_bytes},
                {"weights_bytes", memory.weights_bytes},
                {"peak_bytes", memory.peak_bytes == 0 ? Json(nullptr) : Json(memory.peak_bytes)}}
        .dump();
}

std::string end_line(std::int64_t first_token_ns) {
    return Json{{"type", "end"}, {"first_token_ns", first_token_ns}}.dump();
}

}  // namespace engine::commands::protocol
