// SPDX-License-Identifier: Apache-2.0
// Writes the protocol lines.
#include "engine/commands/protocol.h"

#include <nlohmann/json.hpp>

#include "engine/commands/json_text.h"
#include "engine/format/sha256.h"
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

Json prompt(const Hello& hello) {
    Json json{{"tokens", hello.prompt_tokens}, {"sha256", hello.prompt_sha256}};
    if (hello.prompt_texts) {
        json["texts"] = *hello.prompt_texts;
    }
    return json;
}

}  // namespace

std::string hello_line(const Hello& hello) {
    const auto& model = *hello.model;
    return json_text(Json{{"type", "hello"},
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
                          {"moe", hello.moe},
                          {"clock", "monotonic_raw"},
                          {"prompt", prompt(hello)},
                          {"faults", hello.faults},
                          {"machine_roof", nullptr}});
}

std::string rep_line(const PhaseRun& run, std::int64_t rep) {
    return json_text(Json{{"type", "rep"},
                          {"phase", run.phase},
                          {"rep", rep},
                          {"begin_ns", run.begin_ns},
                          {"end_ns", run.end_ns},
                          {"tokens", run.tokens},
                          {"ops", run.ops}});
}

std::string counters_line(const PhaseRun& run, std::int64_t rep, const PhasePlan& plan) {
    return json_text(Json{{"type", "counters"},
                          {"phase", run.phase},
                          {"rep", rep},
                          {"ops_planned", plan.ops},
                          {"expert_rows_asked", run.counters.expert_rows_asked},
                          {"expert_rows_planned", plan.expert_rows},
                          {"expert_rows_done", run.counters.expert_rows_done},
                          {"experts_hit", run.counters.experts_hit}});
}

std::string output_line(const Output& output) {
    return json_text(Json{{"type", "output"},
                          {"request", output.request},
                          {"tokens", output.tokens},
                          {"margins", output.margins},
                          {"sha256", format::token_ids_sha256(output.tokens)}});
}

std::string loss_line(const Loss& loss) {
    return json_text(Json{{"type", "loss"},
                          {"request", loss.request},
                          {"name", loss.name},
                          {"tokens", loss.tokens},
                          {"nll_sum", loss.nll_sum},
                          {"nll_mean", loss.nll_mean ? Json(*loss.nll_mean) : Json(nullptr)},
                          {"sha256", loss.sha256}});
}

std::string memory_line(const Memory& memory) {
    const auto resident = memory.state_bytes + memory.weights_bytes;
    return json_text(Json{
        {"type", "memory"},
        {"planned_bytes",
         resident + memory.scratch_planned_bytes + memory.thread_scratch_planned_bytes},
        {"used_bytes", resident + memory.scratch_used_bytes + memory.thread_scratch_used_bytes},
        {"scratch_planned_bytes", memory.scratch_planned_bytes},
        {"scratch_used_bytes", memory.scratch_used_bytes},
        {"thread_scratch_planned_bytes", memory.thread_scratch_planned_bytes},
        {"thread_scratch_used_bytes", memory.thread_scratch_used_bytes},
        {"state_bytes", memory.state_bytes},
        {"weights_bytes", memory.weights_bytes},
        {"peak_bytes", memory.peak_bytes == 0 ? Json(nullptr) : Json(memory.peak_bytes)}});
}

std::string end_line(std::int64_t first_token_ns) {
    return json_text(Json{{"type", "end"}, {"first_token_ns", first_token_ns}});
}

}  // namespace engine::commands::protocol
