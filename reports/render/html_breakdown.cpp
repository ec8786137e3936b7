// SPDX-License-Identifier: Apache-2.0
// Where a phase's time goes: one bar whose pieces are roles and gap, and the tables behind it.
#include <fmt/format.h>

#include <algorithm>

#include "reports/render/html_parts.h"
#include "reports/render/html_table.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

constexpr std::ptrdiff_t first_figures = 8;  // columns up to "of roof" in a table of kernels
constexpr std::size_t hues = 9;              // --c0 to --c8 in the style sheet; the rest is grey

double value(const Figure& figure) {
    return figure ? figure->median : 0;
}

std::string color_of(std::size_t index) {
    return index < hues ? fmt::format("c{}", index) : std::string("cx");
}

std::vector<const KernelRow*> rows_of(const std::vector<KernelRow>& all, const std::string& phase) {
    std::vector<const KernelRow*> rows;
    for (const KernelRow& row : all) {
        if (row.phase == phase) rows.push_back(&row);
    }
    return rows;
}

std::string piece(double share, const std::string& color, const std::string& label) {
    if (share <= 0) return {};
    return fmt::format(R"(<i class="{}" style="width:{:.3f}%" title="{}"></i>)", color, 100 * share,
                       escaped_html(label));
}

// Roles and gap side by side: as wide as the wall time where nothing overlaps.
std::string stack(const std::vector<const KernelRow*>& roles, const PhaseRow& phase) {
    const double wall_ns = value(phase.wall_ns);
    const double sum_ns = value(phase.sum_ns) + value(phase.gap_ns);
    const double whole_ns = std::max(wall_ns, sum_ns);  // kernels that overlap take more than it
    if (whole_ns <= 0) return {};
    std::string pieces, label;
    for (std::size_t i = 0; i < roles.size(); ++i) {
        const std::string text =
            fmt::format("{} {}", roles[i]->role, percent(middle(roles[i]->share)));
        pieces += piece(value(roles[i]->total_ns) / whole_ns, color_of(i), text);
        label += text + ", ";
    }
    const std::string gap = fmt::format("gap {}", percent(value(phase.gap_ns) / wall_ns));
    pieces += piece(value(phase.gap_ns) / whole_ns, "gap", gap);
    return element(
        "div",
        fmt::format(R"(class="stack" role="img" aria-label="{}")", escaped_html(label + gap)),
        pieces);
}

HtmlCell bar_cell(const Figure& share, double most, const std::string& color) {
    HtmlCell cell(percent(middle(share)), middle(share));
    if (share && most > 0) {
        cell.before = fmt::format(
            R"(<span class="bar" aria-hidden="true"><i class="{}" style="width:{:.2f}%">)"
            R"(</i></span>)",
            color, 100 * std::max(0.0, share->median) / most);
    }
    return cell;
}

HtmlCell time_cell(const std::optional<double>& ns) {
    return {duration(ns), ns};
}

HtmlCell extremes_cell(const KernelRow& row) {
    if (!row.min_ns || !row.max_ns) return {unknown};
    return {range(Spread{.median = *row.max_ns, .min = *row.min_ns, .max = *row.max_ns, .n = 2}),
            row.max_ns};
}

HtmlCell rate_cell(const std::optional<double>& rate, double factor, const char* unit) {
    const auto scaled_rate = rate ? std::optional(*rate * factor) : std::nullopt;
    return {scaled(scaled_rate, unit), scaled_rate};
}

HtmlCell roof_cell(const KernelRow& row) {
    if (!row.roof_share) return {unknown};
    return {fmt::format("{} {}", percent(row.roof_share), row.roof_bound), row.roof_share};
}

const std::vector<HtmlColumn>& figure_columns() {
    static const std::vector<HtmlColumn> columns = {
        {"share", "of the wall time of the median profiled rep"},
        {"total", "of all calls in the median profiled rep"},
        {"calls", "per rep"},
        {"mean", "of one call"},
        {"p50", "of one call, over all reps"},
        {"p99", "of one call, over all reps"},
        {"of roof", "share of the best copy or float32 product measured in this run"},
        {"memory", "counted bytes, read and written, over time"},
        {"compute", "counted operations over time"},
        {"total of reps", "smallest and largest over profiled reps"},
        {"min..max", "of one call, over all reps"}};
    return columns;
}

