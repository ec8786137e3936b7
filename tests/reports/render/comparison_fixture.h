// SPDX-License-Identifier: Apache-2.0
// What a comparison of two arms found, with known numbers: b is 10 % slower in one kernel.
#pragma once

#include "reports/records/verdict.h"

namespace tests {

inline reports::MetricVerdict a_metric(const std::string& name, double ratio, double margin) {
    reports::MetricVerdict out{.name = name, .unit = "ns"};
    for (int round = 0; round < 8; ++round) {
        out.a_rounds.push_back(1'000'000 + 1000 * round);
        out.b_rounds.push_back(out.a_rounds.back() * ratio);
        out.order.push_back({round, round % 4 == 0 || round % 4 == 3});
    }
    out.a = reports::Spread{1'003'500, 1'000'000, 1'007'000, 8};
    out.b = reports::Spread{1'003'500 * ratio, 1'000'000 * ratio, 1'007'000 * ratio, 8};
    out.ratio = out.median_ratio = ratio;
    out.interval = reports::ChangeInterval{ratio - 0.01, ratio + 0.01, 0.99};
    out.margin = margin;
    out.rounds = 8;
    out.look = 1;
    out.looks = 4;
    return out;
}

inline reports::BlameRow a_change(const std::string& path,
                                  const std::string& kernel,
                                  double delta_ns) {
    return {.phase = "prefill",
            .role = "gemm",
            .path = path,
            .kernel = kernel,
            .a_ns = 500'000,
            .b_ns = 500'000 + delta_ns,
            .delta_ns = delta_ns,
            .interval = reports::ChangeInterval{delta_ns - 100, delta_ns + 100, 0.95},
            .a_calls = 4,
            .b_calls = 4};
}

inline reports::PairVerdict a_pair() {
    using reports::Verdict;
    reports::PairVerdict out{.a = "old", .b = "new"};
    out.metrics = {a_metric("cold_start_ns", 1.001, 0.05), a_metric("prefill.wall_ns", 1.1, 0.02)};
    out.metrics[0].verdict = Verdict::same;
    out.metrics[0].reason = "the interval ends below the margin";
    out.metrics[1].verdict = Verdict::regressed;
    out.metrics[1].reason = "estimate at least the margin worse";
    out.kernels = {a_change("prefill/layer.*.mlp/up", "matmul_kernel", 90'000),
                   a_change("prefill/layer.*.mlp/down", "other_kernel", -2'000)};
    out.roles = {a_change("", "", 88'000)};
    out.waterfalls = {{.phase = "prefill",
                       .wall_ns = 100'350,
                       .rows = {{"kernels", 88'400, {}},
                                {"shared", 0, {}},
                                {"gap.host", 10'000, reports::ChangeInterval{9'000, 11'000, 0.95}},
                                {"profiling", 1'500, {}}},
                       .rest_ns = 450}};
    out.tokens.identical = true;
    out.tokens.agreement = 1;
    out.counts = {{.name = "ops", .unit = "1", .a = 4, .b = 4, .exact = true, .equal = true},
                  {.name = "peak", .unit = "bytes", .a = 7, .b = 8}};
    out.verdict = Verdict::regressed;
    out.exit_code = 1;
    out.reasons = {"prefill.wall_ns regressed: estimate at least the margin worse"};
    return out;
}

inline reports::ComparisonReport a_comparison() {
    reports::ComparisonReport out;
    out.run.id = 7;
    out.run.kind = "ab";
    out.scenario.name = "prefill-4k";
    out.machine.machine_class = "cpu-test-2";
    out.plan = {.looks = {8, 12},
                .profiled_rounds = 12,
                .alpha = 0.025,
                .seed = 5,
                .calibration = "uncalibrated"};
    out.arms = {{.name = "old", .spec = "HEAD~1", .timed = 8}, {.name = "new", .spec = "HEAD"}};
    out.pairs = {a_pair()};
    out.rounds = 8;
    out.verdict = reports::Verdict::regressed;
    out.exit_code = 1;
    out.reasons = out.pairs[0].reasons;
    return out;
}

}  // namespace tests
