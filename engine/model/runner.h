// SPDX-License-Identifier: Apache-2.0
// A sequence's forward pass in one precision: chunks of rows, each through all layers.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "engine/model/chunk.h"
#include "engine/model/saved_state.h"

namespace engine::model {

// Rows that go through the layers together; chunks are cut at absolute multiples of it, so that
// scratch does not grow with the prompt.
constexpr std::int64_t chunk_rows = 512;

// The next chunk of a sequence at `position` with `rows` to go.
constexpr std::int64_t next_chunk(std::int64_t position, std::int64_t rows) {
    const std::int64_t room = chunk_rows - position % chunk_rows;
    return rows < room ? rows : room;
}

cpu::Set set_of(Isa isa);

template <class T>
class Runner {
  public:
    Runner(const Model& model,
           const SessionOptions& options,
           cpu::Pool& pool,
           trace::Tracer& tracer);

    void reset();
    void forward(std::span<const std::int32_t> tokens, Rows wanted, const LogitsSink& sink);
    Plan plan(std::int64_t position, std::int64_t rows, Rows wanted) const;
    SavedState<T> save() const;
    void load(const SavedState<T>& saved);  // it must fit

    void observe(ResidualTap tap) { tap_ = std::move(tap); }

    std::int64_t capacity() const { return capacity_; }

    std::int64_t position() const { return position_; }

    const Counters& counters() const { return counters_; }

    std::uint64_t scratch_used_bytes() const { return arena_.used_bytes() + packed_.bytes(); }

    std::uint64_t thread_scratch_used_bytes() const { return thread_arena_.used_bytes(); }

  private:
    void run_chunk(std::span<const std::int32_t> tokens, Rows wanted, const LogitsSink& sink);
    void run_layers(const Chunk<T>& chunk);
    void embed(const Chunk<T>& chunk, std::span<const std::int32_t> tokens);
    void show(const Chunk<T>& chunk, std::int64_t layer) const;
    void run_head(const Chunk<T>& chunk, Rows wanted, const LogitsSink& sink);
    BlockPlan plan_layer(const LayerGeometry& layer, std::int64_t rows) const;
    Plan plan_chunk(std::int64_t rows, std::int64_t head_rows) const;
    std::int64_t thread_scratch() const;
    std::uint64_t thread_scratch_bytes() const;

    const Model& model_;
    trace::Tracer& tracer_;
    MathsFaults faults_;
    Moe moe_;
    std::int64_t capacity_;
    Labels labels_;
    Packed<T> packed_;
    std::vector<LayerState<T>> states_;
    cpu::Backend<T> backend_;
    Arena arena_, thread_arena_;
    Counters counters_;
    ResidualTap tap_;
    std::int64_t position_ = 0;
};

}  // namespace engine::model
