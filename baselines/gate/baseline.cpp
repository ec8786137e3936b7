// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/baseline.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

namespace baselines {
namespace {

using nlohmann::json;
using reports::CountRow;
using reports::LossRow;
using reports::OutputRow;

constexpr const char* schema = "tare.baseline/1";

std::string quoted(const std::string& text) {
    return json(text).dump(-1, ' ', false, json::error_handler_t::replace);
}

std::string quoted(const std::optional<std::string>& text) {
    return text ? quoted(*text) : "null";
}

// The shortest text that reads back as the same number.
std::string number(double value) {
    return fmt::format("{}", value);
}

// One element a line: a diff shows which one changed.
template <class Rows, class Line>
std::string lines(const Rows& rows, const std::string& indent, Line line) {
    std::string out;
    for (std::size_t i = 0; i < rows.size(); ++i)
        out += fmt::format("\n{}  {}{}", indent, line(rows[i]), i + 1 < rows.size() ? "," : "");
    return rows.empty() ? "[]" : fmt::format("[{}\n{}]", out, indent);
}

std::string count_line(const CountRow& row) {
    return fmt::format("{{\"name\": {}, \"value\": {}, \"unit\": {}}}", quoted(row.name),
                       number(row.value), quoted(row.unit));
}

std::string output_line(const OutputRow& row) {
    return fmt::format(
        "{{\"request\": {}, \"sha256\": {},\n         \"tokens\": [{}],\n         \"margins\": "
        "[{:.4g}]}}",
        row.request, quoted(row.sha256), fmt::join(row.tokens, ", "), fmt::join(row.margins, ", "));
}

std::string loss_line(const LossRow& row) {
    return fmt::format(
        "{{\"request\": {}, \"name\": {}, \"tokens\": {}, \"nll_sum\": {}, \"nll_mean\": {}, "
        "\"sha256\": {}}}",
        row.request, quoted(row.name), row.tokens, number(row.nll_sum), number(row.nll_mean),
        quoted(row.sha256));
}

std::string arm_text(const ArmBaseline& arm) {
    const std::string indent = "      ";
    return fmt::format(
        "{{\n{0}\"name\": {1},\n{0}\"counts\": {2},\n{0}\"outputs\": {3},\n{0}\"losses\": {4}\n    "
        "}}",
        indent, quoted(arm.name), lines(arm.counts, indent, count_line),
        lines(arm.outputs, indent, output_line), lines(arm.losses, indent, loss_line));
}

std::string acceptance_text(const Acceptance& one) {
    const std::string indent = "      ";
    return fmt::format(
        "{{\n{0}\"date\": {1},\n{0}\"commit\": {2},\n{0}\"dirty\": {3},\n{0}\"reason\": "
        "{4},\n{0}\"changes\": {5}\n    }}",
        indent, quoted(one.date), quoted(one.commit), one.dirty, quoted(one.reason),
        lines(one.changes, indent, [](const std::string& text) { return quoted(text); }));
}

CountRow count_from(const json& row) {
    return {.name = row.at("name").get<std::string>(),
            .value = row.at("value").get<double>(),
            .unit = row.at("unit").get<std::string>(),
            .exact = true};
}

OutputRow output_from(const json& row) {
    return {.request = row.at("request").get<int>(),
            .tokens = row.at("tokens").get<std::vector<std::int64_t>>(),
            .margins = row.at("margins").get<std::vector<double>>(),
            .sha256 = row.at("sha256").get<std::string>()};
}

LossRow loss_from(const json& row) {
    return {.request = row.at("request").get<int>(),
            .name = row.at("name").get<std::string>(),
            .tokens = row.at("tokens").get<std::int64_t>(),
            .nll_sum = row.at("nll_sum").get<double>(),
            .nll_mean = row.at("nll_mean").get<double>(),
            .sha256 = row.at("sha256").get<std::string>()};
}

template <class Row>
std::vector<Row> rows_from(const json& list, Row (*from)(const json&)) {
    if (!list.is_array())
        throw BaselineError(fmt::format("a list of objects is wanted, not {}", list.type_name()));
    std::vector<Row> out;
    for (const json& row : list) out.push_back(from(row));
    return out;
}

ArmBaseline arm_from(const json& arm) {
    return {.name = arm.at("name").get<std::string>(),
            .counts = rows_from(arm.at("counts"), count_from),
            .outputs = rows_from(arm.at("outputs"), output_from),
            .losses = rows_from(arm.at("losses"), loss_from)};
}

Acceptance acceptance_from(const json& one) {
    return {.date = one.at("date").get<std::string>(),
            .commit = one.at("commit").get<std::string>(),
            .dirty = one.at("dirty").get<bool>(),
            .reason = one.at("reason").get<std::string>(),
            .changes = one.at("changes").get<std::vector<std::string>>()};
}

Baseline baseline_from(const json& whole) {
    const auto seen = whole.at("schema").get<std::string>();
    if (seen != schema)
        throw BaselineError(
            fmt::format("schema '{}' is not known; this version reads {}", seen, schema));
    Baseline out{.scenario = whole.at("scenario").get<std::string>(),
                 .scenario_sha256 = whole.at("scenario_sha256").get<std::string>(),
                 .model_sha256 = {},
                 .backend = whole.at("backend").get<std::string>(),
                 .arms = rows_from(whole.at("arms"), arm_from),
                 .accepted = rows_from(whole.at("accepted"), acceptance_from)};
    if (const json& model = whole.at("model_sha256"); !model.is_null())
        out.model_sha256 = model.get<std::string>();
    // A file without anything to hold a run against would pass whatever it is given.
    if (out.arms.empty()) throw BaselineError("\"arms\" is empty: there is nothing to check");
    for (const ArmBaseline& arm : out.arms)
        if (arm.counts.empty() && arm.outputs.empty() && arm.losses.empty())
            throw BaselineError(fmt::format(
                "arm '{}' has no counts, outputs or losses: there is nothing to check", arm.name));
    return out;
}

ArmBaseline arm_of(const reports::Report& report) {
    ArmBaseline out{.name = report.arm.name, .counts = {}, .outputs = {}, .losses = report.losses};
    std::copy_if(report.counts.begin(), report.counts.end(), std::back_inserter(out.counts),
                 [](const CountRow& row) { return row.exact; });
    out.outputs = report.outputs;
    return out;
}

}  // namespace

std::string to_text(const Baseline& baseline) {
    return fmt::format(
        "{{\n  \"schema\": {},\n  \"scenario\": {},\n  \"scenario_sha256\": {},\n  "
        "\"model_sha256\": {},\n  \"backend\": {},\n  \"accepted\": {},\n  \"arms\": {}\n}}\n",
        quoted(std::string(schema)), quoted(baseline.scenario), quoted(baseline.scenario_sha256),
        quoted(baseline.model_sha256), quoted(baseline.backend),
        lines(baseline.accepted, "  ", acceptance_text), lines(baseline.arms, "  ", arm_text));
}

Baseline parse_baseline(std::string_view text) {
    try {
        return baseline_from(json::parse(text));
    } catch (const json::exception& error) {
        throw BaselineError(error.what());
    }
}

Baseline baseline_of(const reports::Report& report) {
    Baseline out{.scenario = report.scenario.name,
                 .scenario_sha256 = report.scenario.sha256,
                 .model_sha256 = report.model.sha256,
                 .backend = report.run.backend,
                 .arms = {},
                 .accepted = {}};
    for (const reports::Report* arm : reports::arms_of(report)) out.arms.push_back(arm_of(*arm));
    return out;
}

}  // namespace baselines
