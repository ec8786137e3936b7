// SPDX-License-Identifier: Apache-2.0
// Parts of the HTML page of a comparison, each of one pair of arms. Empty when there is nothing to
// show.
#pragma once

#include <string>
#include <vector>

#include "reports/records/verdict.h"
#include "reports/render/html_page.h"

namespace reports::render {

// Each metric's ratio with its interval, beside its margin and 1.
std::string forest_html(const PairVerdict& pair);
std::string metric_table_html(const PairVerdict& pair);

// Each round's ratio in the order of rounds; which arm ran first; blocks that do not count.
std::string rounds_html(const PairVerdict& pair, const std::vector<ReplacedBlock>& replaced);

// Where the change of a phase's wall time went, step by step.
std::string waterfall_html(const PairVerdict& pair, const Waterfall& waterfall);

std::string blame_html(const PairVerdict& pair);  // kernels, then roles
std::string tokens_html(const PairVerdict& pair);
std::string pair_counts_html(const PairVerdict& pair);
std::string replaced_html(const ComparisonReport& report);

// All of that in reading order; several pairs are told apart.
std::vector<HtmlPart> comparison_parts(const ComparisonReport& report);

}  // namespace reports::render
