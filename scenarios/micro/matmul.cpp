// SPDX-License-Identifier: Apache-2.0
// `matmul` over the models' own weights: one benchmark per distinct shape and stored format.
#include "engine/ops/matmul.h"

#include <fmt/format.h>

#include <memory>
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

// No shipped model has eight-bit weights: codes of every value but NaN, in the shape of a given
// one.
struct EightBit {
    std::vector<std::byte> codes;
    engine::ops::Matrix matrix{};
};

std::shared_ptr<const EightBit> eight_bit_of(const engine::ops::Matrix& like) {
    const auto result = std::make_shared<EightBit>();
    for (std::int64_t i = 0; i < like.rows * like.cols; ++i) {
        const auto code = static_cast<unsigned char>(i * 37 + i / 251);
        result->codes.push_back(
            std::byte{(code & 127) == 127 ? static_cast<unsigned char>(0) : code});
    }
    result->matrix = {engine::ops::Format::fp8, like.rows, like.cols,
                      result->codes.data(),     nullptr,   0.01f};
    return result;
}

std::string name_of(const engine::ops::Matrix& weights) {
    return fmt::format("{}/{}x{}", op::declaration(weights.format).name, weights.rows,
                       weights.cols);
}

// keep: what the matrix lies in, where that is not the suite's.
void add_shape(const Suite& suite,
               const engine::ops::Matrix& weights,
               const std::shared_ptr<const EightBit>& keep = nullptr) {
    benchmark::RegisterBenchmark(
        name_of(weights).c_str(),
        [&suite, &weights, keep](benchmark::State& state) { matmul(state, suite, weights); })
        ->ArgName("rows")
        ->Arg(1)
        ->Arg(64)
        ->Arg(512)
        ->UseRealTime();
}

const bool added = add([](const Suite& suite) {
    std::set<std::string> seen;
    for (const auto& model : suite.models) {
        for (const auto* weights : matrices(model->weights())) {
            if (weights->data == nullptr || !seen.insert(name_of(*weights)).second) {
                continue;
            }
            add_shape(suite, *weights);
            if (weights->format == engine::ops::Format::bf16) {
                const auto eight = eight_bit_of(*weights);
                add_shape(suite, eight->matrix, eight);
            }
        }
    }
});

}  // namespace
}  // namespace scenarios::micro
