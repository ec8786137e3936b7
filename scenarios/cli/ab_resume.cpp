// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/ab_resume.h"

#include <algorithm>
#include <set>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "reports/queries/report_query.h"
#include "scenarios/cli/ab_common.h"
#include "scenarios/cli/ab_stored.h"
#include "scenarios/cli/arms_asked.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/run/tally.h"

namespace scenarios::cli {

namespace {

// The run is this process's until it goes out of scope: then it is as it was, unless it went on.
class Claim {
  public:
    Claim(reports::Store& store, const reports::Run& run) : store_(store), run_(run) {
        try {
            store_.resume_run(run.id);
        } catch (const reports::NotCutOff& error) {
            throw UsageError(error.what());
        }
    }

    ~Claim() {
        if (went_on_) return;
        try {
            store_.finish_run(run_.id, run_.status, run_.note);
        } catch (const reports::StoreError&) {
            // Once this process is gone, the run reads as interrupted.
        }
    }

    Claim(const Claim&) = delete;
    Claim& operator=(const Claim&) = delete;

    void goes_on() { went_on_ = true; }

  private:
    reports::Store& store_;
    const reports::Run& run_;
    bool went_on_ = false;
};

void check_kind(const reports::Report& stored) {
    if (stored.run.kind == "ab") return;
    throw UsageError(
        fmt::format("run {} is one of kind '{}', and --resume goes on with those of tare ab; run "
                    "it again instead",
                    stored.run.id, stored.run.kind));
}

void check_status(const reports::Report& stored) {
    const std::string& status = stored.run.status;
    if (status == "finished")
        throw UsageError(
            fmt::format("run {} is finished; nothing to resume. `tare compare {}` "
                        "shows it",
                        stored.run.id, stored.run.id));
    if (status == "running")
        throw UsageError(fmt::format(
            "run {} is going on in another process (on {}); wait for it to end, or stop it first",
            stored.run.id, stored.machine.hostname));
}

// A run that failed for the arms' sake is over; one that the disk or the store failed is not.
void check_that_more_can_come(const reports::Report& stored,
                              const StoredComparison& what,
                              const run::Decided& decided) {
    const auto after = [&](int timed) { return decided(stored.run.id, timed); };
    const auto replayed =
        run::replayed(run::Tally(what.rounds, what.options.arms, what.options.seed), stored, after);
    if (stored.run.status == "failed" && replayed.tally.is_over())
        throw UsageError(
            fmt::format("run {} is over ({}); nothing to resume", stored.run.id, stored.run.note));
}

int go_on(const reports::Report& stored,
          StoredComparison& what,
          const ResumeOptions& given,
          const run::Interrupt& interrupt,
          reports::Store& store,
          std::string& text) {
    run::Progress progress(run::Progress::style_of_stderr(given.quiet));
    const auto when = decided(store, what.options, what.rounds);
    check_that_more_can_come(stored, what, when);
    Claim claim(store, stored.run);
    const run::Preflight before = run::preflight(what.options, interrupt, progress);
    if (before.interrupted) {
        progress.notice(fmt::format("interrupted; run {} is as it was", stored.run.id));
        return ExitCode::interrupted;
    }
    check_greetings(stored, what.options, before);
    claim.goes_on();
    const run::Result result =
        run::resume_rounds(store, what.options, what.rounds, stored, when, interrupt, progress);
    Ending ending = end_comparison(store, result, given.output, given.store, progress);
    text = std::move(ending.text);
    return ending.exit_code;
}

// Those that say where the run is and how its end is written.
const std::set<std::string> not_of_the_plan = {"--resume", "--store", "--quiet", "--format",
                                               "--out",    "--top",   "--help"};

}  // namespace

void refuse_options_of_the_plan(const CLI::App& command, const std::string& run) {
    for (const CLI::Option* option : command.get_options())
        if (option->count() > 0 && not_of_the_plan.count(option->get_name()) == 0)
            throw UsageError(fmt::format(
                "--resume {}: {} is part of the plan, which was fixed before the first round and "
                "is stored; leave it out, or start a new comparison without --resume",
                run, option->get_name()));
}

int resume_comparison(const ResumeOptions& options, const Context& context) {
    check_verdict_output(options.output, 1);
    // Nothing is made where there is no store.
    const reports::Id run =
        find_run(open_store(options.store, reports::Store::Access::read_only), options.run);
    const run::Interrupt interrupt;
    return unless_interrupted(interrupt, [&] {
        reports::Store store = new_store(options.store, interrupt);
        const reports::Report stored = reports::load_report(store, run);
        check_kind(stored);
        check_status(stored);
        StoredComparison what = recreate(stored, context);
        std::string text;
        const int code = go_on(stored, what, options, interrupt, store, text);
        if (!text.empty()) write_output(text, options.output.out, what_is_stored({run}, "compare"));
        return code;
    });
}

}  // namespace scenarios::cli
