// SPDX-License-Identifier: Apache-2.0
// Rows of text as an aligned table, as markdown, or as CSV.
#pragma once

#include <string>
#include <vector>

namespace scenarios::cli {

using Row = std::vector<std::string>;

// The first row is the heading. Every row has as many cells as it. What would
// steer a terminal is shown as \u{1b} by the first two.
std::string aligned(const std::vector<Row>& rows);
std::string markdown(const std::vector<Row>& rows);
std::string csv(const std::vector<Row>& rows);  // RFC 4180, lines end in \n

std::string mebibytes(double bytes);  // "12.3 MiB"

}  // namespace scenarios::cli
