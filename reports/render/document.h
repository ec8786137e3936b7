// SPDX-License-Identifier: Apache-2.0
// A report as titled tables of cells, before it becomes text for a terminal or Markdown.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reports::render {

enum class Align { left, right };

struct Column {
    std::string name;
    Align align = Align::right;
    bool shrinks = false;  // cut in its middle when the line is too long
    int optional = 0;      // left out on a narrow terminal: the highest number first; 0: never
};

struct Section {
    std::string title;
    std::vector<Column> columns;
    std::vector<std::vector<std::string>> rows;
    std::size_t closing_rows = 0;    // last rows, set apart: gap and total
    std::vector<std::string> notes;  // lines below
};

struct Document {
    std::string title;
    bool alarm = false;                                       // the title is a warning
    std::vector<std::pair<std::string, std::string>> header;  // label, text
    std::vector<std::string> alarms;                          // what is wrong, one line each
    std::vector<Section> sections;
    std::vector<std::string> footer;
};

// `width` in columns; `color` with ANSI escapes. Control characters of any text are shown like
// \u{1b}, bytes that are no UTF-8 like \xff.
std::string to_terminal(const Document& document, int width, bool color);
std::string to_markdown(const Document& document);

}  // namespace reports::render
