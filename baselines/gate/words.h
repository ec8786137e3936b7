// SPDX-License-Identifier: Apache-2.0
// What gates found, as text: pure functions of the verdicts.
#pragma once

#include <string>
#include <vector>

#include "baselines/gate/verdict.h"
#include "reports/render/document.h"

namespace baselines {

enum class Format { table, markdown, json, junit, github };

struct TextOptions {
    Format format = Format::table;
    bool color = false;  // table only
    int width = 100;     // table only, in columns
};

// Of several: 4 before 1 before 3 before 0, but an exact regression anywhere is 1.
int exit_code(const std::vector<GateVerdict>& verdicts);

std::string to_text(const std::vector<GateVerdict>& verdicts, const TextOptions& options);

}  // namespace baselines
