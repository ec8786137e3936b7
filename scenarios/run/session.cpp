// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/session.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/ingest/ingest.h"
#include "scenarios/run/build.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/command.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/roof.h"

namespace scenarios::run {

using reports::Id;

namespace {

// A process that hung twice hangs again; waiting for the rest of the plan would find out nothing.
constexpr int most_hangs = 2;
constexpr int engine_refuses = 2;  // exit code

}  // namespace

Session::Session(reports::Store& store,
                 const Options& options,
                 const Interrupt& interrupt,
                 Progress& progress)
    : store_(store),
      options_(options),
      interrupt_(interrupt),
      progress_(progress),
      arms_(arms_of(options)),
      start_ns_(raw_now_ns()) {}

void Session::begin(const reports::Plan& plan, const std::vector<Greeting>& greetings) {
    const plan::Scenario& scenario = options_.scenario;
    time_limit_s_ = plan.time_limit_s;
    const reports::Run run{.id = 0,
                           .started_utc = utc_text(real_now_ns()),
                           .command_line = options_.command_line,
                           .suite_commit = options_.suite_commit,
                           .backend = scenario.backend,
                           .kind = options_.kind,
                           .status = "running",
                           .note = ""};

    const reports::Scenario resolved{.name = scenario.name,
                                     .resolved_json = plan::canonical_json(scenario),
                                     .sha256 = plan::identity(scenario),
                                     .prompt_sha256 = scenario.prompt.sha256};
    result.run = store_.begin_run(run, resolved, observe_machine(), plan);
    const std::string prompt = prompt_argument();
    for (std::size_t i = 0; i < arms_.size(); ++i) open_arm(arms_[i], greetings.at(i), prompt);
}

void Session::resume(const reports::Report& stored) {
    result.run = stored.run.id;
    time_limit_s_ = stored.plan.time_limit_s;
    note_ = fmt::format("resumed {}", utc_text(real_now_ns()));
    make_folder(store_.raw_folder(stored.run.id));
    const std::string prompt = prompt_argument();
    const auto stored_arms = reports::arms_of(stored);
    for (std::size_t i = 0; i < arms_.size(); ++i) {
        opened_.push_back({stored_arms.at(i)->arm_id, setting_of(arms_[i], prompt), {}});
        for (const reports::TrialRow& row : stored_arms[i]->trials) count(row.trial);
    }
}

// A trial of before.
void Session::count(const reports::Trial& trial) {
    if (!trial.voided.empty()) return;
    ++result.trials;
    ++result.trials_before;
    result.valid += trial.valid;
    hangs_ += trial.timed_out;
    trials_s_ += static_cast<double>(trial.exit_raw_ns - trial.spawn_raw_ns) * 1e-9;
}

TrialSetting Session::setting_of(const ArmUnderTest& arm, const std::string& prompt) const {
    const auto argv = bench_command(options_, arm, prompt);
    return {.argv = argv,
            .environment = arm.words.environment,
            .probe = options_.probe,
            .prompt_sha256 = options_.scenario.prompt.sha256,
            .time_limit_s = time_limit_s_,
            .planted = plants_fault(argv) || arm.words.environment.count("TARE_PROBE_FAULT") > 0,
            .is_command = is_command(),
            .directory = options_.scenario.directory.string()};
}

void Session::open_arm(const ArmUnderTest& arm,
                       const Greeting& greeting,
                       const std::string& prompt) {
    const TrialSetting setting = setting_of(arm, prompt);
    const std::string no_hello =
        is_command() ? "a command says nothing of itself" : greeting.no_hello();
    const reports::Build build = arm.engine.empty()
                                     ? no_build(arm.why_invalid)
                                     : describe_build(arm.engine, greeting.hello, no_hello);
    std::optional<reports::Model> model;  // a command has none that we know of
    if (!is_command())
        model = describe_model(options_.scenario.model_folder, greeting.hello, no_hello);
    reports::Arm row{.name = arm.words.name,
                     .command = setting.argv,
                     .environment = setting.environment,
                     .arguments = arm.words.arguments,
                     .about = arm.words.about,
                     .spec = arm.spec,
                     .why_invalid = arm.why_invalid};
    if (is_command()) row.environment[result_file_variable] = "<trial>.results";
    if (options_.profiled_rounds > 0)
        row.environment.merge(probe_variables({options_.probe, "<trial>.probe"}));
    opened_.push_back({store_.add_arm(*result.run, row, build, model), setting, {}});
}

// A file prompt is read where it lies (its hash is checked against the plan's in every trial); a
// seeded one is written beside the run's raw files.
std::string Session::prompt_argument() const {
    const plan::Prompt& prompt = options_.scenario.prompt;
    if (!prompt.spec.empty() || is_command()) return prompt.spec;
    const auto file = std::filesystem::absolute(store_.raw_folder(*result.run)) / "prompt.json";
    write_whole(file, nlohmann::json(prompt.tokens).dump());
    return file.string();
}

void Session::measure_roof() {
    if (is_command()) {
        store_.set_roof(*result.run, {.copy_bytes_per_s = {},
                                      .flops_per_s = {},
                                      .how = "not measured: a command counts no work"});
        return;
    }
    progress_.step(options_.scenario.name + ": measuring the roof of this machine");
    store_.set_roof(*result.run, run::measure_roof(arms_[0].engine, options_.threads, interrupt_));
}

Session::Outcome Session::measure(const plan::Turn& turn,
                                  const Pace& pace,
                                  const std::string& if_cut_off) {
    const std::int64_t start_ns = raw_now_ns();
    OpenArm& arm = opened_[turn.arm];
    say_pace(turn, pace);
    reports::Trial trial{.round = turn.round, .position = turn.position, .mode = turn.mode};
    trial.planted = arm.setting.planted;
    trial.spawn_raw_ns = start_ns;
    trial.start_real_ns = real_now_ns();
    const Id id = store_.begin_trial(*result.run, arm.id, trial);
    const auto stem =
        std::filesystem::absolute(store_.raw_folder(*result.run)) / std::to_string(id);
    TrialResult ended = run_trial(arm.setting, trial, stem, arm.warm_up_ns, interrupt_);
    if (ended.interrupted) ended.trial.voided = if_cut_off;
    store_.finish_trial(id, ended.trial);
    const auto ingested = reports::ingest::ingest_trial(store_, id);

    ++result.trials;
    result.ingest_s += ingested.seconds;
    result.interrupted = result.interrupted || ended.interrupted;
    if (!result.warm_up_ns) result.warm_up_ns = ended.warm_up_ns;
    if (ended.warm_up_ns) arm.warm_up_ns = std::max(arm.warm_up_ns.value_or(0), *ended.warm_up_ns);
    Outcome outcome{.trial = id, .valid = ended.trial.valid && ingested.valid, .reason = {}};
    outcome.refused = !is_command() && ended.trial.exit_code == engine_refuses;
    result.valid += outcome.valid;
    if (!outcome.valid) {
        outcome.reason = !ended.trial.reason.empty() ? ended.trial.reason
                         : ingested.reasons.empty()  ? "no reason given"
                                                     : ingested.reasons.front();
        say_why(turn, outcome);
    }
    hangs_ += ended.trial.timed_out;
    stop_when_it_only_hangs();
    trials_s_ += static_cast<double>(raw_now_ns() - start_ns) * 1e-9;
    return outcome;
}

void Session::stop_when_it_only_hangs() {
    if (result.valid > 0 || hangs_ < most_hangs) return;
    result.stopped_early = fmt::format(
        "stopped after {} trials that hung and none that ended; raise time_limit_s ({:.3g} s) if "
        "they were only slow",
        hangs_, time_limit_s_);
}

void Session::finish() {
    const bool stopped = !result.stopped_early.empty();
    const std::string note =
        fmt::format("{}{}{}", note_, !note_.empty() && stopped ? "; " : "", result.stopped_early);
    store_.finish_run(*result.run,
                      result.interrupted ? "interrupted" : (stopped ? "failed" : "finished"), note);
    result.wall_s = static_cast<double>(raw_now_ns() - start_ns_) * 1e-9;
}

// The failure itself is what the person hears of, also when the store cannot note it.
void Session::note_failure(const std::string& why) {
    if (!result.run) return;
    try {
        store_.finish_run(*result.run, "failed", why);
    } catch (const reports::StoreError&) {
        // The run's process will be gone: it reads as interrupted.
    }
}

bool Session::several() const {
    return arms_.size() > 1;
}

bool Session::is_command() const {
    return options_.scenario.workload == plan::Workload::command;
}

void Session::say_pace(const plan::Turn& turn, const Pace& pace) const {
    progress_.step(step_text({.scenario = options_.scenario.name,
                              .trial = static_cast<std::size_t>(result.trials),
                              .trials = pace.trials,
                              .round = turn.round,
                              .rounds = pace.rounds,
                              .mode = name(turn.mode),
                              .arm = several() ? arms_[turn.arm].words.name : "",
                              .elapsed_s = trials_s_}));
}

void Session::say_why(const plan::Turn& turn, const Outcome& outcome) const {
    progress_.notice(fmt::format(
        "{}: trial {} ({}{}) is invalid: {}", options_.scenario.name, result.trials,
        name(turn.mode), several() ? ", arm " + arms_[turn.arm].words.name : "", outcome.reason));
}

}  // namespace scenarios::run
