// SPDX-License-Identifier: Apache-2.0
// Registration, counters and the closing summary.
#include "scenarios/micro/suite.h"

#include <fmt/format.h>

#include <algorithm>

#include "engine/trace/clock.h"

namespace scenarios::micro {
namespace {

using Register = void (*)(const Suite&);

// Functions, not objects: files add themselves before main, in any order.
std::vector<Register>& registrations() {
    static std::vector<Register> all;
    return all;
}

std::vector<Target>& targets() {
    static std::vector<Target> all;
    return all;
}

}  // namespace

const engine::cpu::Roof& Suite::roof() const {
    static const auto measured = engine::cpu::measure_roof(threads);
    return measured;
}

bool add(Register register_them) {
    registrations().push_back(register_them);
    return true;
}

void register_all(const Suite& suite) {
    for (const auto register_them : registrations()) {
        register_them(suite);
    }
}

Workbench::Workbench(int threads, engine::cpu::Index thread_scratch)
    : pool_(engine::cpu::roof_threads(threads)),
      scratch_(static_cast<std::size_t>(pool_.threads() * thread_scratch)),
      backend_{&engine::cpu::choose_kernels<float>(engine::cpu::Set::automatic), &pool_,
               scratch_.data(), thread_scratch} {}

std::vector<float> some_values(std::size_t count) {
    std::vector<float> values(count);
    std::uint32_t state = 1;
    for (auto& value : values) {
        state = state * 1664525U + 1013904223U;  // Numerical Recipes' generator
        value = static_cast<float>(state >> 8) / static_cast<float>(1 << 23) - 1;
    }
    return values;
}

double now_s() {
    return static_cast<double>(engine::trace::now_ns()) / 1e9;
}

void report(benchmark::State& state,
            const Suite& suite,
            const engine::ops::Work& work,
            double seconds_per_iteration) {
    const auto bytes = work.bytes_read + work.bytes_written;
    const auto floor_s =
        std::max(bytes / suite.roof().copy_bytes_per_s, work.flops / suite.roof().flops_per_s);
    state.counters["GB/s"] = bytes / seconds_per_iteration / 1e9;
    state.counters["GFLOP/s"] = work.flops / seconds_per_iteration / 1e9;
    state.counters["roof_share"] = floor_s / seconds_per_iteration;
}

void note_target(const Target& target) {
    const auto same = std::find_if(targets().begin(), targets().end(),
                                   [&](const Target& other) { return other.what == target.what; });
    if (same == targets().end()) {
        targets().push_back(target);
    } else {
        *same = target;
    }
}

void print_summary(const Suite& suite) {
    if (targets().empty()) {
        return;
    }
    fmt::print(stderr, "\nroofs: copy {:.2f} GB/s, sgemm {:.2f} GFLOP/s ({})\n",
               suite.roof().copy_bytes_per_s / 1e9, suite.roof().flops_per_s / 1e9,
               suite.roof().how);
    for (const auto& target : targets()) {
        const auto met =
            target.at_most ? target.value <= target.limit : target.value >= target.limit;
        fmt::print(stderr, "{:32} {:10.3f} {:10} target {} {:g}: {}\n", target.what, target.value,
                   target.unit, target.at_most ? "<=" : ">=", target.limit, met ? "met" : "missed");
    }
}

}  // namespace scenarios::micro
