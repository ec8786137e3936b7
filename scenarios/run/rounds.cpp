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

#include "reports/compare/validity.h"
#include "scenarios/plan/blocks.h"
#include "scenarios/run/command.h"
#include "scenarios/run/files.h"
#include "scenarios/run/plan_record.h"
#include "scenarios/run/session.h"

namespace scenarios::run {

namespace {

using reports::Mode;

// What every protocol that was ever shipped is read as; a newer one may mean anything.
constexpr int newest_protocol = 1;

std::string why_not_understood(const Greeting& greeting) {
    if (!greeting.end.empty()) return greeting.end;
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
        if (!argument_.empty()) return;
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

class Blocks {
  public:
    Blocks(Session& session,
           const Options& options,
           const RoundsPlan& plan,
           const Decided& decided,
           const Interrupt& interrupt)
        : session_(session),
          options_(options),
          plan_(plan),
          decided_(decided),
          interrupt_(interrupt) {
        const auto arms = arms_of(options);
        taking_part_ = that_take_part(arms);
        for (const ArmUnderTest& arm : arms) failures_.push_back({arm.words.name, 0, ""});
    }

    void run() {
        if (taking_part_.size() < 2) {
            session_.result.stopped_early = "fewer than two arms can be measured";
            return;
        }
        while (!ended() && !modes().empty()) run_block(block_++);
    }

  private:
    bool ended() const {
        return session_.result.interrupted || !session_.result.stopped_early.empty();
    }

    bool needs_timed() const { return !is_decided_ && timed_ < plan_.looks.back(); }

    // Profiled rounds keep step with the timed ones, and reach their least number after them.
    bool needs_profiled() const {
        return plan_.profiled_rounds > 0 &&
               (needs_timed() || profiled_ < std::max(plan_.profiled_rounds, timed_));
    }

    std::vector<Mode> modes() const {
        std::vector<Mode> modes;
        if (needs_timed()) modes.push_back(Mode::timed);
        if (needs_profiled()) modes.push_back(Mode::profiled);
        return modes;
    }

    void run_block(int block) {
        const auto modes_now = modes();
        bool is_whole = true;
        for (const plan::Turn& turn :
             turns_of_block(options_.seed, taking_part_, block, modes_now)) {
            session_.result.interrupted = session_.result.interrupted || interrupt_.raised();
            if (ended()) return;
            const Session::Outcome outcome = session_.measure(turn, pace());
            if (session_.result.interrupted) return;
            if (!outcome.valid) note_failure(turn, outcome.reason);
            is_whole = is_whole && outcome.valid;
        }
        count(is_whole, modes_now);
    }

    void note_failure(const plan::Turn& turn, const std::string& reason) {
        reports::compare::ArmFailures& arm = failures_[turn.arm];
        if (arm.failed++ == 0) arm.first_reason = reason;
        stop_if_not_comparable();
    }

    // A block with a trial that failed counts for nothing, and another is run in its place.
    void count(bool is_whole, const std::vector<Mode>& modes_now) {
        if (!is_whole) {
            replaced_ += 2;
            stop_if_not_comparable();
            return;
        }
        for (const Mode mode : modes_now) (mode == Mode::timed ? timed_ : profiled_) += 2;
        const bool is_look =
            std::find(plan_.looks.begin(), plan_.looks.end(), timed_) != plan_.looks.end();
        if (is_look && needs_timed()) is_decided_ = decided_(*session_.result.run, timed_);
    }

    void stop_if_not_comparable() {
        if (session_.result.stopped_early.empty())
            session_.result.stopped_early =
                reports::compare::why_not_comparable(failures_, replaced_, plan_.looks.back());
    }

    // At most: a verdict may come earlier.
    Pace pace() const {
        const int rounds = plan_.looks.back() + replaced_;
        const int modes = plan_.profiled_rounds > 0 ? 2 : 1;
        return {.trials = static_cast<std::size_t>(rounds * modes) * taking_part_.size(),
                .rounds = rounds};
    }

    Session& session_;
    const Options& options_;
    const RoundsPlan& plan_;
    const Decided& decided_;
    const Interrupt& interrupt_;
    std::vector<std::size_t> taking_part_;                 // indices of arms that can be run
    std::vector<reports::compare::ArmFailures> failures_;  // by arm
    int block_ = 0, timed_ = 0, profiled_ = 0, replaced_ = 0;
    bool is_decided_ = false;
};

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
    const double limit_s = options.scenario.time_limit_s.value_or(default_time_limit_s);
    Preflight out;
    for (ArmUnderTest& arm : options.arms) {
        Greeting greeting;
        // A second try: what fails once may be the machine's fault, and costs the whole comparison.
        for (int turn = 0; turn < 2 && arm.why_invalid.empty(); ++turn) {
            progress.step(fmt::format("{}: arm {}: one process before anything is measured",
                                      options.scenario.name, arm.words.name));
            greeting = greet_with(bench_command(options, arm, prompt.argument()),
                                  arm.words.environment, limit_s, interrupt.fd());
            out.interrupted = greeting.interrupted;
            if (out.interrupted) return out;
            if (why_not_understood(greeting).empty()) break;
            if (turn == 1) arm.why_invalid = why_not_understood(greeting);
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
    try {
        session.begin(comparison_plan_record(options, rounds), before.greetings);
        session.measure_roof();
        Blocks(session, options, rounds, decided, interrupt).run();
    } catch (const std::exception& error) {
        session.note_failure(error.what());
        throw;
    }
    session.finish();
    return session.result;
}

}  // namespace scenarios::run
