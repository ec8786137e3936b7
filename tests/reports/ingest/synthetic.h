// SPDX-License-Identifier: Apache-2.0
// A synthetic trial: the engine's lines and the capture a probe would write, with knobs to break
// exactly one thing.
#pragma once

#include <fmt/format.h>

#include <cstring>
#include <filesystem>
#include <map>
#include <stdexcept>
#include <string>
#include <vector>

#include "probes/capture/writer.h"

namespace tests {

struct OpSpec {
    std::string path;  // below the phase: "layer.00.moe/experts.up"
    std::string role;
    std::string kernel;
    std::int64_t start_ns = 0, end_ns = 0;  // from the phase's start
    double bytes_read = 0, bytes_written = 0, flops = 0;
};

struct PhaseSpec {
    std::string phase = "prefill";
    std::int64_t rep = 0;
    std::int64_t start_ns = 1'000'000'000;
    std::int64_t duration_ns = 1'000'000;
    std::vector<OpSpec> ops;
};

// 1 ms: 600 us in a router and an expert GEMM in each of two layers, 400 us of host time.
inline PhaseSpec a_phase(std::int64_t rep = 0) {
    PhaseSpec phase{.rep = rep, .start_ns = 1'000'000'000 + rep * 5'000'000};
    for (int layer = 0; layer < 2; ++layer) {
        const std::int64_t at = 100'000 + layer * 450'000;
        const std::string name = fmt::format("layer.{:02}.moe/", layer);
        phase.ops.push_back(
            {name + "router", "router", "router_topk", at, at + 50'000, 1e4, 1e3, 1e6});
        phase.ops.push_back({name + "experts.up", "expert_gemm", "expert_matmul", at + 60'000,
                             at + 310'000, 2e6, 5e5, 4e8});
    }
    return phase;
}

// Writes ranges as a probe does: children before parents, nodes before their first use.
class CaptureBuilder {
  public:
    explicit CaptureBuilder(const std::filesystem::path& file,
                            const std::string& fault = "",
                            std::int64_t start_raw_ns = 2'000'000)
        : writer_(probes::capture::Writer::create(file.string(),
                                                  {.format_version = 1,
                                                   .pid = 42,
                                                   .host = "host",
                                                   .start_raw_ns = start_raw_ns,
                                                   .start_real_ns = 2,
                                                   .status = "nvtx_only",
                                                   .status_reason = "no NVIDIA driver",
                                                   .fault = fault})
                      .value()) {
        using probes::capture::FieldType;
        writer_.add(
            probes::capture::PayloadSchema{.id = 1,
                                           .name = "work",
                                           .fields = {{"bytes_read", FieldType::f64, 0, 8},
                                                      {"bytes_written", FieldType::f64, 8, 8},
                                                      {"flops", FieldType::f64, 16, 8},
                                                      {"rows", FieldType::i64, 24, 8},
                                                      {"context", FieldType::i64, 32, 8},
                                                      {"kernel", FieldType::text, 40, 32}}});
        writer_.add(probes::capture::PayloadSchema{.id = 2,
                                                   .name = "phase",
                                                   .fields = {{"rep", FieldType::i64, 0, 8},
                                                              {"rows", FieldType::i64, 8, 8},
                                                              {"context", FieldType::i64, 16, 8}}});
    }

    // Groups ops of one layer under a layer range that hugs them: host time stays the phase's.
    void add(const PhaseSpec& phase) {
        const std::uint64_t root = next_id_++;
        const auto phase_node = node(0, phase.phase, "");
        std::uint64_t layer = 0;
        for (std::size_t i = 0; i < phase.ops.size(); ++i) {
            const OpSpec& op = phase.ops[i];
            const auto slash = op.path.find('/');
            const std::string layer_name = op.path.substr(0, slash);
            const auto layer_node = node(phase_node, layer_name, "");
            if (layer == 0) {
                layer = next_id_++;
                layer_start_ = op.start_ns;
            }
            add_op(op, root, layer, node(layer_node, op.path.substr(slash + 1), op.role),
                   phase.start_ns);
            const bool last =
                i + 1 == phase.ops.size() || phase.ops[i + 1].path.substr(0, slash) != layer_name;
            if (!last) continue;
            write({.id = layer,
                   .parent = root,
                   .root = root,
                   .path = layer_node,
                   .start_ns = phase.start_ns + layer_start_,
                   .end_ns = phase.start_ns + op.end_ns});
            layer = 0;
        }
        const std::int64_t info[3] = {phase.rep, 4314, 0};
        write({.id = root,
               .root = root,
               .path = phase_node,
               .start_ns = phase.start_ns,
               .end_ns = phase.start_ns + phase.duration_ns,
               .schema = 2,
               .payload = std::as_bytes(std::span(info))});
    }

    // An op outside any phase.
    void add_stray(std::int64_t start_ns, std::int64_t end_ns) {
        const std::uint64_t id = next_id_++;
        add_op({.kernel = "stray", .start_ns = start_ns, .end_ns = end_ns}, id, 0,
               node(0, "stray", ""), 0, id);
    }

    void write(probes::capture::Range range) {
        range.tid = 42;
        writer_.add(range);
    }

    void finish(const probes::capture::Loss& loss = {}) { writer_.finish(loss); }

    probes::capture::Writer& writer() { return writer_; }

    std::uint32_t node(std::uint32_t parent, const std::string& name, const std::string& category) {
        const auto [known, is_new] = nodes_.try_emplace(
            {parent, name, category}, static_cast<std::uint32_t>(nodes_.size()) + 1);
        if (is_new) {
            writer_.add(probes::capture::PathNode{.id = known->second,
                                                  .parent = parent,
                                                  .name = name,
                                                  .domain = "tare",
                                                  .category = category});
        }
        return known->second;
    }

  private:
    void add_op(const OpSpec& op,
                std::uint64_t root,
                std::uint64_t parent,
                std::uint32_t path,
                std::int64_t origin_ns,
                std::uint64_t id = 0) {
        std::byte payload[72] = {};
        const double work[3] = {op.bytes_read, op.bytes_written, op.flops};
        std::memcpy(payload, work, sizeof work);
        std::memcpy(payload + 40, op.kernel.data(), std::min<std::size_t>(op.kernel.size(), 32));
        write({.id = id != 0 ? id : next_id_++,
               .parent = parent,
               .root = root,
               .path = path,
               .start_ns = origin_ns + op.start_ns,
               .end_ns = origin_ns + op.end_ns,
               .schema = 1,
               .payload = payload});
    }

    probes::capture::Writer writer_;
    std::map<std::tuple<std::uint32_t, std::string, std::string>, std::uint32_t> nodes_;
    std::uint64_t next_id_ = 1;
    std::int64_t layer_start_ = 0;
};

// The lines of an engine that measured these phases.
inline std::string engine_lines(const std::vector<PhaseSpec>& phases) {
    std::string out =
        R"({"type":"hello","protocol":1,"build":{"commit":"c0ffee"},"model":{"name":"small-bf16",)"
        R"("sha256":"3d"},"backend":"cpu","threads":2,"clock":"monotonic_raw","prompt":)"
        R"({"tokens":4314,"sha256":"9a0"},"faults":[]})"
        "\n";
    for (const PhaseSpec& phase : phases) {
        out += fmt::format(
            R"({{"type":"rep","phase":"{}","rep":{},"begin_ns":{},"end_ns":{},"tokens":4314,"ops":{}}})"
            "\n",
            phase.phase, phase.rep, phase.start_ns, phase.start_ns + phase.duration_ns,
            phase.ops.size());
        out += fmt::format(
            R"({{"type":"counters","phase":"{}","rep":{},"ops_planned":{},"expert_rows_asked":99,)"
            R"("expert_rows_done":99,"experts_hit":7}})"
            "\n",
            phase.phase, phase.rep, phase.ops.size());
    }
    out += R"({"type":"loss","request":0,"name":"a","tokens":3,"nll_sum":6.5,"nll_mean":2.1875,)"
           R"("sha256":"10"})"
           "\n"
           R"({"type":"loss","request":1,"name":"b","tokens":1,"nll_sum":0.25,"nll_mean":0.25,)"
           R"("sha256":"11"})"
           "\n";
    out += R"({"type":"output","request":0,"tokens":[5],"margins":[1.5],"sha256":)"
           R"("2594b6a92ebfb1c3312deb7d01c015fb95e9fbe9bd7bc6b527af07813ec7b910"})"
           "\n"
           R"({"type":"memory","planned_bytes":100,"used_bytes":100,"scratch_planned_bytes":64,)"
           R"("scratch_used_bytes":64,"state_bytes":10,"weights_bytes":20,"peak_bytes":1000})"
           "\n"
           R"({"type":"end","first_token_ns":301000000})"
           "\n";
    return out;
}

inline void write_capture(const std::filesystem::path& file,
                          const std::vector<PhaseSpec>& phases,
                          std::int64_t start_raw_ns = 2'000'000) {
    CaptureBuilder capture(file, "", start_raw_ns);
    for (const PhaseSpec& phase : phases) capture.add(phase);
    capture.finish();
}

}  // namespace tests
