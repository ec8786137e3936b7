// SPDX-License-Identifier: Apache-2.0
// A Report as text. Each renderer is a pure function; nothing here reads the store.
#pragma once

#include <string>

#include "reports/records/report.h"

namespace reports::render {

enum class Format { table, markdown, csv, json, html };

struct Options {
    Format format = Format::table;
    bool color = false;    // table only
    int width = 100;       // table only, in columns
    int top = 20;          // kernel rows shown in table and markdown; 0: all
    bool by_path = false;  // rows per range path; default: per op over all layers
};

std::string report(const Report& report, const Options& options);

// Two stored runs side by side (tare.compare/1 in JSON). No verdict: they were not interleaved.
// Throws std::invalid_argument when the scenario identities differ.
std::string compare(const Report& a, const Report& b, const Options& options);

}  // namespace reports::render
