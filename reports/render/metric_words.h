// SPDX-License-Identifier: Apache-2.0
// A metric's verdict in a sentence: which number was held against which limit.
#pragma once

#include <string>

#include "reports/records/verdict.h"

namespace reports::render {

// Of a metric with a verdict.
std::string metric_words(const MetricVerdict& metric);

}  // namespace reports::render
