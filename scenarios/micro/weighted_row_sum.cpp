// SPDX-License-Identifier: Apache-2.0
// `weighted_row_sum` as an expert layer of each model asks for it, stored and added.
#include "engine/ops/weighted_row_sum.h"

#include <fmt/format.h>

#include <set>

#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

namespace op = engine::ops::weighted_row_sum;

void weighted_row_sum(benchmark::State& state,
                      const Suite& suite,
                      std::int64_t width,
                      std::int64_t terms,
                      bool accumulate) {
    const auto rows = state.range(0);
    const Workbench bench(suite.threads, 0);
    const auto source = some_values(static_cast<std::size_t>(rows * terms * width));
    const auto weights = some_values(static_cast<std::size_t>(rows * terms));
    std::vector<float> sums(static_cast<std::size_t>(rows * width));
    std::vector<std::int32_t> indices(weights.size());
    for (std::size_t i = 0; i < indices.size(); ++i) {
        indices[i] = static_cast<std::int32_t>(i * 97 % indices.size());  // far apart, as picks are
    }
    const engine::cpu::WeightedRowSum<float> call{.packed = source.data(),
                                                  .packed_rows = rows * terms,
                                                  .slots = indices.data(),
                                                  .weights = weights.data(),
                                                  .out = sums.data(),
                                                  .width = width,
                                                  .top_k = terms,
                                                  .accumulate = accumulate};
    const op::Shape shape{.hidden = static_cast<double>(width),
                          .top_k = static_cast<double>(terms),
                          .element_bytes = sizeof(float),
                          .accumulates = accumulate};
    measure(state, suite, op::work(shape).at(rows),
            [&] { engine::cpu::weighted_row_sum(bench.backend(), call, rows); });
}

const bool added = add([](const Suite& suite) {
    std::set<std::string> seen;
    for (const auto& model : suite.models) {
        for (const auto& layer : model->geometry().layers) {
            const auto width = model->geometry().hidden, terms = layer.moe.top_k;
            for (const bool accumulate : {false, true}) {
                const auto name = fmt::format("{}{}/{}x{}", op::declaration.name,
                                              accumulate ? "_added" : "", terms, width);
                if (terms == 0 || !seen.insert(name).second) {
                    continue;
                }
                benchmark::RegisterBenchmark(name.c_str(),
                                             [&suite, width, terms, accumulate](auto& state) {
                                                 weighted_row_sum(state, suite, width, terms,
                                                                  accumulate);
                                             })
                    ->ArgName("rows")
                    ->Arg(1)
                    ->Arg(64)
                    ->Arg(512)
                    ->UseRealTime();
            }
        }
    }
});

}  // namespace
}  // namespace scenarios::micro
