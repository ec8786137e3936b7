// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/verdict.h"

#include <algorithm>

namespace baselines {

const char* name(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed:
            return "passed";
        case Outcome::regressed:
            return "regressed";
        case Outcome::inconclusive:
            return "inconclusive";
        case Outcome::invalid:
            return "invalid";
        case Outcome::not_checked:
            return "not checked";
    }
    return "invalid";
}

Outcome outcome_of(const GateVerdict& verdict) {
    const auto any = [&](auto holds) {
        return std::any_of(verdict.checks.begin(), verdict.checks.end(), holds);
    };
    if (any([](const Check& one) { return one.outcome == Outcome::regressed && one.exact(); }))
        return Outcome::regressed;
    for (const Outcome worst : {Outcome::invalid, Outcome::regressed, Outcome::inconclusive})
        if (any([&](const Check& one) { return one.outcome == worst; })) return worst;
    const bool some = any([](const Check& one) { return one.outcome == Outcome::passed; });
    return some ? Outcome::passed : Outcome::invalid;
}

int exit_code(const GateVerdict& verdict) {
    switch (outcome_of(verdict)) {
        case Outcome::passed:
            return 0;
        case Outcome::regressed:
            return 1;
        case Outcome::inconclusive:
            return 3;
        default:
            return 4;
    }
}

}  // namespace baselines
