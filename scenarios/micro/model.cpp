// SPDX-License-Identifier: Apache-2.0
// The whole model: prefill of the 4,314-token prompt, and decode after it, beside their targets.
#include "engine/commands/engine.h"
#include "engine/commands/greedy.h"
#include "engine/commands/peak_memory.h"
#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace commands = engine::commands;

constexpr std::int64_t decode_steps = 128;

std::unique_ptr<commands::Engine> open(const Suite& suite) {
    commands::EngineOptions options;
    options.model = suite.model_folders.front().string();
    options.tokens_file = suite.tokens_file;
    options.threads = suite.threads;
    return commands::open_engine(options, decode_steps);
}

// The roofs' buffers must not count: the peak starts again here.
void begin_peak(const Suite& suite) {
    suite.roof();
    commands::reset_peak();
}

void note_peak(benchmark::State& state) {
    const auto peak_mb = static_cast<double>(commands::peak_bytes()) / 1e6;
    state.counters["peak_MB"] = peak_mb;
    note_target({"peak memory", peak_mb, 400, true, "MB"});
}

void prefill(benchmark::State& state, const Suite& suite) {
    begin_peak(suite);
    const auto engine = open(suite);
    commands::Greedy greedy(*engine);
    double seconds = 0;
    for (auto _ : state) {
        seconds = greedy.prefill(engine->prompt.ids, 0).seconds();
    }
    const auto tokens = static_cast<double>(engine->prompt.ids.size());
    state.counters["tokens/s"] = tokens / seconds;
    note_peak(state);
    note_target({"prefill of 4314 tokens", seconds, 4, true, "s"});
}

void decode(benchmark::State& state, const Suite& suite) {
    begin_peak(suite);
    const auto engine = open(suite);
    commands::Greedy greedy(*engine);
    greedy.prefill(engine->prompt.ids, -1);
    double seconds = 0;
    for (auto _ : state) {
        seconds = greedy.decode(decode_steps, 0, [](const auto&) { return true; }).seconds();
    }
    state.counters["tokens/s"] = decode_steps / seconds;
    note_peak(state);
    note_target({"decode at context 4314", decode_steps / seconds, 250, false, "tokens/s"});
}

const bool added = add([](const Suite& suite) {
    using benchmark::RegisterBenchmark, benchmark::kMillisecond;
    RegisterBenchmark("model/prefill/4314", [&](auto& state) { prefill(state, suite); })
        ->Iterations(1)
        ->Unit(kMillisecond)
        ->UseRealTime();
    // One iteration is 128 steps, so that the context stays near 4,314.
    RegisterBenchmark("model/decode/4314", [&](auto& state) { decode(state, suite); })
        ->Iterations(1)
        ->Unit(kMillisecond)
        ->UseRealTime();
});

}  // namespace
}  // namespace scenarios::micro
