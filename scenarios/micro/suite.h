// SPDX-License-Identifier: Apache-2.0
// What the benchmarks of tare-micro share. A new op is one new file here: see rms_norm.cpp.
#pragma once

#include <benchmark/benchmark.h>

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "engine/cpu/backend.h"
#include "engine/cpu/pool.h"
#include "engine/cpu/roof.h"
#include "engine/model/model.h"
#include "engine/ops/op.h"

namespace scenarios::micro {

struct Suite {
    std::vector<std::filesystem::path> model_folders;
    std::string tokens_file;  // prompt of the whole-model benchmarks
    int threads = 0;          // 0: one per core
    std::vector<std::unique_ptr<const engine::model::Model>> models;  // one per folder

    // Measured once per process, at the first call.
    const engine::cpu::Roof& roof() const;
};

// Adds a file's benchmarks: `register_them` is called once, before any of them runs.
// Returns true, so that it can initialise a constant at namespace scope.
bool add(void (*register_them)(const Suite&));

void register_roofs(const Suite& suite);  // first, so that they head the report
void register_all(const Suite& suite);

// Float32 kernels with threads and scratch for one op, as a session would have them.
class Workbench {
  public:
    Workbench(int threads, engine::cpu::Index thread_scratch);  // scratch in elements, per thread

    const engine::cpu::Backend<float>& backend() const { return backend_; }

  private:
    engine::cpu::Pool pool_;
    std::vector<float> scratch_;
    engine::cpu::Backend<float> backend_;
};

// Values in (-1, 1) that are the same in every run.
std::vector<float> some_values(std::size_t count);

// Runs `body` for the benchmark and reports its counted work: GB/s, GFLOP/s, and roof_share, the
// shortest time that the roofs allow for that work over the time it took. Small ops live in the
// caches, above the copy roof: their share can exceed 1.
template <class Body>
void measure(benchmark::State& state,
             const Suite& suite,
             const engine::ops::Work& work,
             const Body& body);

void report(benchmark::State& state,
            const Suite& suite,
            const engine::ops::Work& work,
            double seconds_per_iteration);

// A line of the summary at the end: a figure beside the limit it is held against.
struct Target {
    std::string what;
    double value = 0;
    double limit = 0;
    bool at_most = true;  // false: at least
    std::string unit;
};

void note_target(const Target& target);  // a later one with the same `what` replaces it
void print_summary(const Suite& suite);  // to stderr; stdout is the benchmark report's

double now_s();

template <class Body>
void measure(benchmark::State& state,
             const Suite& suite,
             const engine::ops::Work& work,
             const Body& body) {
    suite.roof();  // measured before the clock starts
    body();        // first touch of memory and weights
    const auto begin_s = now_s();
    for (auto _ : state) {
        body();
    }
    report(state, suite, work, (now_s() - begin_s) / static_cast<double>(state.iterations()));
}

}  // namespace scenarios::micro