void add_figures(const KernelRow& row,
                 double most,
                 const std::string& color,
                 std::vector<HtmlCell>& cells) {
    cells.push_back(bar_cell(row.share, most, color));
    cells.push_back(time_cell(middle(row.total_ns)));
    cells.push_back({quantity(middle(row.calls)), middle(row.calls)});
    for (const auto& ns : {middle(row.mean_ns), row.p50_ns, row.p99_ns}) {
        cells.push_back(time_cell(ns));
    }
    cells.push_back(roof_cell(row));
    cells.push_back(rate_cell(row.gb_per_s, 1e9, "B/s"));
    cells.push_back(rate_cell(row.tflop_per_s, 1e12, "FLOP/s"));
    cells.push_back({range(row.total_ns), middle(row.total_ns)});
    cells.push_back(extremes_cell(row));
}

double largest_share(const std::vector<const KernelRow*>& rows) {
    double most = 0;
    for (const KernelRow* row : rows) most = std::max(most, value(row->share));
    return most;
}

std::vector<HtmlCell> closing(const HtmlTable& table,
                              std::string label,
                              double ns,
                              double wall_ns) {
    std::vector<HtmlCell> cells(table.columns.size());
    cells[0] = HtmlCell(std::move(label));
    const auto share = std::find_if(table.columns.begin(), table.columns.end(),
                                    [](const HtmlColumn& c) { return c.name == "share"; });
    const auto at = static_cast<std::size_t>(share - table.columns.begin());
    cells[at] = HtmlCell(percent(wall_ns > 0 ? std::optional(ns / wall_ns) : std::nullopt));
    cells[at + 1] = time_cell(ns);
    return cells;
}

// Rows, less what overlaps, and gap make the wall time; what does not is printed.
void close(HtmlTable& table, const std::vector<const KernelRow*>& rows, const PhaseRow& phase) {
    if (!phase.wall_ns || !phase.gap_ns) return;
    const double wall_ns = value(phase.wall_ns), gap_ns = value(phase.gap_ns);
    const double overlap_ns = value(phase.sum_ns) - value(phase.busy_ns);
    double total_ns = gap_ns - overlap_ns;
    for (const KernelRow* row : rows) total_ns += value(row->total_ns);
    if (overlap_ns != 0) table.closing.push_back(closing(table, "overlap", -overlap_ns, wall_ns));
    table.closing.push_back(closing(table, "gap", gap_ns, wall_ns));
    table.closing.push_back(closing(table, "total", total_ns, wall_ns));
    table.notes.push_back(fmt::format(
        "wall {} (profiled, median rep) − total {} = residual {} ({})", duration(wall_ns),
        duration(total_ns), duration(wall_ns - total_ns), percent((wall_ns - total_ns) / wall_ns)));
}

