// SPDX-License-Identifier: Apache-2.0
// A comparison's verdict on its way into the store, and made again from what the store holds.
#pragma once

#include <string>
#include <vector>

#include "reports/records/stored_verdict.h"
#include "reports/records/verdict.h"
#include "reports/store/store.h"

namespace reports::compare {

StoredVerdict stored_verdict(const ComparisonReport& report, const std::string& suite_version);

struct ConcludedAgain {
    int runs = 0;
    std::vector<std::string> changed;  // one sentence each: another tare concluded otherwise, or
                                       // the run cannot be read
};

// Of every run of kind "ab" that is over: the same rows from the same trials. One that says what
// it said keeps the version that said it.
ConcludedAgain conclude_again(Store& store, const std::string& suite_version);

}  // namespace reports::compare
