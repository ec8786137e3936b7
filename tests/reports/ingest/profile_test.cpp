// SPDX-License-Identifier: Apache-2.0
// A capture is summed up per phase, path and kernel, and the sums add up.
#include "reports/ingest/profile.h"

#include <gmock/gmock.h>

#include <cerrno>

#include "probes/capture/reader.h"
#include "tests/reports/ingest/synthetic.h"
#include "tests/reports/store/fixture.h"

namespace {

using namespace reports::ingest;
using tests::a_phase;
using tests::CaptureBuilder;
using tests::Folder;

Profile profile_of(const std::function<void(CaptureBuilder&)>& body) {
    Folder folder;
    {
        CaptureBuilder capture(folder.path() / "c.capture");
        body(capture);
        capture.finish();
    }
    return read_profile(folder.path() / "c.capture", {{"fallback*", "by_rule"}});
}

TEST(profile, busy_and_gap_add_up_to_the_range) {
    const Profile profile = profile_of([](CaptureBuilder& c) { c.add(a_phase()); });
    ASSERT_EQ(profile.phases.size(), 1u);
    const PhaseProfile& phase = profile.phases[0];
    EXPECT_EQ(phase.phase, "prefill");
    EXPECT_EQ(phase.range_ns, 1'000'000);
    EXPECT_EQ(phase.sum_ns, 600'000);
    EXPECT_EQ(phase.busy_ns, 600'000);
    EXPECT_EQ(phase.gap_ns, 400'000);
    EXPECT_EQ(phase.host_ns, 400'000);
    EXPECT_EQ(phase.outside_ns, 0);
    EXPECT_EQ(phase.records, 4);
    EXPECT_EQ(profile.kernel_ns, 600'000);
    EXPECT_EQ(profile.unattributed_ns, 0);
    ASSERT_EQ(phase.kernels.size(), 4u);
    EXPECT_EQ(phase.kernels[1].path, "prefill/layer.00.moe/experts.up");
    EXPECT_EQ(phase.kernels[1].kernel, "expert_matmul");
    EXPECT_EQ(phase.kernels[1].role, "expert_gemm");
    EXPECT_EQ(phase.kernels[1].bytes, 2.5e6);
    EXPECT_EQ(phase.kernels[1].flops, 4e8);
}

TEST(profile, equal_paths_fall_together_over_calls) {
    auto phase = a_phase();
    phase.ops[1] = phase.ops[0];
    phase.ops[1].start_ns += 60'000;
    phase.ops[1].end_ns += 90'000;
    const Profile profile = profile_of([&](CaptureBuilder& c) { c.add(phase); });
    const KernelTotals& router = profile.phases[0].kernels[0];
    EXPECT_EQ(router.calls, 2);
    EXPECT_EQ(router.min_ns, 50'000);
    EXPECT_EQ(router.max_ns, 80'000);
    EXPECT_EQ(router.total_ns, 130'000);
    EXPECT_EQ(router.bytes, 22'000);
    EXPECT_EQ(router.histogram.count(), 2u);
}

TEST(profile, warm_up_is_attributed_but_not_measured) {
    const Profile profile = profile_of([](CaptureBuilder& c) {
        c.add(a_phase(-1));
        c.add(a_phase(0));
    });
    EXPECT_EQ(profile.phases.size(), 1u);
    EXPECT_EQ(profile.kernel_ns, 1'200'000);
    EXPECT_EQ(profile.unattributed_ns, 0);
}

TEST(profile, op_outside_any_phase_is_unattributed) {
    const Profile profile = profile_of([](CaptureBuilder& c) {
        c.add(a_phase());
        c.add_stray(500, 700);
    });
    EXPECT_EQ(profile.unattributed_ns, 200);
    EXPECT_EQ(profile.kernel_ns, 600'200);
}

TEST(profile, ops_whose_phase_never_came_are_unattributed) {
    const Profile profile = profile_of([](CaptureBuilder& c) {
        const std::byte payload[72] = {};
        c.write({.id = 900,
                 .parent = 901,
                 .root = 901,
                 .path = c.node(0, "lost", ""),
                 .start_ns = 10,
                 .end_ns = 60,
                 .schema = 1,
                 .payload = payload});
    });
    EXPECT_EQ(profile.unattributed_ns, 50);
}

TEST(profile, role_comes_from_the_range_above_or_from_the_rules) {
    auto phase = a_phase();
    phase.ops.resize(2);
    phase.ops[0].role = "";
    phase.ops[0].kernel = "fallback_kernel";
    phase.ops[1].role = "";
    phase.ops[1].kernel = "";
    const Profile profile = profile_of([&](CaptureBuilder& c) { c.add(phase); });
    EXPECT_EQ(profile.phases[0].kernels[0].role, "by_rule");
    EXPECT_EQ(profile.phases[0].kernels[1].role, "other");
    EXPECT_EQ(profile.phases[0].kernels[1].kernel, "experts.up");  // the range's own name
}

TEST(profile, overlapping_kernels_are_busy_once) {
    auto phase = a_phase();
    phase.ops[1].start_ns = phase.ops[0].start_ns;
    const Profile profile = profile_of([&](CaptureBuilder& c) { c.add(phase); });
    EXPECT_EQ(profile.phases[0].sum_ns - profile.phases[0].busy_ns, 50'000);
}

TEST(profile, not_a_capture_is_an_error_that_names_the_file) {
    Folder folder;
    tests::write_file(folder.path() / "c.capture", "hello there, this is not a capture file");
    EXPECT_THROW(read_profile(folder.path() / "c.capture", {}), probes::capture::CaptureError);
}

TEST(profile, capture_that_cannot_be_read_now_is_no_word_about_its_content) {
    Folder folder;
    const auto file = folder.path() / "c.capture";
    for (const int error : {ENOENT, ELOOP}) {
        if (error == ELOOP) std::filesystem::create_symlink(file, file);
        try {
            read_profile(file, {});
            ADD_FAILURE() << "it was read";
        } catch (const probes::capture::CaptureUnreadable& seen) {
            EXPECT_EQ(seen.code().value(), error);
            EXPECT_THAT(seen.what(), testing::HasSubstr(file.string()));
        }
    }
}

// frame [0, 100] { a [10, 60] { b [20, 50] } a [60, 90] }, twice, as plain ranges.
void add_frame(CaptureBuilder& c, std::uint64_t id, std::int64_t at) {
    const auto frame = c.node(0, "frame", ""), a = c.node(frame, "a", ""), b = c.node(a, "b", "io");
    const auto write = [&](std::uint64_t own, std::uint64_t parent, std::uint32_t path,
                           std::int64_t start, std::int64_t end) {
        c.write({.id = id + own,
                 .parent = parent == 99 ? 0 : id + parent,
                 .root = id,
                 .path = path,
                 .start_ns = at + start,
                 .end_ns = at + end});
    };
    write(2, 1, b, 20, 50);
    write(1, 0, a, 10, 60);
    write(3, 0, a, 60, 90);
    write(0, 99, frame, 0, 100);
}

TEST(profile, plain_outermost_ranges_of_a_command_are_phases_whose_parts_add_up) {
    Folder folder;
    {
        CaptureBuilder capture(folder.path() / "c.capture");
        add_frame(capture, 10, 1'000'000);
        add_frame(capture, 20, 2'000'000);
        capture.finish();
    }
    const Profile plain = read_profile(folder.path() / "c.capture", {});
    EXPECT_TRUE(plain.phases.empty());
    const Profile seen = read_profile(folder.path() / "c.capture", {}, Phases::outermost);
    ASSERT_EQ(seen.phases.size(), 2u);
    EXPECT_EQ(seen.unattributed_ns, 0);
    EXPECT_EQ(seen.late_ns, 0);
    EXPECT_EQ(seen.phases[1].rep, 1);
    const PhaseProfile& phase = seen.phases[0];
    EXPECT_EQ(phase.phase, "frame");
    EXPECT_EQ(phase.range_ns, 100);
    EXPECT_EQ(phase.sum_ns, 80);  // a 20 + 30, b 30: the time in which none of their own ranges ran
    EXPECT_EQ(phase.busy_ns, 80);
    EXPECT_EQ(phase.gap_ns, 20);
    EXPECT_EQ(phase.host_ns, 20);
    ASSERT_EQ(phase.kernels.size(), 2u);
    EXPECT_EQ(phase.kernels[0].path, "frame/a/b");
    EXPECT_EQ(phase.kernels[0].kernel, "b");
    EXPECT_EQ(phase.kernels[0].role, "io");
    EXPECT_EQ(phase.kernels[0].total_ns, 30);
    EXPECT_EQ(phase.kernels[1].calls, 2);
    EXPECT_EQ(phase.kernels[1].total_ns, 50);
}

TEST(profile, more_outermost_ranges_than_can_be_shown_are_counted) {
    Folder folder;
    {
        CaptureBuilder capture(folder.path() / "c.capture");
        const auto node = capture.node(0, "request", "");
        for (std::uint64_t i = 1; i <= most_phases + 5; ++i) {
            const auto at = static_cast<std::int64_t>(1000 * i);
            capture.write({.id = i, .root = i, .path = node, .start_ns = at, .end_ns = at + 10});
        }
        capture.finish();
    }
    const Profile seen = read_profile(folder.path() / "c.capture", {}, Phases::outermost);
    EXPECT_EQ(seen.phases.size(), most_phases);
    EXPECT_EQ(seen.phases_left_out, 5);
}

}  // namespace
