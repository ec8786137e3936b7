// SPDX-License-Identifier: Apache-2.0
// A store with one run of known numbers: two timed and one profiled trial that count, one profiled
// trial that does not.
#pragma once

#include "reports/ingest/ingest.h"
#include "tests/reports/ingest/synthetic.h"
#include "tests/reports/store/fixture.h"

namespace tests {

// Reps of a profiled trial: 1.0, 1.2 and 1.1 ms, so that the last is the median.
inline std::vector<PhaseSpec> three_reps() {
    std::vector<PhaseSpec> reps = {a_phase(0), a_phase(1), a_phase(2)};
    const std::int64_t extra_ns[] = {0, 200'000, 100'000};
    for (std::size_t i = 0; i < 3; ++i) {
        reps[i].duration_ns += extra_ns[i];
        reps[i].ops.back().end_ns += extra_ns[i] / 2;
    }
    return reps;
}

class ReportFixture : public testing::Test {
  protected:
    ReportFixture() : store_(folder_.path()) {}

    // Writes the raw files of a trial and ingests them.
    reports::Id add_trial(reports::Mode mode,
                          int round,
                          const std::vector<PhaseSpec>& said,
                          const std::vector<PhaseSpec>& shown) {
        using reports::Mode;
        const auto id = store_.begin_trial(run_, arm_, a_trial(mode, round));
        const auto base = (store_.raw_folder(run_) / std::to_string(id)).string();
        write_file(base + ".lines", engine_lines(said));
        write_file(base + ".conditions",
                   fmt::format(R"({{"raw_ns":1,"name":"load_1m","value":{},"unit":"1"}})"
                               "\n",
                               round));
        if (mode == Mode::profiled) write_capture(base + ".capture", shown);
        store_.finish_trial(id, a_trial(mode, round));
        reports::ingest::ingest_trial(store_, id);
        return id;
    }

    // The run described above.
    reports::Id fill() {
        using reports::Mode;
        auto plan = a_plan();
        plan.timed_rounds = 2;
        plan.profiled_rounds = 1;
        plan.reps = 3;
        run_ = store_.begin_run(a_run(), a_scenario(), a_machine(), plan);
        arm_ = store_.add_arm(run_, an_arm(), a_build(), a_model());
        store_.set_roof(run_, {.copy_bytes_per_s = 2e10, .flops_per_s = 4e12, .how = "test"});
        auto timed = three_reps();
        add_trial(Mode::timed, 0, timed, {});
        for (PhaseSpec& phase : timed) phase.duration_ns += 7'000;
        add_trial(Mode::timed, 1, timed, {});
        add_trial(Mode::profiled, 2, three_reps(), three_reps());
        auto broken = three_reps();
        broken[0].ops.pop_back();
        add_trial(Mode::profiled, 3, three_reps(), broken);
        store_.finish_run(run_, "finished", "");
        return run_;
    }

    Folder folder_;
    reports::Store store_;
    reports::Id run_ = 0, arm_ = 0;
};

}  // namespace tests
