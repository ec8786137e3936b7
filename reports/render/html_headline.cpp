// SPDX-License-Identifier: Apache-2.0
// What a person wants to know first: how long each phase took, how sure that is, and where it went.
#include <fmt/format.h>

#include <algorithm>

#include "reports/render/html_parts.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

// From the smallest to the largest trial with a tick at the median, on a scale from 0 to `most`.
std::string spread_mark(const Figure& figure, double most) {
    if (!figure || most <= 0) return {};
    const double low = 100 * figure->min / most, high = 100 * figure->max / most;
    const double middle = 100 * figure->median / most;
    return fmt::format(R"(<span class="spread" aria-hidden="true"><i style="left:{:.2f}%;)"
                       R"(width:{:.2f}%"></i><b style="left:{:.2f}%"></b></span>)",
                       low, high - low, middle);
}

std::string spread_row(const PhaseRow& row, double most) {
    if (!row.wall_ns) return {};
    const std::string span =
        row.wall_ns->n > 1 ? range(row.wall_ns) : duration(middle(row.wall_ns));
    return element("tr", element("th", R"(scope="row")", name(row.mode)) +
                             element("td", R"(class="n")", duration(middle(row.wall_ns))) +
                             element("td", R"(class="mark")", spread_mark(row.wall_ns, most)) +
                             element("td", R"(class="n")", span) +
                             element("td", R"(class="n")", fmt::format("{}", row.wall_ns->n)));
}

std::string spread_table(const std::vector<const PhaseRow*>& rows) {
    double most = 0;
    for (const PhaseRow* row : rows) {
        if (row->wall_ns) most = std::max(most, row->wall_ns->max);
    }
    std::string body;
    for (const PhaseRow* row : rows) body += spread_row(*row, most);
    const std::string head = element(
        "tr", R"(<th scope="col">mode</th><th scope="col" class="n">median</th>)"
              R"(<th scope="col" class="mark">from 0 to the largest</th>)"
              R"(<th scope="col" class="n">min..max</th><th scope="col" class="n">values</th>)");
    return element("table", R"(class="spreads")",
                   element("caption", "wall time of a rep, over trials") + element("thead", head) +
                       element("tbody", body));
}

std::string share_of(const Figure& part, const Figure& whole) {
    if (!part || !whole || whole->median <= 0) return unknown;
    return percent(part->median / whole->median);
}

std::string split_line(const PhaseRow& row) {
    if (!row.busy_ns || !row.gap_ns) return {};
    return element("p", R"(class="split")",
                   fmt::format("profiled: {} in kernels ({}), {} in none ({})",
                               duration(middle(row.busy_ns)), share_of(row.busy_ns, row.wall_ns),
                               duration(middle(row.gap_ns)), share_of(row.gap_ns, row.wall_ns)));
}

std::string figure_html(const PhaseRow& row) {
    const std::string text = duration(middle(row.wall_ns));
    const std::size_t unit = text.find(' ');
    const std::string number = text.substr(0, unit);
    const std::string rest = unit == std::string::npos ? "" : text.substr(unit);
    std::string out = element("p", R"(class="big")", number + element("span", rest));
    std::string about = fmt::format("{}, median of {} {}", name(row.mode), row.rounds,
                                    row.rounds == 1 ? "trial" : "trials");
    if (row.tokens_per_s) about += fmt::format(" · {:.1f} tokens/s", row.tokens_per_s->median);
    return out + element("p", R"(class="about")", about);
}

std::string card(const std::string& phase, const std::vector<const PhaseRow*>& rows) {
    const auto timed = std::find_if(rows.begin(), rows.end(), [](const PhaseRow* row) {
        return row->mode == Mode::timed && row->wall_ns;
    });
    const PhaseRow& first = timed == rows.end() ? *rows[0] : **timed;
    std::string body = element("h3", escaped_html(phase)) + figure_html(first) + spread_table(rows);
    bool bad = false;
    for (const PhaseRow* row : rows) {
        if (row->mode == Mode::profiled) body += split_line(*row);
        if (row->valid) continue;
        bad = true;
        body +=
            element("p", R"(class="bad")",
                    fmt::format("{}: not valid. {}", name(row->mode), escaped_html(row->reason)));
    }
    return element("article", bad ? R"(class="card invalid")" : R"(class="card")", body) + '\n';
}

}  // namespace

std::string headline_html(const Report& report) {
    std::vector<std::string> phases;
    for (const PhaseRow& row : report.phases) {
        if (std::find(phases.begin(), phases.end(), row.phase) == phases.end()) {
            phases.push_back(row.phase);
        }
    }
    std::string out;
    for (const std::string& phase : phases) {
        std::vector<const PhaseRow*> rows;
        for (const PhaseRow& row : report.phases) {
            if (row.phase == phase) rows.push_back(&row);
        }
        out += card(phase, rows);
    }
    return out.empty() ? out : element("div", R"(class="cards")", out);
}

}  // namespace reports::render
