// SPDX-License-Identifier: Apache-2.0
// What the op tests share: random inputs, a backend per instruction set, comparison.
#pragma once

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <random>
#include <vector>

#include "engine/cpu/backend.h"

namespace op_fixture {

using engine::cpu::Backend;
using engine::cpu::Index;
using engine::cpu::Set;

template <class T>
std::vector<T> random(Index count, unsigned seed, double scale = 1.0) {
    std::mt19937 generator(seed);
    std::uniform_real_distribution<double> uniform(-scale, scale);
    std::vector<T> result(static_cast<std::size_t>(count));
    for (T& value : result) value = T(uniform(generator));
    return result;
}

// Backend with its own pool and scratch.
template <class T>
class Machine {
  public:
    Machine(Set set, int threads, Index thread_scratch)
        : pool_(threads), scratch_(static_cast<std::size_t>(threads * thread_scratch)) {
        backend_ = {&engine::cpu::choose_kernels<T>(set), &pool_, scratch_.data(), thread_scratch};
    }

    const Backend<T>& operator*() const { return backend_; }

  private:
    engine::cpu::Pool pool_;
    std::vector<T> scratch_;
    Backend<T> backend_;
};

// Relative L2 distance.
template <class T>
double distance(const std::vector<T>& seen, const std::vector<double>& expected) {
    EXPECT_EQ(seen.size(), expected.size());
    double error = 0, size = 1e-300;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        error += (double(seen[i]) - expected[i]) * (double(seen[i]) - expected[i]);
        size += expected[i] * expected[i];
    }
    return std::sqrt(error / size);
}

// Runs body(machine) -> std::vector<T> on every instruction set and with 1 and 3 threads; all give
// the same bytes, which are returned.
template <class T, class Body>
std::vector<T> everywhere(Index thread_scratch, const Body& body) {
    std::vector<T> first;
    for (const Set set : {Set::baseline, Set::automatic}) {
        for (const int threads : {1, 3}) {
            const Machine<T> machine(set, threads, thread_scratch);
            const std::vector<T> result = body(*machine);
            if (first.empty()) first = result;
            EXPECT_EQ(result.size(), first.size());
            EXPECT_EQ(std::memcmp(result.data(), first.data(), result.size() * sizeof(T)), 0)
                << "threads or instruction set changed the bytes";
        }
    }
    return first;
}

// Bound for a relative L2 distance from the float64 reference.
template <class T>
constexpr double bound(double tolerance_f32) {
    return sizeof(T) == 4 ? tolerance_f32 : 1e-13;
}

using Precisions = testing::Types<float, double>;

}  // namespace op_fixture
