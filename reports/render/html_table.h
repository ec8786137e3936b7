// SPDX-License-Identifier: Apache-2.0
// A table of the HTML report: semantic markup that reads as it is; the page's script lets a person
// sort by any column and filter the rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace reports::render {

struct HtmlCell {
    std::string text;             // plain; escaped when it is written
    std::optional<double> value;  // what it is sorted by; else by its text
    std::string before;           // HTML in front of the text: a bar, a swatch
    bool bad = false;             // a breach

    HtmlCell(std::string plain = {}, std::optional<double> number = {})
        : text(std::move(plain)), value(number) {}
};

struct HtmlColumn {
    std::string name;
    std::string about;   // shown when asked; empty: the name says it
    bool number = true;  // aligned right, first sorted by size downwards
};

struct HtmlTable {
    std::string kind;     // class of the table, for style: "trials"
    std::string caption;  // says unit and mode of what follows
    std::vector<HtmlColumn> columns;
    std::vector<std::vector<HtmlCell>> rows;
    std::vector<std::vector<HtmlCell>> closing;  // gap and total: stay at the end
    std::vector<std::string> notes;
    bool sortable = false;
    bool filterable = false;
};

std::string html(const HtmlTable& table);

}  // namespace reports::render
