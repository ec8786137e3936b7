// SPDX-License-Identifier: Apache-2.0
// How fast weights come from a seed, by the type they are stored in.
#include <benchmark/benchmark.h>

#include <vector>

#include "engine/synthetic/fill.h"
#include "engine/synthetic/scale.h"
#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace synthetic = engine::synthetic;

constexpr std::size_t bytes = std::size_t{64} << 20;

void fill(benchmark::State& state, const Suite& suite, const synthetic::Rule& rule) {
    const synthetic::Entry entry{.name = "weight", .shape = {}, .rule = rule};
    std::vector<std::byte> out(bytes);
    const synthetic::Slice slice{&entry, 0, out};
    for (auto _ : state) {
        synthetic::fill(std::span(&slice, 1), 0, suite.threads);
        benchmark::DoNotOptimize(out.data());
    }
    state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(bytes));
}

const bool added = add([](const Suite& suite) {
    const auto one = [&](const char* name, const synthetic::Rule& rule) {
        benchmark::RegisterBenchmark(name, [&suite, rule](benchmark::State& state) {
            fill(state, suite, rule);
        })->UseRealTime();
    };
    one("synthetic_fill/bf16", synthetic::bf16_rule({1, 2688}));
    one("synthetic_fill/e4m3", synthetic::e4m3_rule());
    one("synthetic_fill/e2m1", {.kind = synthetic::Kind::e2m1});
});

}  // namespace
}  // namespace scenarios::micro
