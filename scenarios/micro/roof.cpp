// SPDX-License-Identifier: Apache-2.0
// The machine's roofs as benchmarks: `roof/copy`, `roof/sgemm`.
#include "engine/cpu/roof.h"

#include <algorithm>

#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

// One iteration is one measurement, itself the best of several.
void copy(benchmark::State& state, int threads) {
    double rate = 0;
    for (auto _ : state) {
        rate = std::max(rate, engine::cpu::measure_copy_bytes_per_s(threads));
    }
    state.counters["GB/s"] = rate / 1e9;
}

void sgemm(benchmark::State& state, int threads) {
    double rate = 0;
    for (auto _ : state) {
        rate = std::max(rate, engine::cpu::measure_flops_per_s(threads));
    }
    state.counters["GFLOP/s"] = rate / 1e9;
}

}  // namespace

void register_roofs(const Suite& suite) {
    const auto threads = engine::cpu::roof_threads(suite.threads);
    benchmark::RegisterBenchmark("roof/copy", copy, threads)->Iterations(1)->UseRealTime();
    benchmark::RegisterBenchmark("roof/sgemm", sgemm, threads)->Iterations(1)->UseRealTime();
}

}  // namespace scenarios::micro
