// SPDX-License-Identifier: Apache-2.0
// `row_slice`: what a checked view costs. It moves nothing, so only its time says something.
#include "engine/cpu/row_slice.h"

#include "engine/ops/row_slice.h"
#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace op = engine::ops::row_slice;

void row_slice(benchmark::State& state, const Suite& suite) {
    const auto width = suite.models.front()->geometry().hidden;
    auto values = some_values(static_cast<std::size_t>(512 * width));
    const engine::cpu::RowSlice<float> rows(values.data(), 512, width);
    std::int64_t first = 0;
    for (auto _ : state) {
        benchmark::DoNotOptimize(rows.slice(first, 64).data());
        first = (first + 61) % 448;
    }
}

const bool added = add([](const Suite& suite) {
    const auto name = std::string(op::declaration.name) + "/64";
    benchmark::RegisterBenchmark(name.c_str(), [&](benchmark::State& state) {
        row_slice(state, suite);
    })->UseRealTime();
});

}  // namespace
}  // namespace scenarios::micro
