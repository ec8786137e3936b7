// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/run.h"

#include <algorithm>
#include <exception>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/ingest/ingest.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/build.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/command.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"
#include "scenarios/run/greeting.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/plan_record.h"
#include "scenarios/run/roof.h"
#include "scenarios/run/trial.h"

namespace scenarios::run {

namespace {

using reports::Id;
using reports::Mode;

// A process that hung twice hangs again; waiting for the rest of the plan would find out nothing.
constexpr int most_hangs = 2;

// One run from the row that opens it to the one that closes it.
class Rounds {
  public:
    Rounds(reports::Store& store,
           const Options& options,
           const Interrupt& interrupt,
           Progress& progress)
        : store_(store),
          options_(options),
          interrupt_(interrupt),
          progress_(progress),
          order_(plan::draw_order(options.timed_rounds, options.profiled_rounds, options.seed)),
          plan_(plan_record(options, order_)) {}

    Result run() {
        const std::int64_t start_ns = raw_now_ns();
        progress_.step(options_.scenario.name + ": asking the engine what it is");
        const Greeting greeting =
            greet(options_, std::min(plan_.time_limit_s, greeting_time_limit_s), interrupt_.fd());
        if (greeting.interrupted) {
            result_.interrupted = true;
            return result_;
        }
        open_run(greeting);
        try {
            measure();
        } catch (const std::exception& error) {
            store_.finish_run(*result_.run, "failed", error.what());
            throw;
        }
        const bool stopped = !result_.stopped_early.empty();
        store_.finish_run(*result_.run,
                          result_.interrupted ? "interrupted" : (stopped ? "failed" : "finished"),
                          result_.stopped_early);
        result_.wall_s = static_cast<double>(raw_now_ns() - start_ns) * 1e-9;
        return result_;
    }

  private:
    void open_run(const Greeting& greeting) {
        const plan::Scenario& scenario = options_.scenario;
        const reports::Run run{.id = 0,
                               .started_utc = utc_text(real_now_ns()),
                               .command_line = options_.command_line,
                               .suite_commit = options_.suite_commit,
                               .backend = scenario.backend,
                               .status = "running",
                               .note = ""};
        const reports::Scenario resolved{.name = scenario.name,
                                         .resolved_json = plan::canonical_json(scenario),
                                         .sha256 = plan::identity(scenario),
                                         .prompt_sha256 = scenario.prompt.sha256};
        result_.run = store_.begin_run(run, resolved, observe_machine(), plan_);
        setting_.argv = bench_command(options_, prompt_argument());
        setting_.probe = options_.probe;
        setting_.prompt_sha256 = scenario.prompt.sha256;
        setting_.time_limit_s = plan_.time_limit_s;
        setting_.planted = plants_fault(setting_.argv);
        reports::Arm arm{.name = "a", .command = setting_.argv, .environment = {}};
        if (options_.profiled_rounds > 0)
            arm.environment = probe_variables({options_.probe, "<trial>.probe"});
        arm_ = store_.add_arm(
            *result_.run, arm, describe_build(options_.engine, greeting.hello, greeting.no_hello()),
            describe_model(scenario.model_folder, greeting.hello, greeting.no_hello()));
    }

    // A file prompt is read where it lies (its hash is checked against the plan's in every trial);
    // a seeded one is written beside the run's raw files.
    std::string prompt_argument() const {
        const plan::Prompt& prompt = options_.scenario.prompt;
        if (!prompt.spec.empty()) return prompt.spec;
        const auto file =
            std::filesystem::absolute(store_.raw_folder(*result_.run)) / "prompt.json";
        write_whole(file, nlohmann::json(prompt.tokens).dump());
        return file.string();
    }

    void measure() {
        progress_.step(options_.scenario.name + ": measuring the roof of this machine");
        store_.set_roof(*result_.run, measure_roof(options_.engine, options_.threads, interrupt_));
        for (const plan::Turn& turn : order_) {
            result_.interrupted = result_.interrupted || interrupt_.raised();
            if (result_.interrupted || !result_.stopped_early.empty()) break;
            measure_turn(turn);
        }
    }

    void measure_turn(const plan::Turn& turn) {
        const std::int64_t start_ns = raw_now_ns();
        progress_.step(step_text({.scenario = options_.scenario.name,
                                  .trial = static_cast<std::size_t>(result_.trials),
                                  .trials = order_.size(),
                                  .round = turn.round,
                                  .rounds = order_.back().round + 1,
                                  .mode = name(turn.mode),
                                  .elapsed_s = trials_s_}));
        reports::Trial trial{.round = turn.round, .position = turn.position, .mode = turn.mode};
        trial.planted = setting_.planted;
        trial.spawn_raw_ns = start_ns;
        trial.start_real_ns = real_now_ns();
        const Id id = store_.begin_trial(*result_.run, arm_, trial);
        const auto stem =
            std::filesystem::absolute(store_.raw_folder(*result_.run)) / std::to_string(id);
        const TrialResult ended = run_trial(setting_, trial, stem, warm_up_ns_, interrupt_);
        store_.finish_trial(id, ended.trial);
        take(ended, reports::ingest::ingest_trial(store_, id));
        trials_s_ += static_cast<double>(raw_now_ns() - start_ns) * 1e-9;
    }

    void take(const TrialResult& ended, const reports::ingest::Outcome& outcome) {
        ++result_.trials;
        result_.ingest_s += outcome.seconds;
        result_.interrupted = result_.interrupted || ended.interrupted;
        if (ended.warm_up_ns) warm_up_ns_ = std::max(warm_up_ns_.value_or(0), *ended.warm_up_ns);
        const bool valid = ended.trial.valid && outcome.valid;
        if (valid)
            ++(ended.trial.mode == Mode::profiled ? result_.valid_profiled : result_.valid_timed);
        if (!valid) say_why(ended, outcome);
        hangs_ += ended.trial.timed_out;
        const bool none_valid = result_.valid_timed + result_.valid_profiled == 0;
        if (none_valid && hangs_ >= most_hangs)
            result_.stopped_early = fmt::format(
                "stopped after {} trials that hung and none that ended; raise time_limit_s ({:.3g} "
                "s) "
                "if they were only slow",
                hangs_, plan_.time_limit_s);
    }

    void say_why(const TrialResult& ended, const reports::ingest::Outcome& outcome) {
        const std::string first = !ended.trial.reason.empty() ? ended.trial.reason
                                  : outcome.reasons.empty()   ? "no reason given"
                                                              : outcome.reasons.front();
        progress_.notice(fmt::format("{}: trial {} ({}) is invalid: {}", options_.scenario.name,
                                     result_.trials, name(ended.trial.mode), first));
    }

    reports::Store& store_;
    const Options& options_;
    const Interrupt& interrupt_;
    Progress& progress_;
    std::vector<plan::Turn> order_;
    reports::Plan plan_;
    TrialSetting setting_;
    Id arm_ = 0;
    Result result_;
    std::optional<std::int64_t> warm_up_ns_;  // longest seen
    double trials_s_ = 0;
    int hangs_ = 0;
};

}  // namespace

Result run_scenario(reports::Store& store,
                    const Options& options,
                    const Interrupt& interrupt,
                    Progress& progress) {
    return Rounds(store, options, interrupt, progress).run();
}

}  // namespace scenarios::run
