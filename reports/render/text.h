// SPDX-License-Identifier: Apache-2.0
// Numbers and names as a person reads them. An unknown figure is "-".
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "reports/records/report.h"

namespace reports::render {

inline constexpr const char* unknown = "-";

// What a duration is told in, however many of them stand side by side.
struct DurationUnit {
    double ns;
    const char* name;  // "ms"
};

DurationUnit duration_unit(double ns);

std::string duration(std::optional<double> ns);     // "12.34 ms": four digits, ns to s
std::string percent(std::optional<double> share);   // "12.3 %"
std::string quantity(std::optional<double> value);  // "1,234": whole numbers in groups of three
std::string scaled(std::optional<double> value, const char* unit);  // "53.1 GB/s", from units
std::string measured(double value, const std::string& unit);        // "12.34 ms", "81.5 requests/s"
std::string range(const Figure& ns);  // "12.1..12.9 ms", "-" for one value
std::optional<double> middle(const Figure& figure);
std::string short_hash(std::string_view hex);  // first 12 digits

// Columns a text takes on a terminal, and the same text cut in its middle to fit. UTF-8 is never
// cut inside a character; bytes that are no UTF-8 count as one column each.
int columns(std::string_view text);
std::string fitted(std::string_view text, int width);

// Broken between words into lines of at most `width` columns; later lines are indented. A longer
// word stays whole, and so does a number with its " %".
std::string wrapped(std::string_view text, int width, int indent);

}  // namespace reports::render
