// SPDX-License-Identifier: Apache-2.0
// Ranges around phases, layers and ops. The only place that knows NVTX; also where faults strike.
//
// Range paths (INTERFACES in CONTRIBUTING.md): prefill/... or decode/step/..., then embedding,
// layer.NN.{mamba,attention,moe,mlp}/<op>, final_norm, lm_head.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "engine/ops/op.h"

namespace engine::trace {

// A range name registered once, so that opening a range costs no string work.
class Label {
  public:
    explicit Label(std::string text);

    const std::string& text() const { return text_; }

    void* handle() const { return handle_; }  // NVTX registered string

  private:
    std::string text_;
    void* handle_ = nullptr;
};

// Carried by a phase's range (payload schema "phase"), so that ingest knows which rep it saw.
struct PhaseInfo {
    std::int64_t rep = -1;  // index of the measured rep; -1: warm-up
    std::int64_t rows = 0;  // tokens this phase processes
    std::int64_t context = 0;
};

class FaultTable;  // engine/trace/faults.h

// One thread drives a tracer: ops may use many threads inside, ranges are opened by the caller's.
class Tracer {
  public:
    Tracer();
    explicit Tracer(FaultTable faults);
    ~Tracer();
    Tracer(const Tracer&) = delete;
    Tracer& operator=(const Tracer&) = delete;

    // A phase opens before its first op; begin and end stamps (CLOCK_MONOTONIC_RAW) are taken at
    // the same two points as the range's own.
    std::int64_t open_phase(const Label& name, const PhaseInfo& info);
    std::int64_t close_phase();

    void open(const Label& name);  // a layer or a step
    void close();

    // Runs `body` inside a range named `label` that carries `work` (payload schema "work") and the
    // role as category. `work` is computed by the caller before the range opens. Counts one op.
    template <class Body>
    void op(const Label& label,
            const ops::Declaration& declaration,
            ops::Role role,
            const ops::Work& work,
            Body&& body) {
        open_op(label, declaration, role, work);
        body();
        close_op();
    }

    // Ops executed since construction: the engine's own count, independent of any capture.
    std::uint64_t ops() const { return ops_; }

    FaultTable& faults();  // the planted ones, and which of them have struck

  private:
    void open_op(const Label& label,
                 const ops::Declaration& declaration,
                 ops::Role role,
                 const ops::Work& work);
    void close_op();

    struct State;
    std::unique_ptr<State> state_;
    std::uint64_t ops_ = 0;
};

}  // namespace engine::trace
