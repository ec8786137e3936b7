// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/rounds.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <filesystem>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/queries/report_query.h"
#include "scenarios/plan/blocks.h"
#include "scenarios/run/command.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"
#include "scenarios/run/plan_record.h"
#include "scenarios/run/session.h"
#include "scenarios/run/tally.h"

namespace scenarios::run {

namespace {

// What every protocol that was ever shipped is read as; a newer one may mean anything.
constexpr int newest_protocol = 1;

std::string why_not_understood(const Greeting& greeting, const plan::Scenario& scenario) {
    if (!greeting.end.empty() || scenario.workload == plan::Workload::command) return greeting.end;
    if (!greeting.hello) return "it printed no hello line, so nothing it says can be read";
    const auto protocol = greeting.hello->protocol;
    if (!protocol || *protocol < 1 || *protocol > newest_protocol)
        return fmt::format("it speaks protocol {}; this tare reads 1 to {}",
                           protocol ? std::to_string(*protocol) : "unknown", newest_protocol);
    return "";
}

// A prompt from a seed has no file of its own yet: the run that keeps one is still to begin.
class PromptFile {
  public:
    explicit PromptFile(const plan::Prompt& prompt) : argument_(prompt.spec) {
        if (!argument_.empty() || prompt.tokens.empty()) return;
        std::string name = (std::filesystem::temp_directory_path() / "tare-prompt-XXXXXX").string();
        if (::mkdtemp(name.data()) == nullptr)
            throw FileError(fmt::format("{}: cannot be made: {}", name, std::strerror(errno)));
        folder_ = name;
        argument_ = (folder_ / "prompt.json").string();
        write_whole(argument_, nlohmann::json(prompt.tokens).dump());
    }

    ~PromptFile() {
        std::error_code ignored;
        if (!folder_.empty()) std::filesystem::remove_all(folder_, ignored);
    }

    PromptFile(const PromptFile&) = delete;
    PromptFile& operator=(const PromptFile&) = delete;

    const std::string& argument() const { return argument_; }

  private:
    std::string argument_;
    std::filesystem::path folder_;
};

// Why the trials of a block that did not come to its end count for nothing.
std::string why_void(int block) {
    return fmt::format(
        "void: rounds {} and {} were cut off; they run again as a whole when the run goes on",
        2 * block, 2 * block + 1);
}

// What a command writes before anything is measured, nobody reads.
std::map<std::string, std::string> environment_before(const plan::Scenario& scenario,
                                                      const ArmUnderTest& arm) {
    auto environment = arm.words.environment;
    if (scenario.workload == plan::Workload::command)
        environment[result_file_variable] = "/dev/null";
    return environment;
}

class Blocks {
  public:
    Blocks(reports::Store& store,
           Session& session,
           Tally& tally,
           const Decided& decided,
           const Interrupt& interrupt)
        : store_(store),
          session_(session),
          tally_(tally),
          decided_(decided),
          interrupt_(interrupt) {}

    void run() {
        session_.result.stopped_early = tally_.stopped();
        while (!ended()) {
            const auto turns = tally_.turns();
            if (turns.empty()) return;
            run_block(turns);
        }
    }

    void void_block() {
        const int first = 2 * tally_.block();
        store_.void_rounds(*session_.result.run, first, first + 1, why_void(tally_.block()));
    }

  private:
    bool ended() const {
        return session_.result.interrupted || !session_.result.stopped_early.empty();
    }

    void run_block(const std::vector<plan::Turn>& turns) {
        for (const plan::Turn& turn : turns) {
            session_.result.interrupted = session_.result.interrupted || interrupt_.raised();
            if (session_.result.interrupted) return void_block();
            const auto outcome = session_.measure(turn, pace(), why_void(tally_.block()));
            if (session_.result.interrupted) return void_block();
            if (!outcome.valid) tally_.note_failure(turn, outcome.reason);
            stop_if_not_comparable();
            if (ended()) return;
        }
        tally_.end_block([&](int timed) { return decided_(*session_.result.run, timed); });
        stop_if_not_comparable();
    }

    void stop_if_not_comparable() {
        if (session_.result.stopped_early.empty()) session_.result.stopped_early = tally_.stopped();
    }

