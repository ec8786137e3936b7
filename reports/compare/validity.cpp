// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/validity.h"

#include <algorithm>

#include <fmt/format.h>

namespace reports::compare {

namespace {

// "; arm a: 2 of its trials failed: <reason>; arm b: ...".
std::string who_failed(const std::vector<ArmFailures>& arms) {
    std::string text;
    for (const ArmFailures& arm : arms)
        if (arm.failed > 0)
            text += fmt::format("; arm {}: {} of its trials failed: {}", arm.name, arm.failed,
                                arm.first_reason);
    return text;
}

}  // namespace

std::string why_not_comparable(const std::vector<ArmFailures>& arms,
                               int replaced_rounds,
                               int planned_rounds) {
    const auto has_failed = [](const ArmFailures& arm) { return arm.failed > 0; };
    const auto failing = std::find_if(arms.begin(), arms.end(), has_failed);
    if (failing != arms.end() && failing->failed >= failures_of_an_arm &&
        std::count_if(arms.begin(), arms.end(), has_failed) == 1)
        return fmt::format("arm {}: {} of its trials failed and none of the other arms: {}",
                           failing->name, failing->failed, failing->first_reason);
    if (replaced_rounds > most_replaced_share * planned_rounds)
        return fmt::format("{} rounds had to be replaced, more than {:.0f} % of the {} planned{}",
                           replaced_rounds, 100 * most_replaced_share, planned_rounds,
                           who_failed(arms));
    return "";
}

}  // namespace reports::compare
