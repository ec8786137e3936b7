// SPDX-License-Identifier: Apache-2.0
// The verdict on every timing metric of two arms.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/compare/observations.h"
#include "reports/records/verdict.h"
#include "reports/stats/paired.h"
#include "reports/stats/position_effect.h"
#include "reports/stats/sequential_plan.h"

namespace reports::compare {

using Margins = std::map<std::string, double>;  // margin_key() -> share

// How many of the margins are of a metric that was measured.
int gated(const std::vector<MetricSeries>& series, const Margins& margins);

// One metric's rounds that both arms have, as the decision takes them.
struct PairedRounds {
    stats::PairedSample sample;
    std::vector<stats::OrderedRound> rounds;  // empty where the sample is reported only
};

PairedRounds paired_rounds(const MetricSeries& series, const std::string& a, const std::string& b);

// Of arm `b` against arm `a`. Rounds after the look that decides are not read. A metric with a
// margin has a verdict, the others estimate and interval.
std::vector<MetricVerdict> judge_metrics(const std::vector<MetricSeries>& series,
                                         const std::string& a,
                                         const std::string& b,
                                         const Margins& margins,
                                         const stats::Plans& plans);

// Whether more rounds could change a verdict of any gated metric.
bool all_decided(const std::vector<MetricVerdict>& verdicts);

}  // namespace reports::compare
