// SPDX-License-Identifier: Apache-2.0
// A comparison of arms: blocks of interleaved rounds until there is a verdict or the plan ends.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "reports/records/report.h"
#include "scenarios/plan/order.h"
#include "scenarios/run/greeting.h"
#include "scenarios/run/run.h"

namespace scenarios::run {

// Frozen before the first round.
struct RoundsPlan {
    std::vector<int> looks;   // timed rounds at which a verdict is looked for: even, ascending
    int profiled_rounds = 0;  // at least; with more timed rounds, as many as those; 0: none
};

// Arms that can be started, as indices into `arms`: the others take part in no round.
std::vector<std::size_t> that_take_part(const std::vector<ArmUnderTest>& arms);

// plan::block_turns() of the arms that take part; each turn names its arm among all of them.
std::vector<plan::Turn> turns_of_block(std::uint64_t seed,
                                       const std::vector<std::size_t>& taking_part,
                                       int block,
                                       const std::vector<reports::Mode>& modes);

// Whether every gated metric of `run` is decided after that many timed rounds. Asked at each look.
using Decided = std::function<bool(reports::Id run, int timed_rounds)>;

// One process of every arm before anything is measured: what it says of itself, whether it can be
// run at all (else its why_invalid is set), and how long a trial takes.
struct Preflight {
    std::vector<Greeting> greetings;  // by arm
    double round_s = 0;               // one process of every arm that can be run
    bool interrupted = false;
};

Preflight preflight(Options& options, const Interrupt& interrupt, Progress& progress);

// As run_scenario(). result.stopped_early says why arms cannot be compared, when they cannot.
Result run_rounds(reports::Store& store,
                  const Options& options,
                  const RoundsPlan& rounds,
                  const Preflight& preflight,
                  const Decided& decided,
                  const Interrupt& interrupt,
                  Progress& progress);

// Goes on with `stored`, a run of the same plan that this process has taken over: the first block
// that did not come to its end is void and runs again, in the same order. Throws StoreError when
// its trials are not those of the plan, and as run_rounds() does.
Result resume_rounds(reports::Store& store,
                     const Options& options,
                     const RoundsPlan& rounds,
                     const reports::Report& stored,
                     const Decided& decided,
                     const Interrupt& interrupt,
                     Progress& progress);

}  // namespace scenarios::run
