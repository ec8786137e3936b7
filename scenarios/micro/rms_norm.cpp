// SPDX-License-Identifier: Apache-2.0
// `rms_norm` at the hidden size of each model. The pattern for a new op: bind its call, take its
// counted work from its declaration, add it.
#include "engine/ops/rms_norm.h"

#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace op = engine::ops::rms_norm;

void rms_norm(benchmark::State& state,
              const Suite& suite,
              const engine::model::Geometry& geometry) {
    const auto rows = state.range(0);
    const auto width = geometry.hidden;
    const Workbench bench(suite.threads, 0);
    const auto x = some_values(static_cast<std::size_t>(rows * width));
    const auto weight = some_values(static_cast<std::size_t>(width));
    std::vector<float> y(x.size());
    const engine::cpu::RmsNorm<float> call{x.data(), weight.data(), y.data(), width,
                                           static_cast<float>(geometry.epsilon)};
    const op::Shape shape{.hidden = static_cast<double>(width), .element_bytes = sizeof(float)};
    measure(state, suite, op::work(shape).at(rows),
            [&] { engine::cpu::rms_norm(bench.backend(), call, rows); });
}

const bool added = add([](const Suite& suite) {
    const auto& geometry = suite.models.front()->geometry();
    const auto name = std::string(op::declaration.name) + "/" + std::to_string(geometry.hidden);
    benchmark::RegisterBenchmark(name.c_str(),
                                 [&](benchmark::State& state) { rms_norm(state, suite, geometry); })
        ->ArgName("rows")
        ->Arg(1)
        ->Arg(64)
        ->Arg(512)
        ->UseRealTime();
});

}  // namespace
}  // namespace scenarios::micro
