// SPDX-License-Identifier: Apache-2.0
// Binds the phase, integrity and profiling cost queries.
#include "reports/queries/phase_rows.h"

#include <algorithm>
#include <map>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports {
namespace {

using store::Statement;

Figure figure(const Statement& row, const std::string& prefix) {
    const auto middle = row.real((prefix + "median").c_str());
    if (!middle) return std::nullopt;
    return Spread{.median = *middle,
                  .min = row.need_real((prefix + "least").c_str()),
                  .max = row.need_real((prefix + "most").c_str()),
                  .n = static_cast<int>(row.need_integer((prefix + "n").c_str()))};
}

Figure* slot(PhaseRow& phase, const std::string& name) {
    const std::map<std::string, Figure*> slots = {{"wall_ns", &phase.wall_ns},
                                                  {"busy_ns", &phase.busy_ns},
                                                  {"sum_ns", &phase.sum_ns},
                                                  {"gap_ns", &phase.gap_ns},
                                                  {"launch_ns", &phase.gap.launch_ns},
                                                  {"sync_ns", &phase.gap.sync_ns},
                                                  {"alloc_ns", &phase.gap.alloc_ns},
                                                  {"host_ns", &phase.gap.host_ns},
                                                  {"dispatch_ns", &phase.gap.dispatch_ns},
                                                  {"unsplit_ns", &phase.gap.unsplit_ns},
                                                  {"tokens_per_s", &phase.tokens_per_s}};
    const auto found = slots.find(name);
    return found == slots.end() ? nullptr : found->second;
}

std::map<std::string, Integrity> load_integrity(const store::Database& database, Id arm) {
    std::map<std::string, Integrity> by_phase;
    Statement row = database.prepare(store::embedded("queries/integrity.sql"));
    row.bind({arm});
    while (row.step()) {
        by_phase[row.need_text("phase")] = {
            .unattributed_share = row.real("unattributed_share"),
            .outside_share = row.real("outside_share"),
            .records_expected = row.integer("records_expected"),
            .records_seen = row.integer("records_seen"),
            .gap_residual_share = row.real("gap_residual_share"),
            .timer_disagreement_share = row.real("timer_disagreement_share")};
    }
    return by_phase;
}

// A mode is as good as its best trial: one valid trial makes its numbers count.
void judge(PhaseRow& phase, const std::vector<TrialRow>& trials) {
    phase.valid = false;
    for (const TrialRow& row : trials) {
        if (row.trial.mode != phase.mode) continue;
        if (row.trial.valid) phase.valid = true;
        if (!row.trial.valid && phase.reason.empty()) phase.reason = row.trial.reason;
    }
    if (phase.valid) phase.reason.clear();
}

}  // namespace

std::vector<PhaseRow> load_phase_rows(const Store& store,
                                      Id arm,
                                      const std::vector<TrialRow>& trials,
                                      const std::string& timer) {
    const store::Database& database = store.impl().database;
    auto integrity = load_integrity(database, arm);
    std::vector<PhaseRow> phases;
    Statement row = database.prepare(store::embedded("queries/phase.sql"));
    row.bind({arm});
    while (row.step()) {
        const std::string phase = row.need_text("phase");
        const Mode mode = mode_from(row.need_text("mode")).value_or(Mode::timed);
        auto known = std::find_if(phases.begin(), phases.end(), [&](const PhaseRow& p) {
            return p.phase == phase && p.mode == mode;
        });
        if (known == phases.end()) {
            known =
                phases.insert(phases.end(), PhaseRow{.phase = phase, .mode = mode, .timer = timer});
            if (mode == Mode::profiled) known->integrity = integrity[phase];
            judge(*known, trials);
        }
        if (Figure* target = slot(*known, row.need_text("name"))) *target = figure(row, "");
        known->rounds = std::max(known->rounds, static_cast<int>(row.need_integer("trials")));
    }
    return phases;
}

std::vector<ProfilingCost> load_profiling_cost(const Store& store, Id arm) {
    std::vector<ProfilingCost> costs;
    Statement row = store.impl().database.prepare(store::embedded("queries/profiling_cost.sql"));
    row.bind({arm});
    while (row.step()) {
        costs.push_back({.phase = row.need_text("phase"),
                         .timed_wall_ns = figure(row, "timed_"),
                         .profiled_wall_ns = figure(row, "profiled_"),
                         .ratio = row.real("ratio")});
    }
    return costs;
}

}  // namespace reports
