// SPDX-License-Identifier: Apache-2.0
// One stored run while it goes on: its arms, its trials, how it ends. Which trial comes next is
// decided elsewhere: run.cpp has a fixed order, rounds.cpp goes on until there is a verdict.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/store/store.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/greeting.h"
#include "scenarios/run/interrupt.h"
#include "scenarios/run/progress.h"
#include "scenarios/run/run.h"
#include "scenarios/run/trial.h"

namespace scenarios::run {

// How far a run is, for the line a person reads.
struct Pace {
    std::size_t trials = 0;  // planned, so far as is known
    int rounds = 0;
};

class Session {
  public:
    Session(reports::Store& store,
            const Options& options,
            const Interrupt& interrupt,
            Progress& progress);

    // Writes run, plan and arms. greetings[i] is what the program of arm i said.
    void begin(const reports::Plan& plan, const std::vector<Greeting>& greetings);
    // Goes on with a run that this process has taken over: arms, prompt and trials are stored.
    void resume(const reports::Report& stored);

    void measure_roof();

    struct Outcome {
        reports::Id trial = 0;
        bool valid = false;
        std::string reason;    // first reason it is not
        bool refused = false;  // exit code 2: the engine says that it is asked wrongly
    };

    // Runs, stores and ingests one trial. One that an interrupt cuts off is void for the reason
    // `if_cut_off`; without one it is not valid.
    Outcome measure(const plan::Turn& turn, const Pace& pace, const std::string& if_cut_off = "");

    // Closes the run as finished, interrupted or failed (stopped_early), and adds up its time.
    void finish();
    // Of a run that cannot go on; what was measured is kept.
    void note_failure(const std::string& why);

    Result result;

  private:
    struct OpenArm {
        reports::Id id = 0;
        TrialSetting setting;
        std::optional<std::int64_t> warm_up_ns;  // longest seen
    };

    void open_arm(const ArmUnderTest& arm, const Greeting& greeting, const std::string& prompt);
    TrialSetting setting_of(const ArmUnderTest& arm, const std::string& prompt) const;
    void count(const reports::Trial& trial);
    std::string prompt_argument() const;
    void say_pace(const plan::Turn& turn, const Pace& pace) const;
    void say_why(const plan::Turn& turn, const Outcome& outcome) const;
    void stop_when_it_only_hangs();
    bool several() const;
    bool is_command() const;

    reports::Store& store_;
    const Options& options_;
    const Interrupt& interrupt_;
    Progress& progress_;
    std::vector<ArmUnderTest> arms_;
    std::vector<OpenArm> opened_;
    double time_limit_s_ = 0;
    std::int64_t start_ns_;
    double trials_s_ = 0;
    int hangs_ = 0;
    std::string note_;  // of a run that went on
};

}  // namespace scenarios::run
