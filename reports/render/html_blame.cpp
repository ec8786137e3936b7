// SPDX-License-Identifier: Apache-2.0
// Who changed, and whether the same was done and said: kernels, roles, tokens, counts.
#include <fmt/format.h>

#include "reports/render/html_comparison.h"
#include "reports/render/html_table.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"
#include "reports/render/verdict_text.h"

namespace reports::render {
namespace {

void add_change(const BlameRow& row, std::vector<HtmlCell>& cells) {
    cells.push_back({duration(row.a_ns), row.a_ns});
    cells.push_back({duration(row.b_ns), row.b_ns});
    HtmlCell delta(signed_duration(row.delta_ns), row.delta_ns);
    delta.bad = is_sure(row.interval) && row.delta_ns > 0;
    cells.push_back(delta);
    cells.push_back({duration_interval_text(row.interval)});
    cells.push_back({row.q ? fmt::format("{:.2g}", *row.q) : unknown, row.q});
}

void add_change_columns(const PairVerdict& pair, HtmlTable& table) {
    table.columns.insert(
        table.columns.end(),
        {{pair.a, "median over profiled rounds"},
         {pair.b, "median over profiled rounds"},
         {pair.b + " - " + pair.a, "Hodges-Lehmann estimate of the rounds' differences"},
         {"interval", "95 % and more; one without 0 is a sure change"},
         {"q", "false discovery rate; - where this number of rounds cannot reach 0.05"}});
}

HtmlTable kernel_table(const PairVerdict& pair, bool whole_ops) {
    HtmlTable table{.kind = whole_ops ? "blame" : "blame-paths",
                    .caption = whole_ops ? "kernels, all layers together: exposed time per rep"
                                         : "kernels by range path: exposed time per rep",
                    .columns = {{"path", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true,
                    .filterable = true};
    add_change_columns(pair, table);
    for (const HtmlColumn& column : {HtmlColumn{"calls in " + pair.a, "per rep"},
                                     {"calls in " + pair.b, "per rep"},
                                     {"is", "how the kernels of both arms were matched", false},
                                     {"kernel", "", false},
                                     {"role", "", false}})
        table.columns.push_back(column);
    for (const BlameRow& row : pair.kernels) {
        if (row.whole_op != whole_ops) continue;
        std::vector<HtmlCell> cells = {{row.path}};
        add_change(row, cells);
        for (const HtmlCell& cell : {HtmlCell(quantity(row.a_calls), row.a_calls),
                                     {quantity(row.b_calls), row.b_calls},
                                     {name(row.match)},
                                     {kernel_text(row)},
                                     {row.role}})
            cells.push_back(cell);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

HtmlTable role_table(const PairVerdict& pair) {
    HtmlTable table{.kind = "role-changes",
                    .caption = "roles by phase: exposed time per rep",
                    .columns = {{"role", "", false}, {"phase", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    add_change_columns(pair, table);
    for (const BlameRow& row : pair.roles) {
        std::vector<HtmlCell> cells = {{row.role}, {row.phase}};
        add_change(row, cells);
        table.rows.push_back(std::move(cells));
    }
    return table;
}

// Kernels that do not settle come first: what is aligned below them is less certain.
std::string unsteady_table(const PairVerdict& pair) {
    HtmlTable table{
        .kind = "unsteady",
        .caption = "kernels that an arm ran in some of its profiled rounds only",
        .columns = {{"kernel", "", false}, {"arm", "", false}, {"rounds"}, {"path", "", false}},
        .rows = {},
        .closing = {},
        .notes = {}};
    for (const UnsteadyKernel& one : pair.unsteady)
        table.rows.push_back({{one.kernel},
                              {one.arm},
                              {fmt::format("{} of {}", one.seen, one.rounds), one.seen},
                              {one.path}});
    return table.rows.empty() ? std::string() : html(table);
}

// Of ops with several kernels: however these were aligned, the path is compared as a whole.
std::string path_table(const PairVerdict& pair) {
    HtmlTable table{.kind = "path-totals",
                    .caption = "ops with several kernels: all of them together",
                    .columns = {{"path", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    add_change_columns(pair, table);
    for (const BlameRow& row : pair.paths) {
        std::vector<HtmlCell> cells = {{row.path}};
        add_change(row, cells);
        table.rows.push_back(std::move(cells));
    }
    return table.rows.empty() ? std::string() : html(table);
}

}  // namespace

std::string blame_html(const PairVerdict& pair) {
    if (pair.kernels.empty()) return {};
    const HtmlTable paths = kernel_table(pair, false);
    return unsteady_table(pair) + html(kernel_table(pair, true)) + path_table(pair) +
           html(role_table(pair)) +
           (paths.rows.empty()
                ? ""
                : element("details", element("summary", fmt::format("every range path ({} rows)",
                                                                    paths.rows.size())) +
                                         '\n' + html(paths)) +
                      '\n');
}

std::string tokens_html(const PairVerdict& pair) {
    std::string out;
    for (const std::string& line : token_lines(pair.tokens, pair.a, pair.b))
        out += element("p", escaped_html(line)) + '\n';
    return out;
}

std::string pair_counts_html(const PairVerdict& pair) {
    HtmlTable table{.kind = "pair-counts",
                    .caption = "those that differ come first",
                    .columns = {{"count", "", false},
                                {pair.a},
                                {pair.b},
                                {"equal", "", false},
                                {"exact", "the same in every round of its arm", false},
                                {"unit", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    const auto differs = [](const CountVerdict& one) { return one.a != one.b; };
    for (const bool differing : {true, false})
        for (const CountVerdict& one : pair.counts) {
            if (differs(one) != differing) continue;
            HtmlCell equal(differing ? "no" : "yes");
            equal.bad = one.equal && !*one.equal;
            table.rows.push_back({{one.name},
                                  {quantity(one.a), one.a},
                                  {quantity(one.b), one.b},
                                  equal,
                                  {one.exact ? "yes" : "no"},
                                  {one.unit}});
        }
    return table.rows.empty() ? std::string() : html(table);
}

std::string replaced_html(const ComparisonReport& report) {
    HtmlTable table{.kind = "replaced",
                    .caption =
                        "a block with a trial that failed is run again at the end; which "
                        "ones is decided without looking at times",
                    .columns = {{"rounds", "", false},
                                {"mode", "", false},
                                {"arm", "", false},
                                {"what failed first", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {}};
    for (const ReplacedBlock& one : report.replaced)
        table.rows.push_back({{fmt::format("{} and {}", 2 * one.block + 1, 2 * one.block + 2)},
                              {name(one.mode)},
                              {one.arm},
                              {one.reason}});
    return table.rows.empty() ? std::string() : html(table);
}

}  // namespace reports::render
