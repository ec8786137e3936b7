// SPDX-License-Identifier: Apache-2.0
// The sections of a report in reading order.
#include "reports/render/report_document.h"

#include <fmt/format.h>

#include <algorithm>

#include "reports/ingest/integrity.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

Section phase_section(const Report& report) {
    Section section{.title = "Phases",
                    .columns = {{"phase", Align::left, true},
                                {"mode", Align::left},
                                {"timer", Align::left},
                                {"rounds"},
                                {"wall"},
                                {"wall of reps"},
                                {"tokens/s"},
                                {"busy"},
                                {"gap"},
                                {"host"},
                                {"valid", Align::left}}};
    for (const PhaseRow& row : report.phases) {
        section.rows.push_back(
            {row.phase, name(row.mode), row.timer.empty() ? unknown : row.timer,
             quantity(row.rounds), duration(middle(row.wall_ns)), range(row.wall_ns),
             row.tokens_per_s ? fmt::format("{:.1f}", row.tokens_per_s->median) : unknown,
             duration(middle(row.busy_ns)), duration(middle(row.gap_ns)),
             duration(middle(row.gap.host_ns)), row.valid ? "yes" : "NO"});
    }
    return section;
}

Section cost_section(const Report& report) {
    Section section{.title = "Profiling cost (the process's own timer)",
                    .columns = {{"phase", Align::left, true}, {"timed"}, {"profiled"}, {"ratio"}}};
    for (const ProfilingCost& cost : report.profiling_cost) {
        section.rows.push_back({cost.phase, duration(middle(cost.timed_wall_ns)),
                                duration(middle(cost.profiled_wall_ns)),
                                cost.ratio ? fmt::format("{:.4f}", *cost.ratio) : unknown});
    }
    return section;
}

std::string expected_and_seen(const Integrity& integrity) {
    const auto count = [](const std::optional<std::int64_t>& n) {
        return n ? quantity(static_cast<double>(*n)) : std::string(unknown);
    };
    return count(integrity.records_expected) + " / " + count(integrity.records_seen);
}

// One row a check, one column a profiled phase: each figure with its limit.
Section integrity_section(const Report& report) {
    const std::string timer_limit =
        fmt::format("{} + {} µs", percent(ingest::timer_limit), ingest::timer_slack_ns / 1000);
    Section section{.title = "Integrity (worst of the profiled reps)",
                    .columns = {{"check", Align::left, true}, {"limit"}},
                    .rows = {{"(a) kernel time in no phase", percent(ingest::unattributed_limit)},
                             {"(b) kernel time outside the phase", percent(ingest::outside_limit)},
                             {"(c) kernels expected / seen", "equal"},
                             {"(d) gap without a cause", percent(ingest::gap_residual_limit)},
                             {"(e) timer against range", timer_limit}}};
    for (const PhaseRow& row : report.phases) {
        if (row.mode != Mode::profiled) continue;
        const Integrity& i = row.integrity;
        section.columns.push_back({.name = row.phase});
        const std::string cells[] = {percent(i.unattributed_share), percent(i.outside_share),
                                     expected_and_seen(i), percent(i.gap_residual_share),
                                     percent(i.timer_disagreement_share)};
        for (std::size_t r = 0; r < section.rows.size(); ++r) section.rows[r].push_back(cells[r]);
    }
    if (section.columns.size() == 2) section.rows.clear();  // nothing was profiled
    return section;
}

Section metric_section(const Report& report) {
    Section section{.title = "Metrics (of the whole process, timed trials)",
                    .columns = {{"name", Align::left, true},
                                {"median"},
                                {"range"},
                                {"better", Align::left},
                                {"trials"}}};
    for (const MetricRow& row : report.metrics) {
        section.rows.push_back({row.name, measured(row.value.median, row.unit),
                                fmt::format("{} – {}", measured(row.value.min, row.unit),
                                            measured(row.value.max, row.unit)),
                                row.direction == Direction::none ? unknown : name(row.direction),
                                quantity(row.value.n)});
    }
    return section;
}

