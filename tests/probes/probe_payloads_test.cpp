// SPDX-License-Identifier: Apache-2.0
// Payloads on their way through the probe, and faults planted in op records.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

#include "tests/probes/traced_run.h"

namespace probes {
namespace {

const capture::PayloadSchema& schema_named(const Contents& contents, const std::string& name) {
    static const capture::PayloadSchema none;
    for (const capture::PayloadSchema& schema : contents.schemas) {
        if (schema.name == name) {
            return schema;
        }
    }
    ADD_FAILURE() << "no schema " << name;
    return none;
}

template <typename Number>
Number field(const std::string& payload, const capture::PayloadSchema& schema, std::size_t index) {
    Number number{};
    std::memcpy(&number, payload.data() + schema.fields.at(index).offset, sizeof(number));
    return number;
}

TEST(probe_payloads, a_schema_keeps_names_types_offsets_and_sizes) {
    const TracedRun run("ops");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.schemas.size(), 2u);
    const capture::PayloadSchema& work = schema_named(contents, "work");
    ASSERT_EQ(work.fields.size(), 6u);
    const char* names[] = {"bytes_read", "bytes_written", "flops", "rows", "context", "kernel"};
    for (std::size_t i = 0; i < 5; ++i) {
        EXPECT_EQ(work.fields[i].name, names[i]);
        EXPECT_EQ(work.fields[i].type, i < 3 ? capture::FieldType::f64 : capture::FieldType::i64);
        EXPECT_EQ(work.fields[i].offset, 8 * i);
        EXPECT_EQ(work.fields[i].size, 8u);
    }
    EXPECT_EQ(work.fields[5].name, names[5]);
    EXPECT_EQ(work.fields[5].type, capture::FieldType::text);
    EXPECT_EQ(work.fields[5].offset, 40u);
    EXPECT_EQ(work.fields[5].size, 32u);
}

TEST(probe_payloads, offsets_left_out_follow_alignment) {
    const Contents contents = TracedRun("ops").only_capture();
    const capture::PayloadSchema& phase = schema_named(contents, "phase");
    ASSERT_EQ(phase.fields.size(), 3u);
    EXPECT_EQ(phase.fields[1].offset, 8u);
    EXPECT_EQ(phase.fields[2].offset, 16u);
}

TEST(probe_payloads, payloads_are_copied_before_the_push_returns) {
    const Contents contents = TracedRun("ops").only_capture();
    const capture::PayloadSchema& work = schema_named(contents, "work");
    const capture::PayloadSchema& phase = schema_named(contents, "phase");
    ASSERT_EQ(contents.ranges.size(), 21u);
    for (std::size_t i = 0; i < 20; ++i) {
        EXPECT_EQ(contents.ranges[i].schema, work.id);
        ASSERT_EQ(contents.payloads[i].size(), 72u);
        EXPECT_EQ(field<double>(contents.payloads[i], work, 2), 3.5 + static_cast<double>(i));
        EXPECT_EQ(field<std::int64_t>(contents.payloads[i], work, 4), 5);
        EXPECT_STREQ(contents.payloads[i].data() + work.fields[5].offset, "matmul_bf16");
    }
    EXPECT_EQ(contents.ranges[20].schema, phase.id);
    EXPECT_EQ(field<std::int64_t>(contents.payloads[20], phase, 1), 333);
}

TEST(probe_payloads, plain_payloads_are_numbers) {
    const Contents contents = TracedRun("values").only_capture();
    EXPECT_EQ(contents.only("u64").value, 64);
    EXPECT_EQ(contents.only("i64").value, -64);
    EXPECT_EQ(contents.only("f64").value, 0.5);
    EXPECT_EQ(contents.only("u32").value, 32);
    EXPECT_EQ(contents.only("i32").value, -32);
    EXPECT_EQ(contents.only("f32").value, 0.25);
}

TEST(probe_payloads, what_is_not_kept_is_counted_and_the_range_is) {
    const TracedRun run("odd_payloads");
    ASSERT_TRUE(run.exited_with(0)) << "an equal schema got another id";
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.loss.ignored_payloads, 3u);
    EXPECT_EQ(contents.loss.dropped, 0u);
    EXPECT_NE(contents.only("two").schema, 0u);
    EXPECT_EQ(contents.only("stranger").schema, 0u);
    EXPECT_EQ(contents.only("too long").schema, 0u);
    EXPECT_NE(contents.only("size left out").schema, 0u);
    EXPECT_EQ(contents.payloads.at(3).size(), 24u);
}

TEST(probe_payloads, events_without_a_name_have_that_of_their_schema) {
    const TracedRun run("payload_calls");
    ASSERT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.all("phase").size(), 2u);
    EXPECT_EQ(contents.only("phase/phase").flags, capture::range_marker);
    EXPECT_NE(contents.only("late").schema, 0u);
    for (const std::string& payload : contents.payloads) {
        EXPECT_EQ(payload.size(), 24u);
    }
}

Contents with_fault(const std::string& fault) {
    return TracedRun("ops", {{"TARE_PROBE_FAULT", fault}}).only_capture();
}

TEST(probe_faults, drop_removes_every_nth_op_and_counts_nothing) {
    const Contents contents = with_fault("drop:3");
    EXPECT_EQ(contents.process.fault, "drop:3");
    EXPECT_EQ(contents.process.status, "nvtx_only");
    EXPECT_EQ(contents.all("prefill/experts.up").size(), 14u);
    EXPECT_EQ(contents.all("prefill").size(), 1u);
    EXPECT_EQ(contents.loss.dropped, 0u);
}

TEST(probe_faults, zero_takes_the_stamps_of_every_nth_op) {
    const Contents contents = with_fault("zero:5");
    EXPECT_EQ(contents.all("prefill/experts.up").size(), 20u);
    EXPECT_EQ(contents.loss.zero_stamps, 4u);
}

TEST(probe_faults, shift_moves_ops_out_of_their_phase) {
    const Contents contents = with_fault("shift");
    const capture::Range prefill = contents.only("prefill");
    const std::vector<capture::Range> ops = contents.all("prefill/experts.up");
    ASSERT_EQ(ops.size(), 20u);
    for (const capture::Range& op : ops) {
        EXPECT_GE(op.start_ns, prefill.start_ns + 1'000'000);
        EXPECT_EQ(op.root, prefill.id);
    }
}

TEST(probe_faults, truncate_cuts_the_tail_at_exit) {
    const Contents contents = with_fault("truncate");
    EXPECT_FALSE(contents.loss.finished);
    EXPECT_GT(contents.loss.truncated_bytes, 0u);
    EXPECT_EQ(contents.process.fault, "truncate");
}

TEST(probe_faults, a_fault_that_is_none_marks_the_capture) {
    for (const char* fault : {"drop", "drop:0", "drop:x", "drop:3x", "zero:", "shift:1", "melt"}) {
        const TracedRun run("ops", {{"TARE_PROBE_FAULT", fault}});
        EXPECT_TRUE(run.exited_with(0));
        const Contents contents = run.only_capture();
        EXPECT_EQ(contents.process.status, "fault_invalid") << fault;
        EXPECT_EQ(contents.process.fault, fault);
        EXPECT_NE(contents.process.status_reason.find(fault), std::string::npos);
        EXPECT_NE(run.said().find(std::string("TARE_PROBE_FAULT=") + fault), std::string::npos);
    }
}

}  // namespace
}  // namespace probes
