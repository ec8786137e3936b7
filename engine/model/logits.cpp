// SPDX-License-Identifier: Apache-2.0
// What is read off a row of logits: the pick, and how likely a given token was.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <stdexcept>

#include "engine/cpu/backend.h"
#include "engine/model/session.h"

namespace engine::model {

namespace {

// body(const T* row) with the precision the block has.
template <class Body>
auto with_row(const LogitsBlock& block, std::int64_t row, const Body& body) {
    if (row < 0 || row >= block.rows) {
        throw std::out_of_range(fmt::format("row {} of a block of {} rows", row, block.rows));
    }
    return block.f32 ? body(block.f32 + row * block.vocab) : body(block.f64 + row * block.vocab);
}

}  // namespace

Pick pick(const LogitsBlock& block, std::int64_t row) {
    return with_row(block, row, [&](const auto* logits) {
        double best = -std::numeric_limits<double>::infinity(), second = best;
        std::int64_t token = 0;
        for (std::int64_t i = 0; i < block.vocab; ++i) {
            const double value = logits[i];
            if (value > best) {
                second = best;
                best = value;
                token = i;
            } else if (value > second) {
                second = value;
            }
        }
        return Pick{.token = static_cast<std::int32_t>(token), .margin = best - second};
    });
}

double nll(const LogitsBlock& block, std::int64_t row, std::int32_t target) {
    if (target < 0 || target >= block.vocab) {
        throw std::out_of_range(
            fmt::format("target {} is outside the vocabulary, 0 to {}", target, block.vocab - 1));
    }
    return with_row(block, row, [&](const auto* logits) {
        const auto& kernels =
            cpu::choose_kernels<double>(cpu::Set::automatic);  // all sets: same bytes
        double peak = logits[0];
        for (std::int64_t i = 1; i < block.vocab; ++i) peak = std::max(peak, double(logits[i]));
        std::array<double, 256> weights;  // a piece at a time: a measured phase allocates nothing
        constexpr auto step = static_cast<std::int64_t>(weights.size());
        double sum = 0;
        for (std::int64_t at = 0; at < block.vocab; at += step) {
            const std::int64_t count = std::min(step, block.vocab - at);
            for (std::int64_t i = 0; i < count; ++i) weights[i] = double(logits[at + i]) - peak;
            kernels.exp(weights.data(), weights.data(), count);
            for (std::int64_t i = 0; i < count; ++i) sum += weights[i];
        }
        return kernels.log(sum) + (peak - double(logits[target]));
    });
}

}  // namespace engine::model
