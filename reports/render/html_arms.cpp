// SPDX-License-Identifier: Apache-2.0
// What runs with several arms or with texts to score have on top.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "reports/render/html_parts.h"
#include "reports/render/html_table.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

const PhaseRow* same_phase(const Report& report, const PhaseRow& row) {
    const auto found = std::find_if(
        report.phases.begin(), report.phases.end(),
        [&](const PhaseRow& other) { return other.phase == row.phase && other.mode == row.mode; });
    return found == report.phases.end() ? nullptr : &*found;
}

HtmlCell ratio_cell(const Figure& figure, const PhaseRow* first) {
    if (!figure || first == nullptr || !first->wall_ns || first->wall_ns->median <= 0) {
        return {unknown};
    }
    const double ratio = figure->median / first->wall_ns->median;
    return {fmt::format("{:.3f}×", ratio), ratio};
}

std::vector<HtmlCell> arm_row(const Report& arm, const PhaseRow& row, const Report& first) {
    const auto rate = middle(row.tokens_per_s);
    return {{arm.arm.name},
            {row.phase},
            {name(row.mode)},
            {duration(middle(row.wall_ns)), middle(row.wall_ns)},
            {range(row.wall_ns), middle(row.wall_ns)},
            ratio_cell(row.wall_ns, same_phase(first, row)),
            {rate ? fmt::format("{:.1f}", *rate) : unknown, rate},
            {arm.mean_loss ? fmt::format("{:.6f}", *arm.mean_loss) : unknown, arm.mean_loss},
            {fmt::format("{}", fmt::join(arm.arm.arguments, " "))},
            {arm.arm.about}};
}

}  // namespace

std::string arms_html(const Report& report) {
    HtmlTable table{.kind = "arms",
                    .caption = "wall time of a rep, medians over trials",
                    .columns = {{"arm", "", false},
                                {"phase", "", false},
                                {"mode", "", false},
                                {"wall"},
                                {"min..max"},
                                {"of " + report.arm.name, "wall over that of the first arm"},
                                {"tokens/s"},
                                {"mean loss", "of the texts, natural log"},
                                {"arguments", "", false},
                                {"about", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    for (const PhaseRow& phase : report.phases) {
        for (const Report* arm : arms_of(report)) {
            const PhaseRow* row = same_phase(*arm, phase);
            if (row != nullptr) table.rows.push_back(arm_row(*arm, *row, report));
        }
    }
    return table.rows.empty() ? std::string() : html(table);
}

std::string losses_html(const Report& report) {
    HtmlTable table{.kind = "losses",
                    .caption = "negative log likelihood of the next token, natural log",
                    .columns = {{"text", "", false},
                                {"predicted", "tokens"},
                                {"mean", "of a token"},
                                {"sum"},
                                {"trials", "that said exactly this"},
                                {"sha256", "of the values as little-endian float64", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    for (const LossRow& row : report.losses) {
        const auto tokens = static_cast<double>(row.tokens);
        table.rows.push_back(
            {{row.name.empty() ? fmt::format("request {}", row.request) : row.name},
             {quantity(tokens), tokens},
             {fmt::format("{:.6f}", row.nll_mean), row.nll_mean},
             {fmt::format("{:.4f}", row.nll_sum), row.nll_sum},
             {quantity(row.trials), row.trials},
             {short_hash(row.sha256)}});
    }
    if (table.rows.empty()) return {};
    if (report.mean_loss) {
        table.closing.push_back(
            {{"mean of the texts"}, {}, {fmt::format("{:.6f}", *report.mean_loss)}, {}, {}, {}});
    }
    return html(table);
}

}  // namespace reports::render
