// SPDX-License-Identifier: Apache-2.0
// What the arms of a run say together.
#include "reports/records/report.h"

#include <algorithm>

namespace reports {

std::vector<const Report*> arms_of(const Report& report) {
    std::vector<const Report*> arms = {&report};
    for (const Report& other : report.other_arms) arms.push_back(&other);
    return arms;
}

bool run_is_valid(const Report& report) {
    const auto arms = arms_of(report);
    return std::all_of(arms.begin(), arms.end(), [](const Report* arm) { return arm->valid; });
}

std::vector<std::string> run_reasons(const Report& report) {
    std::vector<std::string> all;
    for (const Report* arm : arms_of(report)) {
        for (const std::string& reason : arm->reasons) {
            all.push_back(report.other_arms.empty() ? reason
                                                    : "arm " + arm->arm.name + ": " + reason);
        }
    }
    return all;
}

}  // namespace reports
