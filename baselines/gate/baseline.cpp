// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/baseline.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "baselines/gate/file_text.h"

namespace baselines {
namespace {

using namespace file_text;
using nlohmann::json;
using reports::CountRow;
using reports::LossRow;
using reports::OutputRow;

constexpr const char* schema = "tare.baseline/1";

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
