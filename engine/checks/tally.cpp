// SPDX-License-Identifier: Apache-2.0
// Outcomes: what failed first is what the reason says.
#include "engine/checks/tally.h"

#include <fmt/format.h>

#include <array>

namespace engine::checks {

std::string_view name(Verdict verdict) {
    constexpr std::array<std::string_view, 3> names{"PASS", "FAIL", "SKIPPED"};
    return names[static_cast<std::size_t>(verdict)];
}

void Tally::note_failure(const std::string& name, const std::string& why) {
    if (outcome_.verdict == Verdict::pass) {
        outcome_.reason = fmt::format("{}: {}", name, why);
    }
    outcome_.verdict = Verdict::fail;
    outcome_.failed.push_back(name);
}

void Tally::fail(const std::string& name, const std::string& why) {
    ++outcome_.cases;
    note_failure(name, why);
}

void Tally::add(const std::string& name, const Comparison& comparison) {
    ++outcome_.cases;
    if (const auto& first = comparison.first()) {
        note_failure(name, fmt::format("{}, row {}, column {} is {}, expected {}",
                                       place_name(geometry_, first->layer), first->row,
                                       first->column, first->b, first->a));
        if (!outcome_.first_difference) {
            outcome_.first_difference = first;
            outcome_.first_case = name;
        }
    } else if (!comparison.complete()) {
        note_failure(name, fmt::format("{} rows of all layers were compared, expected {}: the "
                                       "rest was not run",
                                       comparison.seen(), comparison.expected()));
    }
}

Outcome skipped(std::string check, std::string reason) {
    Outcome outcome;
    outcome.check = std::move(check);
    outcome.reason = std::move(reason);
    return outcome;
}

}  // namespace engine::checks
