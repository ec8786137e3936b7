// SPDX-License-Identifier: Apache-2.0
// What the workloads of `bench` share: options, the order of a measurement, its lines.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/commands/engine.h"
#include "engine/commands/phase.h"
#include "engine/commands/protocol.h"

namespace engine::commands {

struct BenchOptions : EngineOptions {
    bool prefill = false;
    bool score = false;
    std::int64_t decode = 0;  // steps
    std::int64_t reps = 5;
    std::int64_t warm_up = 1;
};

// Prints the lines of protocol 1, or without --json a few for people. Progress goes to stderr.
class BenchLines {
  public:
    BenchLines(const BenchOptions& options, Engine& engine) : options_(options), engine_(engine) {}

    void hello() const;
    void progress(const char* what, std::int64_t index, std::int64_t count) const;
    void phase(const PhaseRun& run, std::int64_t rep, const PhasePlan& plan) const;
    void loss(const protocol::Loss& loss) const;
    void output(protocol::Output output) const;  // with the planted token faults
    void end(const PhasePlan& all, std::int64_t first_token_ns) const;

  private:
    const BenchOptions& options_;
    Engine& engine_;
};

// Other tokens than the measured ones, so that nothing about those can be remembered.
std::vector<std::int32_t> warm_up_tokens(std::vector<std::int32_t> ids, std::int64_t vocab);

// Warm-up, then reps that must repeat the first one. A workload has warm_up(), measure(rep) and
// compare_with_first(rep), which throws when a repeat differs.
template <class Workload>
void run_reps(const BenchOptions& options, const BenchLines& lines, Workload& workload) {
    for (std::int64_t i = 0; i < options.warm_up; ++i) {
        lines.progress("warm-up", i, options.warm_up);
        workload.warm_up();
    }
    for (std::int64_t rep = 0; rep < options.reps; ++rep) {
        lines.progress("rep", rep, options.reps);
        workload.measure(rep);
        workload.compare_with_first(rep);
    }
}

void bench_greedy(const BenchOptions& options, Engine& engine);  // prefill or decode
void bench_score(const BenchOptions& options, Engine& engine);

}  // namespace engine::commands
