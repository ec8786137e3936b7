// SPDX-License-Identifier: Apache-2.0
// What a tool sees of a tracer's ranges, and what faults do to them.
#include "engine/trace/tracer.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/trace/clock.h"
#include "engine/trace/faults.h"
#include "tests/engine/trace_recorder.h"

namespace engine::trace {
namespace {

constexpr ops::Declaration declaration{"rms_norm", "rms_norm_kernel", "y = x", 0};
constexpr ops::Work work{
    .bytes_read = 100, .bytes_written = 20, .flops = 7, .rows = 3, .context = 5};

struct Names {
    Label prefill{"prefill"}, decode{"decode"}, layer{"layer.00.mamba"}, norm{"norm"}, scan{"scan"};
};

FaultTable planted(std::vector<std::string> specs) {
    return FaultTable(specs);
}

// prefill > layer.00.mamba > norm, scan; each op's body spins for `body_ns`.
void walk(Tracer& tracer, const Names& names, std::int64_t body_ns = 0) {
    const auto body = [&] {
        for (const auto end_ns = now_ns() + body_ns; now_ns() < end_ns;) {
        }
    };
    tracer.open_phase(names.prefill, {2, 3, 4});
    tracer.open(names.layer);
    tracer.op(names.norm, declaration, ops::Role::norm, work, body);
    tracer.op(names.scan, declaration, ops::Role::scan, work, body);
    tracer.close();
    tracer.close_phase();
}

std::vector<fakes::SeenRange> seen_of(std::vector<std::string> faults, std::int64_t body_ns = 0) {
    Tracer tracer(planted(std::move(faults)));
    const Names names;
    fakes::begin_recording();
    walk(tracer, names, body_ns);
    return fakes::end_recording();
}

std::vector<std::string> paths(const std::vector<fakes::SeenRange>& ranges) {
    std::vector<std::string> result;
    for (const auto& range : ranges) {
        result.push_back(range.path);
    }
    return result;
}

TEST(Trace, ranges_nest_as_they_were_opened) {
    EXPECT_EQ(paths(seen_of({})), (std::vector<std::string>{"prefill", "prefill/layer.00.mamba",
                                                            "prefill/layer.00.mamba/norm",
                                                            "prefill/layer.00.mamba/scan"}));
}

TEST(Trace, every_range_is_closed) {
    for (const auto& range : seen_of({})) {
        EXPECT_GT(range.end_ns, 0) << range.path;
    }
}

TEST(Trace, an_op_carries_its_work_role_and_kernel) {
    const auto op = seen_of({})[2];
    EXPECT_EQ(op.schema, "work");
    EXPECT_EQ(op.category, "norm");
    EXPECT_EQ(op.texts.at("kernel"), "rms_norm_kernel");
    EXPECT_EQ(op.numbers.at("bytes_read"), 100);
    EXPECT_EQ(op.numbers.at("bytes_written"), 20);
    EXPECT_EQ(op.numbers.at("flops"), 7);
    EXPECT_EQ(op.numbers.at("rows"), 3);
    EXPECT_EQ(op.numbers.at("context"), 5);
}

TEST(Trace, a_phase_carries_rep_rows_and_context) {
    const auto phase = seen_of({})[0];
    EXPECT_EQ(phase.schema, "phase");
    EXPECT_EQ(phase.numbers.at("rep"), 2);
    EXPECT_EQ(phase.numbers.at("rows"), 3);
    EXPECT_EQ(phase.numbers.at("context"), 4);
}

TEST(Trace, layers_carry_neither_payload_nor_category) {
    const auto layer = seen_of({})[1];
    EXPECT_EQ(layer.schema, "");
    EXPECT_EQ(layer.category, "");
}

TEST(Trace, a_kernel_name_too_long_for_the_payload_is_cut) {
    constexpr ops::Declaration wordy{"x", "a_kernel_name_of_more_than_thirty_one_letters", "", 0};
    Tracer tracer;
    const Names names;
    fakes::begin_recording();
    tracer.op(names.norm, wordy, ops::Role::norm, work, [] {});
    EXPECT_EQ(fakes::end_recording()[0].texts.at("kernel"), "a_kernel_name_of_more_than_thir");
}

TEST(Trace, phase_stamps_are_the_ranges_own) {
    Tracer tracer;
    const Names names;
    fakes::begin_recording();
    const auto begin_ns = tracer.open_phase(names.decode, {});
    const auto end_ns = tracer.close_phase();
    const auto phase = fakes::end_recording()[0];
    EXPECT_GE(begin_ns, phase.begin_ns);
    EXPECT_LE(end_ns, phase.end_ns);
    EXPECT_LT((phase.end_ns - phase.begin_ns) - (end_ns - begin_ns), 1'000'000);
}

TEST(Trace, ops_are_counted_without_a_tool) {
    Tracer tracer;
    const Names names;
    walk(tracer, names);
    EXPECT_EQ(tracer.ops(), 2U);
}

TEST(Trace, a_launch_fault_adds_an_empty_op_after_each_match) {
    Tracer tracer(planted({"launch:*/norm:+2"}));
    const Names names;
    fakes::begin_recording();
    walk(tracer, names);
    const auto seen = fakes::end_recording();
    ASSERT_EQ(seen.size(), 6U);
    EXPECT_EQ(seen[2].numbers.at("flops"), 7);
    EXPECT_EQ(seen[3].path, "prefill/layer.00.mamba/norm");
    EXPECT_EQ(seen[3].numbers.at("flops"), 0);
    EXPECT_EQ(tracer.ops(), 4U);
}

TEST(Trace, a_delay_fault_stretches_the_range_by_its_share_of_the_ops_own_time) {
    constexpr std::int64_t body_ns = 2'000'000;
    const auto seen = seen_of({"delay:*/scan:100"}, body_ns);
    EXPECT_GE(seen[3].end_ns - seen[3].begin_ns, 2 * body_ns);
    // The other op is left alone; the wide bound is for a machine with other things to do.
    EXPECT_GE(seen[2].end_ns - seen[2].begin_ns, body_ns);
}

TEST(Trace, faults_leave_paths_and_payloads_as_they_are) {
    const auto plain = seen_of({});
    const auto faulted = seen_of({"delay:*/nothing_here:50"});
    EXPECT_EQ(paths(plain), paths(faulted));
    EXPECT_EQ(plain[2].numbers, faulted[2].numbers);
}

TEST(Trace, an_exit_fault_ends_the_process_with_code_1_at_its_path) {
    EXPECT_EXIT(seen_of({"exit:prefill/*/scan"}), testing::ExitedWithCode(1), "");
}

TEST(Trace, an_exit_fault_elsewhere_does_nothing) {
    EXPECT_EQ(seen_of({"exit:decode/*"}).size(), 4U);
}

}  // namespace
}  // namespace engine::trace
