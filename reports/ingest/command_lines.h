// SPDX-License-Identifier: Apache-2.0
// What a command wrote to $TARE_RESULT_FILE: one JSON object a line,
// {"type":"metric","name":"requests_per_s","value":81.5,"unit":"1/s","direction":"higher"}.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "reports/records/run.h"

namespace reports::ingest {

struct MetricLine {
    std::string name, unit;
    Direction direction = Direction::none;
    double value = 0;
};

struct CommandLines {
    std::vector<MetricLine> metrics;    // in the order of the lines
    std::vector<std::string> problems;  // each makes the trial invalid: line, value seen, form
};

// From memory alone, whatever the bytes are; throws nothing but std::bad_alloc.
CommandLines read_command_lines(std::string_view text);

}  // namespace reports::ingest
