// SPDX-License-Identifier: Apache-2.0
#include "reports/export/select.h"

#include <fmt/format.h>

#include <algorithm>

namespace reports::exports {
namespace {

bool is_over(const TrialRow& row) {
    return row.trial.exit_raw_ns > 0;
}

// Of all arms, in the order they ran.
std::vector<TrialRow> all_trials(const Report& report) {
    std::vector<TrialRow> all;
    for (const Report* arm : arms_of(report)) {
        all.insert(all.end(), arm->trials.begin(), arm->trials.end());
    }
    std::sort(all.begin(), all.end(),
              [](const TrialRow& a, const TrialRow& b) { return a.id < b.id; });
    return all;
}

std::string known_trials(const std::vector<TrialRow>& trials) {
    std::string text;
    for (const TrialRow& row : trials) {
        text += fmt::format("{}{} ({}{})", text.empty() ? "" : ", ", row.id, name(row.trial.mode),
                            row.trial.valid ? "" : ", invalid");
    }
    return text.empty() ? "none" : text;
}

Selected one(const Report& report, const std::vector<TrialRow>& trials, Id id) {
    for (const TrialRow& row : trials) {
        if (row.id != id) continue;
        if (!is_over(row)) {
            throw SelectionError(
                fmt::format("trial {} of run {} has not ended; wait for it", id, report.run.id));
        }
        return {.trials = {row}, .notes = {}};
    }
    throw SelectionError(
        fmt::format("run {} has no trial {}; it has: {}", report.run.id, id, known_trials(trials)));
}

}  // namespace

const Report& arm_of(const Report& run, Id trial) {
    for (const Report* arm : arms_of(run)) {
        for (const TrialRow& row : arm->trials) {
            if (row.id == trial) return *arm;
        }
    }
    return run;
}

Selected select(const Report& report, const Selection& selection) {
    const std::vector<TrialRow> trials = all_trials(report);
    if (selection.trial) return one(report, trials, *selection.trial);
    const Mode mode = selection.mode.value_or(Mode::profiled);
    const auto fits = [&](const TrialRow& row) { return row.trial.mode == mode && is_over(row); };
    const bool any_valid = std::any_of(trials.begin(), trials.end(), [&](const TrialRow& row) {
        return fits(row) && row.trial.valid;
    });
    Selected out;
    for (const TrialRow& row : trials) {
        if (!fits(row)) continue;
        if (row.trial.valid || !any_valid) {
            out.trials.push_back(row);
        } else {
            out.notes.push_back(fmt::format(
                "trial {0} is left out: it is not valid; --trial {0} exports it", row.id));
        }
    }
    if (out.trials.empty()) {
        throw SelectionError(fmt::format(
            "run {} has no {} trial; it has: {}. Name one with --trial N, choose --mode {}, or "
            "measure again with {} trials",
            report.run.id, name(mode), known_trials(trials),
            mode == Mode::profiled ? "timed" : "profiled", name(mode)));
    }
    return out;
}

}  // namespace reports::exports
