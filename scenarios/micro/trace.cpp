// SPDX-License-Identifier: Apache-2.0
// What a range costs: `trace/op`, with whatever tool NVTX_INJECTION64_PATH attaches, or none.
#include "engine/ops/rms_norm.h"
#include "engine/trace/tracer.h"
#include "scenarios/micro/suite.h"

namespace scenarios::micro {
namespace {

void op_range(benchmark::State& state) {
    engine::trace::Tracer tracer;
    const engine::trace::Label phase{"prefill"}, label{"norm"};
    const auto& declaration = engine::ops::rms_norm::declaration;
    const auto work = engine::ops::rms_norm::work({192, 4}).at(1);
    tracer.open_phase(phase, {});
    for (auto _ : state) {
        tracer.op(label, declaration, engine::ops::Role::norm, work, [] {});
    }
    tracer.close_phase();
}

const bool added = add([](const Suite&) { benchmark::RegisterBenchmark("trace/op", op_range); });

}  // namespace
}  // namespace scenarios::micro
