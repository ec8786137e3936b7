// SPDX-License-Identifier: Apache-2.0
// What must hold for the figures to count: integrity, identities, trials, answers.
#include <fmt/format.h>

#include <algorithm>

#include "reports/ingest/integrity.h"
#include "reports/render/html_parts.h"
#include "reports/render/html_table.h"
#include "reports/render/html_text.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

std::string html_if_any(const HtmlTable& table) {
    return table.rows.empty() ? std::string() : html(table);
}

HtmlCell holds(bool does) {
    HtmlCell cell(does ? "yes" : "NO");
    cell.bad = !does;
    return cell;
}

// "no (8.00×)": the arm declares that they differ.
HtmlCell holds(const IdentityRow& row) {
    const bool differs = row.expected != row.seen;
    if (!differs || row.must_hold) return holds(!differs);
    return {row.expected > 0 ? fmt::format("no ({:.2f}×), as declared", row.seen / row.expected)
                             : "no, as declared"};
}

HtmlCell against(const std::optional<double>& share, double limit) {
    HtmlCell cell(percent(share), share);
    cell.bad = share && *share > limit;
    return cell;
}

HtmlCell expected_and_seen(const Integrity& i) {
    const auto count = [](const std::optional<std::int64_t>& n) {
        return n ? quantity(static_cast<double>(*n)) : std::string(unknown);
    };
    HtmlCell cell(count(i.records_expected) + " / " + count(i.records_seen));
    cell.bad = i.records_expected && i.records_seen && *i.records_expected != *i.records_seen;
    return cell;
}

}  // namespace

std::string integrity_html(const Report& report) {
    // (e) also allows a fixed time, so only the judgement of ingest tells a breach of it.
    const std::string timer_limit =
        fmt::format("{} + {} µs", percent(ingest::timer_limit), ingest::timer_slack_ns / 1000);
    HtmlTable table{
        .kind = "integrity",
        .caption = "worst of the profiled reps",
        .columns = {{"check", "", false}, {"limit"}},
        .rows = {{{"(a) kernel time in no phase"}, {percent(ingest::unattributed_limit)}},
                 {{"(b) kernel time outside the phase"}, {percent(ingest::outside_limit)}},
                 {{"(c) kernels expected / seen"}, {"equal"}},
                 {{"(d) gap without a cause"}, {percent(ingest::gap_residual_limit)}},
                 {{"(e) timer against range"}, {timer_limit}}},
        .closing = {},
        .notes = {}};
    for (const PhaseRow& row : report.phases) {
        if (row.mode != Mode::profiled) continue;
        const Integrity& i = row.integrity;
        table.columns.push_back({row.phase});
        table.rows[0].push_back(against(i.unattributed_share, ingest::unattributed_limit));
        table.rows[1].push_back(against(i.outside_share, ingest::outside_limit));
        table.rows[2].push_back(expected_and_seen(i));
        table.rows[3].push_back(against(i.gap_residual_share, ingest::gap_residual_limit));
        table.rows[4].push_back({percent(i.timer_disagreement_share)});
    }
    return table.columns.size() == 2 ? std::string() : html(table);
}

std::string identities_html(const Report& report) {
    HtmlTable table{
        .kind = "identities",
        .caption = "two independent numbers that must be equal",
        .columns = {{"identity", "", false}, {"expected"}, {"seen"}, {"holds", "", false}},
        .rows = {},
        .closing = {},
        .notes = {}};
    for (const IdentityRow& row : report.identities) {
        table.rows.push_back(
            {{row.name}, {quantity(row.expected)}, {quantity(row.seen)}, holds(row)});
    }
    return html_if_any(table);
}

std::string cost_html(const Report& report) {
    HtmlTable table{
        .kind = "cost",
        .caption = "wall time by the process's own timer, medians over reps",
        .columns = {{"phase", "", false}, {"timed"}, {"profiled"}, {"profiled / timed"}},
        .rows = {},
        .closing = {},
        .notes = {}};
    for (const ProfilingCost& cost : report.profiling_cost) {
        table.rows.push_back({{cost.phase},
                              {duration(middle(cost.timed_wall_ns))},
                              {duration(middle(cost.profiled_wall_ns))},
                              {cost.ratio ? fmt::format("{:.4f}", *cost.ratio) : unknown}});
    }
    return html_if_any(table);
}