    Pace pace() const { return {.trials = tally_.most_trials(), .rounds = tally_.most_rounds()}; }

    reports::Store& store_;
    Session& session_;
    Tally& tally_;
    const Decided& decided_;
    const Interrupt& interrupt_;
};

// What was measured is kept, and said.
void note_failure(Session& session,
                  const Options& options,
                  const std::exception& error,
                  Progress& progress) {
    session.note_failure(error.what());
    if (session.result.run && options.kind == "ab")
        progress.notice(
            fmt::format("run {0} keeps its {1} trials; once this is mended, `tare ab "
                        "--resume {0}` goes on",
                        *session.result.run, session.result.trials));
}

}  // namespace

std::vector<std::size_t> that_take_part(const std::vector<ArmUnderTest>& arms) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < arms.size(); ++i)
        if (arms[i].why_invalid.empty()) out.push_back(i);
    return out;
}

std::vector<plan::Turn> turns_of_block(std::uint64_t seed,
                                       const std::vector<std::size_t>& taking_part,
                                       int block,
                                       const std::vector<reports::Mode>& modes) {
    auto turns = plan::block_turns(seed, taking_part.size(), block, modes);
    for (plan::Turn& turn : turns) turn.arm = taking_part[turn.arm];
    return turns;
}

Preflight preflight(Options& options, const Interrupt& interrupt, Progress& progress) {
    options.arms = arms_of(options);
    const PromptFile prompt(options.scenario.prompt);
    const double limit_s = time_limit_of(options);
    Preflight out;
    for (ArmUnderTest& arm : options.arms) {
        Greeting greeting;
        // A second try: what fails once may be the machine's fault, and costs the whole comparison.
        for (int turn = 0; turn < 2 && arm.why_invalid.empty(); ++turn) {
            progress.step(fmt::format("{}: arm {}: one process before anything is measured",
                                      options.scenario.name, arm.words.name));
            greeting = greet_with(bench_command(options, arm, prompt.argument()),
                                  environment_before(options.scenario, arm), limit_s,
                                  interrupt.fd(), options.scenario.directory.string());
            out.interrupted = greeting.interrupted;
            if (out.interrupted) return out;
            if (why_not_understood(greeting, options.scenario).empty()) break;
            if (turn == 1) arm.why_invalid = why_not_understood(greeting, options.scenario);
        }
        if (arm.why_invalid.empty()) out.round_s += greeting.seconds;
        out.greetings.push_back(std::move(greeting));
    }
    return out;
}

Result run_rounds(reports::Store& store,
                  const Options& options,
                  const RoundsPlan& rounds,
                  const Preflight& before,
                  const Decided& decided,
                  const Interrupt& interrupt,
                  Progress& progress) {
    Session session(store, options, interrupt, progress);
    Tally tally(rounds, arms_of(options), options.seed);
    try {
        session.begin(comparison_plan_record(options, rounds), before.greetings);
        session.measure_roof();
        Blocks(store, session, tally, decided, interrupt).run();
    } catch (const std::exception& error) {
        note_failure(session, options, error, progress);
        throw;
    }
    session.finish();
    return session.result;
}

Result resume_rounds(reports::Store& store,
                     const Options& options,
                     const RoundsPlan& rounds,
                     const reports::Report& stored,
                     const Decided& decided,
                     const Interrupt& interrupt,
                     Progress& progress) {
    Session session(store, options, interrupt, progress);
    const auto decided_after = [&](int timed) { return decided(stored.run.id, timed); };
    auto [tally, cut_off] =
        replayed(Tally(rounds, options.arms, options.seed), stored, decided_after);
    try {
        session.result.run = stored.run.id;
        Blocks blocks(store, session, tally, decided, interrupt);
        if (cut_off) blocks.void_block();
        session.resume(reports::load_report(store, stored.run.id));
        if (stored.roof.how.empty()) session.measure_roof();
        blocks.run();
    } catch (const std::exception& error) {
        note_failure(session, options, error, progress);
        throw;
    }
    session.finish();
    return session.result;
}

}  // namespace scenarios::run
