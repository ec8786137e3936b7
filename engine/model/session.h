// SPDX-License-Identifier: Apache-2.0
// One sequence running through the model: its KV cache and SSM state, on the CPU backend.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/trace/tracer.h"

namespace engine::model {

class Model;  // engine/model/model.h: geometry and mapped weights, shared and read-only

enum class Precision : std::uint8_t { f32, f64 };
enum class Isa : std::uint8_t { automatic, baseline, avx2 };  // results are the same bytes
enum class Rows : std::uint8_t { last, all, none };           // whose logits are wanted

// gather: every expert on the rows that picked it. dense: every expert on every row, each row's sum
// over its picks alone; the same bytes for experts / top-k times the work.
enum class Moe : std::uint8_t { gather, dense };

struct SessionOptions {
    Precision precision = Precision::f32;
    Isa isa = Isa::automatic;
    int threads = 0;  // 0: one per core
    Moe moe = Moe::gather;
    std::int64_t max_tokens = 0;            // capacity of the KV cache, in tokens; more is refused
    std::vector<std::string> maths_faults;  // planted arithmetic defects, by name
};

// Logits of some consecutive rows. Exactly one pointer is set, by the session's precision.
struct LogitsBlock {
    std::int64_t first_row = 0;
    std::int64_t rows = 0;
    std::int64_t vocab = 0;
    const float* f32 = nullptr;   // [rows, vocab]
    const double* f64 = nullptr;  // [rows, vocab]
};

// Names for SessionOptions::maths_faults. Each of the first changes what the model says; each of
// the others breaks how a sequence is carried on: between calls, by snapshots, from repeat to
// repeat.
std::span<const std::string_view> maths_fault_names();
std::span<const std::string_view> state_fault_names();

using LogitsSink = std::function<void(const LogitsBlock&)>;

// The residual stream of some consecutive rows after a layer. Exactly one pointer is set.
struct Residual {
    std::int64_t layer = 0;  // -1: after the embedding
    std::int64_t first_row = 0;
    std::int64_t rows = 0;
    std::int64_t hidden = 0;
    const float* f32 = nullptr;   // [rows, hidden]
    const double* f64 = nullptr;  // [rows, hidden]
};

using ResidualTap = std::function<void(const Residual&)>;

// Top-1 of a row. Equal logits: the lower id. margin = top-1 minus top-2.
struct Pick {
    std::int32_t token = 0;
    double margin = 0;
};

struct Counters {                         // counted by the ops themselves while they work
    std::uint64_t expert_rows_asked = 0;  // rows x top-k, from the routing
    std::uint64_t expert_rows_done = 0;   // rows the expert kernels really processed
    std::uint64_t experts_hit = 0;        // experts with a row, summed over layers and chunks
    std::uint64_t tokens = 0;             // rows that went through the layers
};

// What a call will need, by arithmetic alone: nothing is run.
struct Plan {
    std::uint64_t ops = 0;            // op ranges that will be opened
    std::uint64_t logits_blocks = 0;  // calls of the sink
    std::uint64_t scratch_bytes = 0;  // activations and packed weights; the same on every machine
    std::uint64_t thread_scratch_bytes = 0;  // and, apart from those: threads x what each needs
    std::uint64_t state_bytes = 0;           // KV cache, SSM state, convolution window
    std::uint64_t expert_rows = 0;           // rows the expert kernels should process
};

// All that a sequence has left behind: keys and values, SSM states, convolution windows, position.
// Owned and never changed; copies share it, and any number of sessions may be restored from it.
class Snapshot {
  public:
    std::int64_t position() const;  // tokens consumed when it was taken
    std::uint64_t bytes() const;    // grows with the position, not with the session's capacity

  private:
    friend class Session;
    struct State;

    explicit Snapshot(std::shared_ptr<const State> state) : state_(std::move(state)) {}

    std::shared_ptr<const State> state_;
};

class Session {
  public:
    // Throws std::invalid_argument for options the model cannot meet; for an unknown maths fault it
    // lists the names there are.
    Session(const Model& model, const SessionOptions& options, trace::Tracer& tracer);
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    void reset();                   // back to an empty sequence; counters are kept
    std::int64_t position() const;  // tokens consumed so far

    // Appends tokens to the sequence. Opens no phase or step range: the caller does.
    // Throws std::out_of_range for a token id outside the vocabulary or a sequence over capacity.
    // On this backend results do not depend on how a sequence is cut into calls.
    void forward(std::span<const std::int32_t> tokens, Rows wanted, const LogitsSink& sink);

    Snapshot snapshot() const;
    // Goes on from where the snapshot was taken. Throws std::invalid_argument, and changes nothing,
    // for a snapshot of another model (another Model object), of another precision, or of more
    // tokens than this session has room for; the message says what both have.
    void restore(const Snapshot& snapshot);

    // Calls `tap` after the embedding and after every layer of each chunk of rows; empty: no more.
    void observe(ResidualTap tap);

    // Plan of forward() for `rows` tokens from `position`, with logits as wanted.
    Plan plan(std::int64_t rows, Rows wanted) const;
    Plan plan_from(std::int64_t position, std::int64_t rows, Rows wanted) const;

    const Counters& counters() const;
    std::uint64_t scratch_used_bytes() const;  // high-water mark of what ops took
    std::uint64_t thread_scratch_used_bytes() const;
    int threads() const;
    std::string_view isa() const;  // "baseline" or "avx2"

  private:
    struct State;
    std::unique_ptr<State> state_;
};

Pick pick(const LogitsBlock& block, std::int64_t row);  // row within the block
double nll(const LogitsBlock& block, std::int64_t row, std::int32_t target);  // natural log

}  // namespace engine::model