// How often each kernel ran is in the tables above already.
Section count_section(const Report& report, bool with_calls) {
    Section section{
        .title = "Counts",
        .columns = {
            {"name", Align::left, true}, {"value"}, {"unit", Align::left}, {"exact", Align::left}}};
    int calls = 0;
    for (const CountRow& row : report.counts) {
        if (!with_calls && row.name.find(".calls.") != std::string::npos) {
            ++calls;
            continue;
        }
        section.rows.push_back({row.name, quantity(row.value), row.unit == "1" ? "" : row.unit,
                                row.exact ? "yes" : "no"});
    }
    if (calls > 0) section.notes.push_back(fmt::format("{} counts of calls: --by-path", calls));
    return section;
}

// "no (8.00×)": the arm declares that they differ.
std::string holds_text(const IdentityRow& row) {
    if (row.expected == row.seen) return "yes";
    if (row.must_hold) return "NO";
    return row.expected > 0 ? fmt::format("no ({:.2f}×)", row.seen / row.expected) : "no";
}

Section identity_section(const Report& report) {
    Section section{
        .title = "Identities (two independent numbers that must be equal)",
        .columns = {{"name", Align::left, true}, {"expected"}, {"seen"}, {"holds", Align::left}}};
    for (const IdentityRow& row : report.identities) {
        section.rows.push_back(
            {row.name, quantity(row.expected), quantity(row.seen), holds_text(row)});
        if (row.must_hold || row.expected == row.seen) continue;
        section.notes.push_back(fmt::format(
            "{}: this arm declares that the two differ; what it did must equal what it planned",
            row.name));
    }
    return section;
}

Section loss_section(const Report& report) {
    Section section{
        .title = "Losses (negative log likelihood of the next token, natural log)",
        .columns = {{"text", Align::left, true}, {"predicted"}, {"mean"}, {"sum"}, {"trials"}}};
    for (const LossRow& row : report.losses) {
        section.rows.push_back({row.name.empty() ? unknown : row.name,
                                quantity(static_cast<double>(row.tokens)),
                                fmt::format("{:.6f}", row.nll_mean),
                                fmt::format("{:.4f}", row.nll_sum), quantity(row.trials)});
    }
    if (report.mean_loss) {
        section.rows.push_back(
            {"mean of the texts", "", fmt::format("{:.6f}", *report.mean_loss), "", ""});
        section.closing_rows = 1;
    }
    return section;
}

std::string title_of(const Report& report) {
    const bool several = report.all_arms.size() > 1;
    return fmt::format("run {} · {}{} · {} · {} · {}", report.run.id, report.scenario.name,
                       several ? " · arm " + report.arm.name : "", report.run.started_utc,
                       report.run.status, report.valid ? "valid" : "INVALID");
}

void add_if_any(Document& document, Section section) {
    if (section.rows.empty() && section.notes.empty()) return;
    document.sections.push_back(std::move(section));
}

}  // namespace

Document report_document(const Report& report, const Options& options) {
    Document document{.title = title_of(report),
                      .alarm = !report.valid,
                      .header = header_of(report),
                      .alarms = report.reasons};
    add_if_any(document, metric_section(report));
    add_if_any(document, phase_section(report));
    for (const PhaseRow& phase : report.phases) {
        if (phase.mode != Mode::profiled) continue;
        add_if_any(document, role_section(report, phase));
        add_if_any(document, kernel_section(report, phase, options));
    }
    add_if_any(document, loss_section(report));
    add_if_any(document, count_section(report, options.by_path));
    add_if_any(document, identity_section(report));
    add_if_any(document, cost_section(report));
    add_if_any(document, integrity_section(report));
    document.footer.push_back(fmt::format(
        "More: tare report {0} --by-path --top 0 (every range path), --format csv|json|md; tare "
        "show {0} (trials, raw files)",
        report.run.id));
    return document;
}

std::vector<Document> report_documents(const Report& report, const Options& options) {
    std::vector<Document> documents;
    const auto arms = arms_of(report);
    for (const Report* arm : arms) documents.push_back(report_document(*arm, options));
    if (arms.size() > 1) documents.push_back(side_by_side_document(report, options));
    // What is said once for all arms stands at the first and at the last.
    for (std::size_t i = 1; i < documents.size(); ++i) {
        documents[i - 1].footer.clear();
        std::erase_if(documents[i].header, [&](const auto& line) {
            const auto& first = documents.front().header;
            return std::find(first.begin(), first.end(), line) != first.end();
        });
    }
    return documents;
}

}  // namespace reports::render
