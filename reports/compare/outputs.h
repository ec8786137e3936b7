// SPDX-License-Identifier: Apache-2.0
// Tokens and counts of two arms: equal, or not.
#pragma once

#include <string>
#include <vector>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports::compare {

// The most frequent answer to each request stands for an arm; an arm whose trials disagree among
// themselves does not repeat, and a difference says less then.
TokenVerdict compare_tokens(const Report& a, const Report& b);

// How answers that are not identical differ; `a` and `b` are what the two sides are called.
std::string token_sentence(const TokenVerdict& tokens, const std::string& a, const std::string& b);

// A count is exact when every trial of both arms saw the same value in its arm.
std::vector<CountVerdict> compare_counts(const Report& a, const Report& b);

}  // namespace reports::compare
