// SPDX-License-Identifier: Apache-2.0
// A comparison of arms as text: pure functions of the record.
#pragma once

#include <string>

#include "reports/records/verdict.h"
#include "reports/render/document.h"
#include "reports/render/render.h"

namespace reports::render {

enum class VerdictFormat { table, markdown, json, junit, github };

struct VerdictOptions {
    VerdictFormat format = VerdictFormat::table;
    bool color = false;  // table only
    int width = 100;     // table only, in columns
    int top = 10;        // lines of the blame table; 0: all
};

std::string verdict(const ComparisonReport& report, const VerdictOptions& options);

Document verdict_document(const ComparisonReport& report, int top);
// In plain sentences: which numbers decided, what they mean, and what to run next.
std::string verdict_words(const ComparisonReport& report, int width);

std::string verdict_json(const ComparisonReport& report);  // tare.compare/1
// One test case per metric, token check and count set of each pair (JUnit XML).
std::string verdict_junit(const ComparisonReport& report);
// Workflow commands of GitHub Actions: one annotation per line.
std::string verdict_github(const ComparisonReport& report);

}  // namespace reports::render
