// SPDX-License-Identifier: Apache-2.0
// Tokens and counts of two arms: equal, or not.
#pragma once

#include <vector>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports::compare {

// The most frequent answer to each request stands for an arm; an arm whose trials disagree among
// themselves does not repeat, and a difference says less then.
TokenVerdict compare_tokens(const Report& a, const Report& b);

// A count is exact when every trial of both arms saw the same value in its arm.
std::vector<CountVerdict> compare_counts(const Report& a, const Report& b);

}  // namespace reports::compare