HtmlTable role_table(const std::vector<const KernelRow*>& roles, const PhaseRow& phase) {
    HtmlTable table{.kind = "roles",
                    .caption = phase.phase + " by role: profiled, median rep",
                    .columns = {{"role", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    for (const HtmlColumn& column : figure_columns()) table.columns.push_back(column);
    const double most = largest_share(roles);
    for (std::size_t i = 0; i < roles.size(); ++i) {
        HtmlCell first(roles[i]->role);
        first.before = fmt::format(R"(<i class="swatch {}" aria-hidden="true"></i>)", color_of(i));
        std::vector<HtmlCell> cells = {first};
        add_figures(*roles[i], most, color_of(i), cells);
        table.rows.push_back(std::move(cells));
    }
    close(table, roles, phase);
    return table;
}

HtmlTable gap_table(const PhaseRow& phase) {
    HtmlTable table{
        .kind = "gaps",
        .caption = phase.phase + ": gap by cause, profiled, median rep",
        .columns = {{"cause", "", false}, {"time"}, {"of wall"}, {"min..max over reps"}},
        .rows = {},
        .closing = {},
        .notes = {}};
    const std::pair<const char*, const Figure&> causes[] = {
        {"launch", phase.gap.launch_ns},     {"sync", phase.gap.sync_ns},
        {"alloc", phase.gap.alloc_ns},       {"host", phase.gap.host_ns},
        {"dispatch", phase.gap.dispatch_ns}, {"unsplit", phase.gap.unsplit_ns}};
    std::string absent;
    for (const auto& [cause, figure] : causes) {
        if (!figure) {
            absent += (absent.empty() ? "" : ", ") + std::string(cause);
            continue;
        }
        const auto share = phase.wall_ns && phase.wall_ns->median > 0
                               ? std::optional(figure->median / phase.wall_ns->median)
                               : std::nullopt;
        table.rows.push_back(
            {{cause}, {duration(figure->median)}, {percent(share)}, {range(figure)}});
    }
    if (!absent.empty()) table.notes.push_back("causes this backend does not have: " + absent);
    return table;
}

// The phase is in the caption.
std::string within(const std::string& path, const std::string& phase) {
    return path.starts_with(phase + "/") ? path.substr(phase.size() + 1) : path;
}

// The colour of a role is its place in the table of roles.
std::string role_color(const std::vector<const KernelRow*>& roles, const std::string& role) {
    const auto found = std::find_if(roles.begin(), roles.end(),
                                    [&](const KernelRow* row) { return row->role == role; });
    return color_of(static_cast<std::size_t>(found - roles.begin()));
}

HtmlTable kernel_table(const Report& report,
                       const std::vector<KernelRow>& all,
                       const PhaseRow& phase,
                       const std::string& kind,
                       const std::string& what) {
    HtmlTable table{.kind = kind,
                    .caption = phase.phase + " by " + what + ": profiled, median rep",
                    .columns = {{"path", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true,
                    .filterable = true};
    for (const HtmlColumn& column : figure_columns()) table.columns.push_back(column);
    // The path names the row; on a small screen its figures have to be next to it.
    table.columns.insert(table.columns.begin() + first_figures,
                         {{"kernel", "", false}, {"role", "", false}});
    const auto rows = rows_of(all, phase.phase), roles = rows_of(report.roles, phase.phase);
    const bool has_shapes = std::any_of(rows.begin(), rows.end(), [](const KernelRow* row) {
        return row->launch_shape.has_value();
    });
    if (has_shapes) table.columns.push_back({"launch shape", "", false});
    const double most = largest_share(rows);
    for (const KernelRow* row : rows) {
        std::vector<HtmlCell> cells = {{within(row->path, phase.phase)}};
        add_figures(*row, most, role_color(roles, row->role), cells);
        cells.insert(cells.begin() + first_figures, {{row->kernel}, {row->role}});
        if (has_shapes) cells.push_back({row->launch_shape.value_or(unknown)});
        table.rows.push_back(std::move(cells));
    }
    close(table, rows, phase);
    return table;
}

}  // namespace

std::string breakdown_html(const Report& report, const PhaseRow& phase) {
    const auto roles = rows_of(report.roles, phase.phase);
    if (roles.empty() && !phase.gap_ns) return {};
    const HtmlTable gap = gap_table(phase);
    return stack(roles, phase) + '\n' + html(role_table(roles, phase)) +
           (gap.rows.empty() ? "" : html(gap));
}

std::string kernels_html(const Report& report, const PhaseRow& phase) {
    const HtmlTable ops =
        kernel_table(report, report.ops, phase, "ops", "kernel, all layers together");
    const HtmlTable paths = kernel_table(report, report.kernels, phase, "paths", "range path");
    if (ops.rows.empty()) return {};
    return html(ops) +
           element("details",
                   element("summary", fmt::format("every range path of {} ({} rows)",
                                                  escaped_html(phase.phase), paths.rows.size())) +
                       '\n' + html(paths)) +
           '\n';
}

}  // namespace reports::render
