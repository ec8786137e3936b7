// SPDX-License-Identifier: Apache-2.0
// All that a pass over a prompt says: every row's residual after every layer, the last row's
// logits. One pass is recorded; others are held against it while they run.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "engine/model/model.h"
#include "engine/model/session.h"

namespace engine::checks {

// Layers as in model::Residual: -1 is the embedding; one past the last is the logits.
struct Difference {
    std::int64_t layer = 0;
    std::int64_t row = 0;
    std::int64_t column = 0;
    double a = 0;  // as recorded
    double b = 0;  // as seen now
};

class Comparison;

class Recording {
  public:
    Recording(const model::Geometry& geometry, model::Precision precision, std::int64_t rows);

    // To be called from a session's tap and sink.
    void take(const model::Residual& residual);
    void take(const model::LogitsBlock& block);  // only the last row of the prompt is kept

    std::int64_t rows() const { return rows_; }

    std::int64_t layers() const { return layers_; }

    const std::byte* residual(std::int64_t layer, std::int64_t row) const;
    const std::byte* logits() const;

    std::size_t element_bytes() const { return element_; }

    // What a process hands over to another one that checks the same prompt.
    std::span<std::byte> bytes() { return bytes_; }

    void replay(Comparison& comparison) const;  // as a pass in one call would be shown to it

  private:
    std::int64_t layers_, rows_, hidden_, vocab_;
    std::size_t element_;
    std::vector<std::byte> bytes_;  // [layers + 1, rows, hidden], then [vocab]
};

// Holds a pass, or its end from `first_row` on, against a recording, bit for bit.
class Comparison {
  public:
    explicit Comparison(const Recording& recorded, std::int64_t first_row = 0);

    void take(const model::Residual& residual);
    void take(const model::LogitsBlock& block);

    // Of the lowest layer, there of the lowest row and column.
    const std::optional<Difference>& first() const { return first_; }

    // Whether every row of every layer and the logits were seen: else equality says little.
    bool complete() const { return seen_ == expected_; }

    std::int64_t seen() const { return seen_; }

    std::int64_t expected() const { return expected_; }

  private:
    void compare(std::int64_t layer,
                 std::int64_t row,
                 const std::byte* recorded,
                 const std::byte* now,
                 std::int64_t count);

    const Recording& recorded_;
    std::int64_t seen_ = 0;      // rows of all layers, and the logits
    std::int64_t expected_ = 0;  // of those
    std::optional<Difference> first_;
};

// "embedding", "layer.03.moe" or "logits".
std::string place_name(const model::Geometry& geometry, std::int64_t layer);

}  // namespace engine::checks
