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

}  // namespace
