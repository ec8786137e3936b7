// SPDX-License-Identifier: Apache-2.0
// `matmul` over the models' own weights: one benchmark per distinct shape and stored format.
#include "engine/ops/matmul.h"

#include <fmt/format.h>

#include <set>

#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace op = engine::ops::matmul;

void matmul(benchmark::State& state, const Suite& suite, const engine::ops::Matrix& weights) {
    const auto rows = state.range(0);
    const Workbench bench(suite.threads, engine::cpu::matmul_scratch(weights.cols));
    const auto x = some_values(static_cast<std::size_t>(rows * weights.cols));
    std::vector<float> y(static_cast<std::size_t>(rows * weights.rows));
    const engine::cpu::Matmul<float> call{&weights,
                                          x.data(),
                                          weights.cols,
                                          y.data(),
                                          weights.rows,
                                          rows,
                                          engine::cpu::Epilogue::none};
    const op::Shape shape{.in_features = static_cast<double>(weights.cols),
                          .out_features = static_cast<double>(weights.rows),
                          .weight_bytes = engine::ops::stored_bytes(weights),
                          .element_bytes = sizeof(float)};
    measure(state, suite, op::work(shape).at(rows), [&] {
        engine::cpu::matmul<float>(bench.backend(), {&call, 1});
    });
}

// The projections of one layer of each kind, and the head.
std::vector<const engine::ops::Matrix*> matrices(const engine::model::Weights& weights) {
    std::vector<const engine::ops::Matrix*> all;
    for (const auto& layer : weights.layers) {
        for (const auto* matrix :
             {&layer.mamba.in_proj, &layer.mamba.out_proj, &layer.attention.q, &layer.attention.o,
              &layer.moe.shared.up, &layer.moe.shared.down, &layer.mlp.up, &layer.mlp.down}) {
            all.push_back(matrix);
        }
        if (!layer.moe.experts.empty()) {
            all.push_back(&layer.moe.experts.front().up);
            all.push_back(&layer.moe.experts.front().down);
        }
    }
    all.push_back(&weights.lm_head);
    return all;
}

const bool added = add([](const Suite& suite) {
    std::set<std::string> seen;
    for (const auto& model : suite.models) {
        for (const auto* weights : matrices(model->weights())) {
            const auto name = fmt::format("{}/{}x{}", op::declaration(weights->format).name,
                                          weights->rows, weights->cols);
            if (weights->data == nullptr || !seen.insert(name).second) {
                continue;
            }
            benchmark::RegisterBenchmark(
                name.c_str(),
                [&suite, weights](benchmark::State& state) { matmul(state, suite, *weights); })
                ->ArgName("rows")
                ->Arg(1)
                ->Arg(64)
                ->Arg(512)
                ->UseRealTime();
        }
    }
});

}  // namespace
}  // namespace scenarios::micro
