// SPDX-License-Identifier: Apache-2.0
// Tokens of two arms: equal, or not.
#pragma once

#include <string>

#include "reports/records/report.h"
#include "reports/records/verdict.h"

namespace reports {

// The most frequent answer to each request stands for an arm; an arm whose trials disagree among
// themselves does not repeat, and a difference says less then.
TokenVerdict compare_tokens(const Report& a, const Report& b);

// How answers that are not identical differ; `a` and `b` are what the two sides are called.
std::string token_sentence(const TokenVerdict& tokens, const std::string& a, const std::string& b);

}  // namespace reports
