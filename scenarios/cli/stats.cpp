// SPDX-License-Identifier: Apache-2.0
// tare stats: the paired statistics on two columns of any CSV file.
#include <algorithm>
#include <cmath>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "reports/stats/decision.h"
#include "reports/stats/median_interval.h"
#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"
#include "reports/stats/summary.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/paired_csv.h"
#include "scenarios/cli/table.h"
#include "scenarios/plan/share.h"

namespace scenarios::cli {

namespace {

using namespace reports::stats;
using nlohmann::json;
using reports::Direction;

struct StatsOptions {
    std::string file, margin, direction = "lower";
    PairedColumns columns;
    bool as_json = false;
};

struct Statistics {
    int n = 0, zeros = 0, left_out = 0;
    double median_ratio = 1, hl_ratio = 1;  // B/A
    std::optional<MedianInterval> median;
    std::optional<Interval> hl;  // of the ratio
    double wilcoxon_p = 1, sign_p = 1;
    Decision decision;  // positive is worse
};

std::optional<double> margin_of(const StatsOptions& options) {
    if (options.margin.empty()) return std::nullopt;
    const auto share = plan::share_of(options.margin);
    if (!share)
        throw UsageError(
            fmt::format("--margin {} is not a share above 0% and below 100%; write "
                        "--margin 2%",
                        options.margin));
    return std::log1p(*share);
}

PairedSample sample_of(const PairedCsv& csv, const StatsOptions& options, Direction direction) {
    const auto sample = paired_sample(csv.rounds, direction);
    if (sample.worse.empty())
        throw UsageError(options.file + ": no line has a value in both columns");
    if (sample.worse.size() > static_cast<std::size_t>(most_pairs))
        throw UsageError(
            fmt::format("{}: {} pairs; exact statistics are made for {} at most. A "
                        "pair is a round, not a repeat: reduce repeats by their median "
                        "first",
                        options.file, sample.worse.size(), most_pairs));
    return sample;
}

std::vector<double> ratios(const PairedCsv& csv, const PairedSample& sample) {
    std::vector<double> out;
    for (const std::size_t i : sample.kept) out.push_back(*csv.rounds[i].b / *csv.rounds[i].a);
    return out;
}

Statistics compute(const PairedCsv& csv, const StatsOptions& options) {
    const auto direction = *reports::direction_from(options.direction);
    const auto plain = sample_of(csv, options, Direction::lower);  // ln(B/A)
    const auto quotients = ratios(csv, plain);
    const auto signed_rank = signed_rank_test(plain.worse);
    const int n = static_cast<int>(plain.worse.size());
    Statistics out{.n = n,
                   .zeros = signed_rank.zeros,
                   .left_out = static_cast<int>(plain.left_out.size()),
                   .median_ratio = *median(quotients),
                   .hl_ratio = std::exp(*hodges_lehmann(walsh_averages(plain.worse))),
                   .median = median_interval(quotients),
                   .hl = signed_rank_interval(plain.worse),
                   .wilcoxon_p = signed_rank.p_two_sided,
                   .sign_p = sign_test(plain.worse).p_two_sided,
                   .decision = decide(sample_of(csv, options, direction).worse, plans_for({n}),
                                      margin_of(options))};
    if (out.hl) out.hl = Interval{std::exp(out.hl->lo), std::exp(out.hl->hi), out.hl->coverage};
    return out;
}

json verdict_of(const Decision& decision) {
    return decision.verdict ? json(name(*decision.verdict)) : json();
}

std::string as_json(const Statistics& stats) {
    const auto known = [](const auto& interval, auto member) {
        return interval ? json((*interval).*member) : json();
    };
    return json({{"n", stats.n},
                 {"zeros", stats.zeros},
                 {"left_out", stats.left_out},
                 {"median_ratio", stats.median_ratio},
                 {"median_lo", known(stats.median, &MedianInterval::lo)},
                 {"median_hi", known(stats.median, &MedianInterval::hi)},
                 {"median_coverage", known(stats.median, &MedianInterval::coverage)},
                 {"hl_ratio", stats.hl_ratio},
                 {"hl_lo", known(stats.hl, &Interval::lo)},
                 {"hl_hi", known(stats.hl, &Interval::hi)},
                 {"hl_coverage", known(stats.hl, &Interval::coverage)},
                 {"wilcoxon_p", stats.wilcoxon_p},
                 {"sign_p", stats.sign_p},
                 {"verdict", verdict_of(stats.decision)},
                 {"reason", reason(stats.decision, Scale::log_ratio)}})
               .dump(-1, ' ', false, json::error_handler_t::replace) +
           "\n";
}

template <class Interval>
Row interval_row(const char* label, double ratio, const std::optional<Interval>& interval) {
    const std::string none = "none below 6 rounds";
    return {label, fmt::format("{:.5g}", ratio),
            interval ? fmt::format("{:.5g}..{:.5g}", interval->lo, interval->hi) : none,
            interval ? fmt::format("{:.2f} %", 100 * interval->coverage) : "-"};
}

std::string as_table(const PairedCsv& csv, const Statistics& stats) {
    std::string text = fmt::format("{} / {}: {} rounds", csv.columns.b, csv.columns.a, stats.n);
    if (stats.left_out > 0)
        text += fmt::format(", {} left out: a value is missing", stats.left_out);
    text += "\n\n" + aligned({{"ratio B/A", "estimate", "interval", "coverage"},
                              interval_row("Hodges-Lehmann", stats.hl_ratio, stats.hl),
                              interval_row("median", stats.median_ratio, stats.median)});
    text += fmt::format("\ntwo-sided p: signed-rank {:.4g}, sign {:.4g} ({} equal pairs dropped)\n",
                        stats.wilcoxon_p, stats.sign_p, stats.zeros);
    if (stats.decision.verdict)
        text += fmt::format("verdict: {}: {}\n", name(*stats.decision.verdict),
                            reason(stats.decision, Scale::log_ratio));
    return text;
}

int exit_code(const Decision& decision) {
    if (decision.verdict == Verdict::regressed) return ExitCode::regressed;
    if (decision.verdict == Verdict::inconclusive) return ExitCode::inconclusive;
    return ExitCode::pass;
}

int run_stats(const StatsOptions& options) {
    margin_of(options);  // a wrong option is said before a wrong file
    const auto csv = read_paired_csv(options.file, options.columns);
    const auto stats = compute(csv, options);
    write_output(options.as_json ? as_json(stats) : as_table(csv, stats), "");
    return exit_code(stats.decision);
}

}  // namespace

void add_stats(CLI::App& app, Context& context) {
    auto options = std::make_shared<StatsOptions>();
    CLI::App* command = app.add_subcommand("stats", "Paired statistics on two columns of a CSV");
    command->add_option("FILE", options->file, "CSV file, one round a line")->required();
    command
        ->add_option("--a", options->columns.a, "Column of arm A (default: a, or the first of two)")
        ->type_name("COL");
    command
        ->add_option("--b", options->columns.b,
                     "Column of arm B (default: b, or the second of two)")
        ->type_name("COL");
    command->add_option("--margin", options->margin, "Tolerated change, as 2%: gives a verdict")
        ->type_name("SHARE");
    command->add_option("--direction", options->direction, "Which values are better")
        ->check(CLI::IsMember({"lower", "higher"}))
        ->capture_default_str();
    command->add_flag("--json", options->as_json, "One JSON object");
    command->footer(
        "Ratios are B/A of each line. Intervals are exact, the narrowest with at least 95 %; the\n"
        "Hodges-Lehmann one decides. A line with an empty cell is left out and counted.\n"
        "Examples:\n"
        "  tare stats rounds.csv --margin 2%\n"
        "  tare stats rounds.csv --a before --b after --direction higher --json\n"
        "Exit codes: 0 improved, same, or no margin; 1 regressed; 2 usage; 3 inconclusive.");
    command->callback(
        [options, &context] { context.action = [options] { return run_stats(*options); }; });
}

}  // namespace scenarios::cli
