// SPDX-License-Identifier: Apache-2.0
#include "reports/render/html_table.h"

#include <fmt/format.h>

#include <cmath>

#include "reports/render/html_text.h"

namespace reports::render {
namespace {

// Tables of so few columns are as wide as their text: numbers far from their names are hard to
// read.
constexpr std::size_t most_narrow = 6;

std::string head_cell(const HtmlColumn& column) {
    std::string attributes = R"(scope="col")";
    if (column.number) attributes += R"( class="n")";
    if (!column.about.empty()) attributes += R"( title=")" + escaped_html(column.about) + '"';
    return element("th", attributes, escaped_html(column.name));
}

// The first cell of a row names it.
std::string body_cell(const HtmlTable& table, std::size_t at, const HtmlCell& cell) {
    const bool is_name = at == 0;
    const std::string text = escaped_html(cell.text);
    const HtmlColumn& column = table.columns[at];
    std::string classes = column.number ? "n" : "";
    if (cell.bad) classes += classes.empty() ? "bad" : " bad";
    std::string attributes = is_name ? R"(scope="row")" : "";
    const auto add = [&](const std::string& name, const std::string& value) {
        attributes += fmt::format(R"({}{}="{}")", attributes.empty() ? "" : " ", name, value);
    };
    if (!classes.empty()) add("class", classes);
    if (table.sortable && cell.value && std::isfinite(*cell.value)) {
        add("data-v", fmt::format("{}", *cell.value));
    }
    return element(is_name ? "th" : "td", attributes,
                   cell.before.empty() ? text : cell.before + element("span", text));
}

std::string rows_html(const HtmlTable& table, const std::vector<std::vector<HtmlCell>>& rows) {
    std::string out;
    for (const auto& row : rows) {
        std::string cells;
        for (std::size_t i = 0; i < row.size(); ++i) cells += body_cell(table, i, row[i]);
        out += element("tr", cells) + '\n';
    }
    return out;
}

}  // namespace

std::string html(const HtmlTable& table) {
    std::string head;
    for (const HtmlColumn& column : table.columns) head += head_cell(column);
    std::string body = element("caption", escaped_html(table.caption)) + '\n' +
                       element("thead", element("tr", head)) + '\n' +
                       element("tbody", '\n' + rows_html(table, table.rows)) + '\n';
    if (!table.closing.empty()) {
        body += element("tfoot", '\n' + rows_html(table, table.closing)) + '\n';
    }
    std::string attributes = fmt::format(R"(class="{}")", html_id(table.kind));
    if (table.sortable) attributes += R"( data-sort)";
    if (table.filterable) attributes += R"( data-filter)";
    std::string out =
        element("div",
                fmt::format(R"(class="scroll{}" tabindex="0" role="region" aria-label="{}")",
                            table.columns.size() <= most_narrow ? " narrow" : "",
                            escaped_html(table.caption)),
                element("table", attributes, '\n' + body)) +
        '\n';
    for (const std::string& note : table.notes) {
        out += element("p", R"(class="note")", escaped_html(note)) + '\n';
    }
    return out;
}

}  // namespace reports::render