std::string metrics_html(const Report& report) {
    HtmlTable table{.kind = "metrics",
                    .caption = "of the whole process, over the timed trials",
                    .columns = {{"metric", "", false},
                                {"median"},
                                {"least"},
                                {"most"},
                                {"better", "", false},
                                {"trials"}},
                    .rows = {},
                    .closing = {},
                    .notes = {}};
    for (const MetricRow& row : report.metrics) {
        const auto cell = [&](double value) { return HtmlCell(measured(value, row.unit), value); };
        table.rows.push_back({{row.name},
                              cell(row.value.median),
                              cell(row.value.min),
                              cell(row.value.max),
                              {row.direction == Direction::none ? unknown : name(row.direction)},
                              {quantity(row.value.n), static_cast<double>(row.value.n)}});
    }
    return html_if_any(table);
}

std::string counts_html(const Report& report) {
    HtmlTable table{
        .kind = "counts",
        .caption = "exact: the same in every trial of one build, or it changed",
        .columns = {{"count", "", false}, {"value"}, {"unit", "", false}, {"exact", "", false}},
        .rows = {},
        .closing = {},
        .notes = {},
        .sortable = true,
        .filterable = true};
    for (const CountRow& row : report.counts) {
        table.rows.push_back({{row.name},
                              {quantity(row.value), row.value},
                              {row.unit == "1" ? "" : row.unit},
                              {row.exact ? "yes" : "no"}});
    }
    return html_if_any(table);
}

namespace {

std::string ending(const Trial& trial) {
    if (trial.timed_out) return "killed at the time limit";
    if (trial.signal) return fmt::format("signal {}", *trial.signal);
    return trial.exit_code ? fmt::format("exit {}", *trial.exit_code) : std::string(unknown);
}

std::optional<double> process_ns(const Trial& trial) {
    if (trial.exit_raw_ns <= 0) return std::nullopt;
    return static_cast<double>(trial.exit_raw_ns - trial.spawn_raw_ns);
}

}  // namespace

std::string trials_html(const Report& report) {
    HtmlTable table{.kind = "trials",
                    .caption = "one process each, in the order they ran",
                    .columns = {{"trial", "", false},
                                {"round"},
                                {"position"},
                                {"mode", "", false},
                                {"process", "from start to exit, loading the model included"},
                                {"end", "", false},
                                {"valid", "", false},
                                {"reason", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {},
                    .sortable = true};
    for (const TrialRow& row : report.trials) {
        const Trial& t = row.trial;
        HtmlCell valid = holds(t.valid);
        if (t.planted) valid.text += ", planted fault";
        table.rows.push_back({{std::to_string(row.id), static_cast<double>(row.id)},
                              {std::to_string(t.round), static_cast<double>(t.round)},
                              {std::to_string(t.position), static_cast<double>(t.position)},
                              {name(t.mode)},
                              {duration(process_ns(t)), process_ns(t)},
                              {ending(t)},
                              valid,
                              {t.reason}});
    }
    return html_if_any(table);
}

namespace {

constexpr std::size_t tokens_shown = 16;

std::string first_tokens(const std::vector<std::int64_t>& tokens) {
    std::string text;
    for (std::size_t i = 0; i < tokens.size() && i < tokens_shown; ++i) {
        text += fmt::format("{}{}", i == 0 ? "" : " ", tokens[i]);
    }
    return tokens.size() > tokens_shown ? text + " …" : text;
}

std::string smallest(const std::vector<double>& margins) {
    if (margins.empty()) return unknown;
    return fmt::format("{:.4g}", *std::min_element(margins.begin(), margins.end()));
}

}  // namespace

std::string outputs_html(const Report& report) {
    HtmlTable table{.kind = "outputs",
                    .caption =
                        "what the engine said to each request; two rows for one request are "
                        "two answers",
                    .columns = {{"request", "", false},
                                {"tokens"},
                                {"trials", "that said exactly this"},
                                {"smallest margin", "top logit minus the second, over the tokens"},
                                {"sha256", "of the ids as little-endian int32", false},
                                {"first ids", "", false}},
                    .rows = {},
                    .closing = {},
                    .notes = {}};
    for (const OutputRow& row : report.outputs) {
        table.rows.push_back({{std::to_string(row.request)},
                              {quantity(static_cast<double>(row.tokens.size()))},
                              {quantity(row.trials)},
                              {smallest(row.margins)},
                              {short_hash(row.sha256)},
                              {first_tokens(row.tokens)}});
    }
    return html_if_any(table);
}

}  // namespace reports::render
