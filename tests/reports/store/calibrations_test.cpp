// SPDX-License-Identifier: Apache-2.0
// A calibration comes back as it was saved, and only for what it was made of.
#include "reports/store/calibrations.h"

#include "reports/render/calibration.h"
#include "tests/reports/store/fixture.h"

namespace {

using namespace reports;

Calibration a_calibration(Id run) {
    Calibration out{.run = run,
                    .machine_class = "cpu-test-2",
                    .scenario = "prefill-4k",
                    .scenario_sha256 = "5ce",
                    .backend = "cpu",
                    .arm = "gather",
                    .calibrated_utc = "2026-12-01T00:00:00Z",
                    .commit = "c0ffee",
                    .binary_sha256 = "b1",
                    .rounds = 24,
                    .profiled_rounds = 12,
                    .replaced_rounds = 2,
                    .plan = {.looks = {8, 24}, .gated = 2, .seed = 0xfedcba9876543210},
                    .tokens_repeat = true};
    out.metrics = {{.key = "prefill_wall_ns",
                    .name = "prefill.wall_ns",
                    .unit = "ns",
                    .values = {1e6, 9e5, 1.1e6, 48},
                    .rounds = {{0.1, true, 0}, {-1.0 / 3, false, 0}},
                    .sigma = 0.01,
                    .honest_margin = 0.008,
                    .detected = 0.0104,
                    .margin = 0.02,
                    .alarms = FalseAlarmCount{0.02, 2000, 3, 1, 0}},
                   {.key = "peak_bytes",
                    .name = "peak_bytes",
                    .unit = "bytes",
                    .values = {20, 20, 20, 48},
                    .reason = "why"}};
    out.kernels = {{"prefill", "prefill/layer.*.mlp/up", "matmul", 12, 5e5, 0.02}};
    out.counts = {{"ops", "1", 4}, {"varies", "1", {}}};
    return out;
}

class Calibrations : public testing::Test {
  protected:
    Calibrations() : store_(folder_.path()) {
        run_ = store_.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(),
                                tests::a_plan());
    }

    std::optional<Calibration> found() const {
        return find_calibration(store_, "cpu-test-2", "5ce", "cpu");
    }

    tests::Folder folder_;
    Store store_;
    Id run_ = 0;
};

TEST_F(Calibrations, come_back_as_they_were) {
    const Calibration before = a_calibration(run_);
    save_calibration(store_, before);
    const auto after = found();
    ASSERT_TRUE(after);
    EXPECT_EQ(render::calibration_json(*after), render::calibration_json(before));
    ASSERT_EQ(after->metrics[0].rounds.size(), 2u);
    EXPECT_EQ(after->metrics[0].rounds[1].worse, -1.0 / 3) << "to the last bit";
    EXPECT_FALSE(after->metrics[0].rounds[1].a_first);
}

TEST_F(Calibrations, hold_for_their_machine_class_scenario_and_backend_alone) {
    save_calibration(store_, a_calibration(run_));
    EXPECT_FALSE(find_calibration(store_, "cpu-test-4", "5ce", "cpu"));
    EXPECT_FALSE(find_calibration(store_, "cpu-test-2", "5cf", "cpu"));
    EXPECT_FALSE(find_calibration(store_, "cpu-test-2", "5ce", "cuda"));
    EXPECT_EQ(other_calibration(store_, "prefill-4k")->machine_class, "cpu-test-2");
    EXPECT_FALSE(other_calibration(store_, "decode-64"));
}

TEST_F(Calibrations, the_newest_is_used_and_outlives_its_run) {
    save_calibration(store_, a_calibration(run_));
    Calibration newer = a_calibration(run_);
    newer.metrics[0].honest_margin = 0.05;
    save_calibration(store_, newer);
    EXPECT_EQ(found()->metrics[0].honest_margin, 0.05);
    store_.prune({run_}, false);
    ASSERT_TRUE(found());
    EXPECT_FALSE(found()->run);
}

}  // namespace
