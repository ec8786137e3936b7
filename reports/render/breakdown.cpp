// SPDX-License-Identifier: Apache-2.0
// Where a phase's time goes: rows by role or kernel, then overlap, gap and total, which add up to
// the wall time; what does not is printed as the residual.
#include <fmt/format.h>

#include <algorithm>

#include "reports/render/report_document.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

using Row = std::vector<std::string>;

double value(const Figure& figure) {
    return figure ? figure->median : 0;
}

std::string roof(const KernelRow& row) {
    if (!row.roof_share) return unknown;
    return fmt::format("{} {}", percent(row.roof_share), row.roof_bound);
}

std::optional<double> times(std::optional<double> value, double factor) {
    if (!value) return std::nullopt;
    return *value * factor;
}

// The cells all breakdown rows end with.
void add_figures(const KernelRow& row, Row& cells) {
    for (std::string cell :
         {quantity(middle(row.calls)), duration(middle(row.total_ns)), range(row.total_ns),
          percent(middle(row.share)), duration(middle(row.mean_ns)), duration(row.p50_ns),
          duration(row.p99_ns), duration(row.min_ns), duration(row.max_ns),
          scaled(times(row.gb_per_s, 1e9), "B/s"), scaled(times(row.tflop_per_s, 1e12), "FLOP/s"),
          roof(row)}) {
        cells.push_back(std::move(cell));
    }
}

std::vector<Column> figure_columns(std::vector<Column> first) {
    // Left out first on a narrow terminal: what the other columns already hint at.
    constexpr std::pair<const char*, int> figures[] = {
        {"calls", 0}, {"total", 0},  {"total of reps", 3}, {"share", 0},
        {"mean", 0},  {"p50", 5},    {"p99", 1},           {"min", 7},
        {"max", 6},   {"memory", 2}, {"compute", 4},       {"of roof", 0}};
    for (const auto& [name, optional] : figures) {
        first.push_back({.name = name, .optional = optional});
    }
    return first;
}

// A closing row: label, time, share of wall.
Row closing(const Section& section, const std::string& label, double ns, double wall_ns) {
    Row cells(section.columns.size());
    cells[0] = label;
    const auto total = std::find_if(section.columns.begin(), section.columns.end(),
                                    [](const Column& column) { return column.name == "total"; });
    const auto at = static_cast<std::size_t>(total - section.columns.begin());
    cells[at] = duration(ns);
    cells[at + 2] = percent(  // the range over reps is between them
        wall_ns > 0 ? std::optional(ns / wall_ns) : std::nullopt);
    return cells;
}

// "gap (host)" where the host is the only class there is.
std::string gap_label(const GapClasses& gap) {
    std::string classes;
    const std::pair<const char*, const Figure&> all[] = {
        {"launch", gap.launch_ns}, {"sync", gap.sync_ns},         {"alloc", gap.alloc_ns},
        {"host", gap.host_ns},     {"dispatch", gap.dispatch_ns}, {"unsplit", gap.unsplit_ns}};
    for (const auto& [name, figure] : all) {
        if (figure) classes += std::string(classes.empty() ? "" : ", ") + name;
    }
    return classes.empty() ? "gap" : "gap (" + classes + ")";
}

void close(Section& section, const PhaseRow& phase, double kernels_ns) {
    if (!phase.wall_ns || !phase.gap_ns) return;
    const double wall_ns = value(phase.wall_ns), gap_ns = value(phase.gap_ns);
    const double overlap_ns = value(phase.sum_ns) - value(phase.busy_ns);
    const double total_ns = kernels_ns - overlap_ns + gap_ns;
    const std::size_t before = section.rows.size();
    if (overlap_ns != 0) section.rows.push_back(closing(section, "overlap", -overlap_ns, wall_ns));
    section.rows.push_back(closing(section, gap_label(phase.gap), gap_ns, wall_ns));
    section.rows.push_back(closing(section, "total", total_ns, wall_ns));
    section.closing_rows = section.rows.size() - before;
    section.notes.push_back(fmt::format("wall {} (profiled, median rep) - total = residual {} ({})",
                                        duration(wall_ns), duration(wall_ns - total_ns),
                                        percent((wall_ns - total_ns) / wall_ns)));
}

}  // namespace

Section role_section(const Report& report, const PhaseRow& phase) {
    Section section{.title = phase.phase + ": time by role",
                    .columns = figure_columns({{"role", Align::left, true}})};
    double kernels_ns = 0;
    for (const KernelRow& row : report.roles) {
        if (row.phase != phase.phase) continue;
        Row cells{row.role};
        add_figures(row, cells);
        section.rows.push_back(std::move(cells));
        kernels_ns += value(row.total_ns);
    }
    close(section, phase, kernels_ns);
    return section;
}

Section kernel_section(const Report& report, const PhaseRow& phase, const Options& options) {
    Section section{
        .title = fmt::format("{}: time by kernel, {}", phase.phase,
                             options.by_path ? "per range path" : "all layers together"),
        .columns = figure_columns({{"path", Align::left, true}, {"kernel", Align::left, true}})};
    double kernels_ns = 0, hidden_ns = 0;
    int shown = 0, hidden = 0;
    for (const KernelRow& row : options.by_path ? report.kernels : report.ops) {
        if (row.phase != phase.phase) continue;
        kernels_ns += value(row.total_ns);
        if (options.top > 0 && shown >= options.top) {
            ++hidden;
            hidden_ns += value(row.total_ns);
            continue;
        }
        ++shown;
        // The phase is in the title.
        Row cells{row.path.starts_with(phase.phase + "/") ? row.path.substr(phase.phase.size() + 1)
                                                          : row.path,
                  row.kernel};
        add_figures(row, cells);
        section.rows.push_back(std::move(cells));
    }
    if (hidden > 0) {
        section.rows.push_back(
            closing(section, fmt::format("{} more", hidden), hidden_ns, value(phase.wall_ns)));
    }
    close(section, phase, kernels_ns);
    return section;
}

}  // namespace reports::render
