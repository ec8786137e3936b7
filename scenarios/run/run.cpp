// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/run.h"

#include <algorithm>
#include <exception>
#include <set>

#include <fmt/format.h>

#include "scenarios/plan/order.h"
#include "scenarios/run/greeting.h"
#include "scenarios/run/plan_record.h"
#include "scenarios/run/session.h"

namespace scenarios::run {

namespace {

// What an engine refuses once it refuses in every trial: the person has to correct something. One
// that took the same arguments before is failing in another way.
void stop_when_refused(const Session::Outcome& outcome,
                       const plan::Turn& turn,
                       Result& result,
                       std::set<std::size_t>& measured) {
    if (outcome.valid) measured.insert(turn.arm);
    if (!outcome.refused || measured.contains(turn.arm)) return;
    result.refused = true;
    result.stopped_early = fmt::format("the engine refuses what it is asked: {}", outcome.reason);
}

void measure_all(Session& session,
                 const std::vector<plan::Turn>& order,
                 const Interrupt& interrupt) {
    session.measure_roof();
    const Pace pace{.trials = order.size(), .rounds = order.back().round + 1};
    std::set<std::size_t> measured;
    for (const plan::Turn& turn : order) {
        session.result.interrupted = session.result.interrupted || interrupt.raised();
        if (session.result.interrupted || !session.result.stopped_early.empty()) break;
        stop_when_refused(session.measure(turn, pace), turn, session.result, measured);
    }
}

}  // namespace

double time_limit_of(const Options& options) {
    return options.time_limit_s.value_or(
        options.scenario.time_limit_s.value_or(default_time_limit_s));
}

std::vector<ArmUnderTest> arms_of(const Options& options) {
    if (!options.arms.empty()) return options.arms;
    std::vector<ArmUnderTest> arms;
    for (const plan::Arm& arm : options.scenario.arms) arms.push_back({arm, options.engine});
    if (arms.empty())
        arms.push_back(
            {{.name = "a", .arguments = {}, .environment = {}, .about = {}}, options.engine});
    return arms;
}

Result run_scenario(reports::Store& store,
                    const Options& options,
                    const Interrupt& interrupt,
                    Progress& progress) {
    const auto arms = arms_of(options);
    const auto order =
        plan::draw_order(options.timed_rounds, options.profiled_rounds, options.seed, arms.size());
    const reports::Plan plan = plan_record(options, order);
    Session session(store, options, interrupt, progress);
    Greeting greeting;
    if (options.scenario.workload != plan::Workload::command) {
        progress.step(options.scenario.name + ": asking the engine what it is");
        greeting =
            greet(options, std::min(plan.time_limit_s, greeting_time_limit_s), interrupt.fd());
    }
    if (greeting.interrupted) {
        session.result.interrupted = true;
        return session.result;
    }
    try {
        session.begin(plan, std::vector<Greeting>(arms.size(), greeting));
        measure_all(session, order, interrupt);
    } catch (const std::exception& error) {
        session.note_failure(error.what());
        throw;
    }
    session.finish();
    return session.result;
}

}  // namespace scenarios::run
