// SPDX-License-Identifier: Apache-2.0
// What CI systems show: JUnit XML and annotations of GitHub Actions, of anything that has verdicts.
#pragma once

#include <string>
#include <vector>

#include "reports/records/verdict.h"

namespace reports::render {

// One thing a CI system lists as passed, failed, or not decided.
struct CiCase {
    std::string name;
    Verdict verdict = Verdict::same;
    std::string words;
};

struct CiSuite {
    std::string name;
    std::vector<CiCase> cases;
};

// A regression is a failure, an invalid case an error, an inconclusive one a skip: never a pass.
std::string junit(const std::vector<CiSuite>& suites);

// One workflow command and its line end.
std::string github_annotation(Verdict verdict, const std::string& title, const std::string& text);

}  // namespace reports::render
