// SPDX-License-Identifier: Apache-2.0
// Words and numbers of a comparison that its table, its sentences and its page share.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "reports/records/verdict.h"
#include "reports/render/document.h"

namespace reports::render {

std::string change_text(double ratio);  // "+13.03 %"
std::string change_text(const std::optional<double>& ratio);
std::string change_interval_text(const std::optional<ChangeInterval>& ratio);  // "+5.5 % .. +8 %"
std::string signed_duration(double ns);                                        // "+1.325 ms"
std::string duration_interval_text(const std::optional<ChangeInterval>& ns);
std::string value_text(const std::string& unit, const Figure& figure);
std::string margin_text(const MetricVerdict& metric);   // "2 %"
std::string verdict_text(const MetricVerdict& metric);  // "not gated" without a margin
std::string kernel_text(const BlameRow& row);           // "old -> new [renamed]", "k [gone]"

// Metrics that could not be measured in one arm say nothing at all.
bool is_shown(const MetricVerdict& metric);

// The interval does not hold 0.
bool is_sure(const std::optional<ChangeInterval>& change);

// What a verdict means: "better by at least the margin, and surely better". `exact`: tokens or
// counts that must be equal are not.
const char* meaning(Verdict verdict, bool exact);

// In capitals where somebody has to act.
std::string headline_word(Verdict verdict);

// Whether two arms said the same, a sentence a line.
std::vector<std::string> token_lines(const TokenVerdict& tokens,
                                     const std::string& a,
                                     const std::string& b);
Section token_section(const TokenVerdict& tokens, const std::string& a, const std::string& b);

// Arms, rounds, machine: what was compared.
std::vector<std::pair<std::string, std::string>> header_of(const ComparisonReport& report);

}  // namespace reports::render
