// SPDX-License-Identifier: Apache-2.0
// A process that may open no more files learns nothing about a trial, and concludes nothing.
#include <gmock/gmock.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "reports/ingest/raw_file.h"
#include "reports/queries/report_query.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using reports::Mode;
using testing::HasSubstr;

// Leaves this process `left` descriptors for as long as it lives.
class FewDescriptors {
  public:
    explicit FewDescriptors(int left) {
        for (int fd = dup(0); fd >= 0; fd = dup(0)) taken_.push_back(fd);
        for (int i = 0; i < left; ++i) {
            close(taken_.back());
            taken_.pop_back();
        }
    }

    ~FewDescriptors() {
        for (const int fd : taken_) close(fd);
        setrlimit(RLIMIT_NOFILE, &before_);
    }

    FewDescriptors(const FewDescriptors&) = delete;
    FewDescriptors& operator=(const FewDescriptors&) = delete;

  private:
    static rlimit lowered() {
        rlimit before{};
        getrlimit(RLIMIT_NOFILE, &before);
        const rlimit low{std::min<rlim_t>(before.rlim_cur, 256), before.rlim_max};
        setrlimit(RLIMIT_NOFILE, &low);
        return before;
    }

    rlimit before_ = lowered();
    std::vector<int> taken_;
};

class descriptors : public tests::ReportFixture {
  protected:
    void SetUp() override {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
        GTEST_SKIP() << "a sanitizer asks a pipe of its own whether memory can be read: without "
                        "descriptors it calls every object invalid";
#endif
    }

    // What people see of the run.
    std::string figures() const {
        const auto report = reports::load_report(store_, run_);
        std::string text;
        for (const auto& trial : report.trials)
            text += fmt::format("{} {} {}\n", trial.id, trial.trial.valid, trial.trial.reason);
        for (const auto& kernel : report.kernels)
            text += fmt::format("{} {}\n", kernel.kernel, kernel.calls ? kernel.calls->median : -1);
        return text;
    }
};

// However few: all is made again, or the trial is as it was and the reason is told.
TEST_F(descriptors, however_few_a_rebuild_never_replaces_figures) {
    fill();
    const std::string before = figures();
    int told = 0;
    for (int left = 0; left < 8; ++left) {
        std::string why;
        {
            const FewDescriptors few(left);
            try {
                EXPECT_EQ(reports::ingest::rebuild(store_).trials, 4);
            } catch (const std::exception& error) {
                why = error.what();
            }
        }
        EXPECT_EQ(figures(), before) << left << " descriptors: " << why;
        if (why.empty()) continue;
        EXPECT_THAT(why, HasSubstr("ulimit -n"));
        ++told;
    }
    EXPECT_GT(told, 0);
    EXPECT_LT(told, 8);
}

// No lines: the capture is the first file to be opened.
TEST_F(descriptors, none_left_for_the_capture_is_no_reason_against_its_trial) {
    fill();
    const auto id = store_.begin_trial(run_, arm_, tests::a_trial(Mode::profiled, 4));
    tests::write_capture(store_.raw_folder(run_) / (std::to_string(id) + ".capture"),
                         tests::three_reps());
    store_.finish_trial(id, tests::a_trial(Mode::profiled, 4));
    const std::string before = figures();
    std::string why;
    {
        const FewDescriptors few(0);
        try {
            reports::ingest::ingest_trial(store_, id);
        } catch (const reports::ingest::RawFileUnreachable& error) {
            why = error.what();
        }
    }
    EXPECT_THAT(why, HasSubstr("ulimit -n"));
    EXPECT_EQ(figures(), before);
}

}  // namespace
