// SPDX-License-Identifier: Apache-2.0
// Recordings are kept as bytes, so that one code serves both precisions and compares bits.
#include "engine/checks/recording.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace engine::checks {
namespace {

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

template <class Block>
const std::byte* data(const Block& block) {
    return block.f32 ? reinterpret_cast<const std::byte*>(block.f32)
                     : reinterpret_cast<const std::byte*>(block.f64);
}

// The last row of the prompt within a block of logits; nullptr: it is in another one.
const std::byte* last_row(const model::LogitsBlock& block, std::int64_t rows, std::size_t element) {
    const std::int64_t row = rows - 1 - block.first_row;
    return row >= 0 && row < block.rows ? data(block) + size(row * block.vocab) * element : nullptr;
}

// `from` is aligned: it lies in a recording, at a multiple of the element.
template <class Block>
void point(Block& block, const std::byte* from, std::size_t element) {
    if (element == sizeof(float)) {
        block.f32 = reinterpret_cast<const float*>(from);
    } else {
        block.f64 = reinterpret_cast<const double*>(from);
    }
}

double number(const std::byte* from, std::size_t element) {
    if (element == sizeof(float)) {
        float value = 0;
        std::memcpy(&value, from, sizeof value);
        return value;
    }
    double value = 0;
    std::memcpy(&value, from, sizeof value);
    return value;
}

bool before(const Difference& a, const Difference& b) {
    return a.layer != b.layer ? a.layer < b.layer : a.row < b.row;
}

}  // namespace

Recording::Recording(const model::Geometry& geometry, model::Precision precision, std::int64_t rows)
    : layers_(static_cast<std::int64_t>(geometry.layers.size())),
      rows_(rows),
      hidden_(geometry.hidden),
      vocab_(geometry.vocab),
      element_(precision == model::Precision::f32 ? sizeof(float) : sizeof(double)),
      bytes_((size((layers_ + 1) * rows_ * hidden_) + size(vocab_)) * element_) {}

const std::byte* Recording::residual(std::int64_t layer, std::int64_t row) const {
    return bytes_.data() + size(((layer + 1) * rows_ + row) * hidden_) * element_;
}

const std::byte* Recording::logits() const {
    return bytes_.data() + size((layers_ + 1) * rows_ * hidden_) * element_;
}

void Recording::take(const model::Residual& residual) {
    const std::byte* from = data(residual);
    const auto offset = size(((residual.layer + 1) * rows_ + residual.first_row) * hidden_);
    std::copy_n(from, size(residual.rows * hidden_) * element_, bytes_.data() + offset * element_);
}

void Recording::take(const model::LogitsBlock& block) {
    if (const std::byte* row = last_row(block, rows_, element_)) {
        const std::size_t count = size(vocab_) * element_;
        std::copy_n(row, count, bytes_.data() + (bytes_.size() - count));
    }
}

void Recording::replay(Comparison& comparison) const {
    for (std::int64_t layer = -1; layer < layers_; ++layer) {
        model::Residual all{.layer = layer, .rows = rows_, .hidden = hidden_};
        point(all, residual(layer, 0), element_);
        comparison.take(all);
    }
    model::LogitsBlock last{.first_row = rows_ - 1, .rows = 1, .vocab = vocab_};
    point(last, logits(), element_);
    comparison.take(last);
}

Comparison::Comparison(const Recording& recorded, std::int64_t first_row)
    : recorded_(recorded), expected_((recorded.layers() + 1) * (recorded.rows() - first_row) + 1) {}

void Comparison::take(const model::Residual& residual) {
    const std::size_t row_bytes = size(residual.hidden) * recorded_.element_bytes();
    for (std::int64_t i = 0; i < residual.rows; ++i) {
        const std::int64_t row = residual.first_row + i;
        compare(residual.layer, row, recorded_.residual(residual.layer, row),
                data(residual) + size(i) * row_bytes, residual.hidden);
    }
}

void Comparison::take(const model::LogitsBlock& block) {
    if (const std::byte* row = last_row(block, recorded_.rows(), recorded_.element_bytes())) {
        compare(recorded_.layers(), recorded_.rows() - 1, recorded_.logits(), row, block.vocab);
    }
}

void Comparison::compare(std::int64_t layer,
                         std::int64_t row,
                         const std::byte* recorded,
                         const std::byte* now,
                         std::int64_t count) {
    ++seen_;
    const std::size_t element = recorded_.element_bytes();
    if (std::memcmp(recorded, now, size(count) * element) == 0) {
        return;
    }
    std::size_t column = 0;
    while (std::memcmp(recorded + column * element, now + column * element, element) == 0) {
        ++column;
    }
    const Difference here{.layer = layer,
                          .row = row,
                          .column = static_cast<std::int64_t>(column),
                          .a = number(recorded + column * element, element),
                          .b = number(now + column * element, element)};
    if (!first_ || before(here, *first_)) {
        first_ = here;
    }
}

std::string place_name(const model::Geometry& geometry, std::int64_t layer) {
    if (layer < 0) {
        return "embedding";
    }
    const auto index = static_cast<std::size_t>(layer);
    if (index >= geometry.layers.size()) {
        return "logits";
    }
    return fmt::format("layer.{:02}.{}", layer, name(geometry.layers[index].kind));
}

}  // namespace engine::checks
