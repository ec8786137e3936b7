// SPDX-License-Identifier: Apache-2.0
// The trials of a gate, and the checks made on them.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "baselines/gate/baseline.h"
#include "baselines/gate/verdict.h"
#include "reports/records/report.h"
#include "reports/store/store.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/run/interrupt.h"

namespace scenarios::cli {

// What every trial of a gate has in common.
struct Gating {
    const MeasuringOptions& measuring;
    const Context& context;
    const run::Interrupt& interrupt;
    reports::Store& store;
};

// What is planted, and the trials that are to show it. Two of a mode are the fewest that can show
// a count or a token that varies.
struct GateTrials {
    std::string kind = "gate";                       // of the stored run
    std::vector<std::string> arguments;              // more of them for the engine
    std::map<std::string, std::string> environment;  // of the process under test
    int timed = 2, profiled = 2;
    std::optional<double> time_limit_s;  // of each, in place of the scenario's
};

struct GateRun {
    reports::Report report;
    std::optional<std::int64_t> warm_up_ns;  // run::Result's
};

// nullopt: interrupted; what was measured is kept.
std::optional<GateRun> run_gate(plan::Scenario scenario,
                                const Gating& with,
                                const GateTrials& trials);
std::optional<reports::Report> measure_gate(plan::Scenario scenario,
                                            const Gating& with,
                                            const GateTrials& trials);

struct ExactChecks {
    bool counts = true, tokens = true;
};

baselines::GateVerdict judge_gate(const baselines::Baseline& baseline,
                                  const reports::Report& report,
                                  const ExactChecks& which);

// With the run it was concluded from; without one there is nothing to keep it with.
void keep_gate_verdict(reports::Store& store, const baselines::GateVerdict& verdict);

}  // namespace scenarios::cli
