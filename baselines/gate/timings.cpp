// SPDX-License-Identifier: Apache-2.0
// tare.timings/1, written and read.
#include "baselines/gate/timings.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "baselines/gate/file_text.h"
#include "reports/stats/summary.h"
#include "reports/stats/two_sample.h"

namespace baselines {
namespace {

using namespace file_text;
using nlohmann::json;

constexpr const char* schema = "tare.timings/1";

std::string numbers(const std::vector<double>& values) {
    std::vector<std::string> out;
    for (const double value : values) out.push_back(number(value));
    return fmt::format("[{}]", fmt::join(out, ", "));
}

std::string metric_line(const TimedMetric& one) {
    const auto spread = reports::stats::spread(one.samples).value_or(reports::Spread{});
    return fmt::format(
        "{{\"metric\": {}, \"unit\": {}, \"direction\": {}, \"margin\": {},\n"
        "         \"n\": {}, \"median\": {}, \"min\": {}, \"max\": {},\n"
        "         \"samples\": {}}}",
        quoted(one.metric), quoted(one.unit), quoted(std::string(reports::name(one.direction))),
        number(one.margin), spread.n, number(spread.median), number(spread.min), number(spread.max),
        numbers(one.samples));
}

std::string arm_text(const TimedArm& arm) {
    const std::string indent = "      ";
    return fmt::format("{{\n{0}\"name\": {1},\n{0}\"counts\": {2},\n{0}\"timings\": {3}\n    }}",
                       indent, quoted(arm.name), lines(arm.counts, indent, count_line),
                       lines(arm.timings, indent, metric_line));
}

std::string regression_line(const AcceptedRegression& one) {
    return fmt::format("{{\"arm\": {}, \"metric\": {}, \"unit\": {}, \"from\": {}, \"to\": {}}}",
                       quoted(one.arm), quoted(one.metric), quoted(one.unit), number(one.from),
                       number(one.to));
}

std::string acceptance_text(const TimingAcceptance& one) {
    const std::string indent = "      ";
    return fmt::format(
        "{{\n{0}\"date\": {1},\n{0}\"commit\": {2},\n{0}\"reason\": {3},\n{0}\"changes\": "
        "{4},\n{0}\"regressions\": {5}\n    }}",
        indent, quoted(one.date), quoted(one.commit), quoted(one.reason),
        lines(one.changes, indent, [](const std::string& text) { return quoted(text); }),
        lines(one.regressions, indent, regression_line));
}

std::string calibration_text(const std::optional<UsedCalibration>& one) {
    if (!one) return "null";
    return fmt::format(
        "{{\n    \"calibrated_utc\": {},\n    \"rounds\": {},\n    \"honest_margins\": {}\n  }}",
        quoted(one->calibrated_utc), one->rounds,
        lines(one->margins, "    ", [](const UsedCalibration::Margin& margin) {
            return fmt::format("{{\"metric\": {}, \"honest_margin\": {}}}", quoted(margin.metric),
                               number(margin.honest));
        }));
}

std::string condition_line(const reports::Condition& one) {
    return fmt::format("{{\"name\": {}, \"value\": {}, \"unit\": {}}}", quoted(one.name),
                       number(one.value), quoted(one.unit));
}

// A value that is no finite number, or below 0, never came from a clock.
double time_from(const json& value, const std::string& metric) {
    const double out = value.get<double>();
    if (!std::isfinite(out) || out < 0)
        throw BaselineError(fmt::format(
            "metric '{}': the sample {} is no finite number of at least 0", metric, out));
    return out;
}

// The names of gated metrics end in their unit.
void check_unit(const TimedMetric& one) {
    for (const std::string unit : {"ns", "bytes"})
        if (one.metric.ends_with("_" + unit) && one.unit != unit)
            throw BaselineError(fmt::format("metric '{}' has the unit '{}'; its unit is '{}'",
                                            one.metric, one.unit, unit));
}

// A person reads the median, the gate the samples: they must say the same.
void check_summary(const TimedMetric& one, const json& row) {
    const auto spread = *reports::stats::spread(one.samples);
    const auto seen = row.at("median").get<double>();
    if (seen != spread.median || row.at("n").get<int>() != spread.n)
        throw BaselineError(
            fmt::format("metric '{}': median {} of n {}, but its {} samples have the median {}: "
                        "the file was changed by hand",
                        one.metric, seen, row.at("n").get<int>(), spread.n, spread.median));
}

TimedMetric metric_from(const json& row) {
    TimedMetric out{.metric = row.at("metric").get<std::string>(),
                    .unit = row.at("unit").get<std::string>(),
                    .margin = row.at("margin").get<double>(),
                    .samples = {}};
    const auto direction = reports::direction_from(row.at("direction").get<std::string>());
    if (!direction)
        throw BaselineError(
            fmt::format("metric '{}' has the direction '{}'; known are lower, "
                        "higher, exact and none",
                        out.metric, row.at("direction").get<std::string>()));
    out.direction = *direction;
    for (const json& value : row.at("samples")) out.samples.push_back(time_from(value, out.metric));
    if (out.samples.empty() || out.samples.size() > reports::stats::most_samples)
        throw BaselineError(fmt::format("metric '{}' has {} samples; 1 to {} are wanted",
                                        out.metric, out.samples.size(),
                                        reports::stats::most_samples));
    check_unit(out);
    check_summary(out, row);
    return out;
}

TimedArm arm_from(const json& arm) {
    return {.name = arm.at("name").get<std::string>(),
            .counts = rows_from(arm.at("counts"), count_from),
            .timings = rows_from(arm.at("timings"), metric_from)};
}

AcceptedRegression regression_from(const json& one) {
    return {.arm = one.at("arm").get<std::string>(),
            .metric = one.at("metric").get<std::string>(),
            .unit = one.at("unit").get<std::string>(),
            .from = one.at("from").get<double>(),
            .to = one.at("to").get<double>()};
}

TimingAcceptance acceptance_from(const json& one) {
    return {.date = one.at("date").get<std::string>(),
            .commit = one.at("commit").get<std::string>(),
            .reason = one.at("reason").get<std::string>(),
            .changes = one.at("changes").get<std::vector<std::string>>(),
            .regressions = rows_from(one.at("regressions"), regression_from)};
}

UsedCalibration::Margin margin_from(const json& one) {
    return {.metric = one.at("metric").get<std::string>(),
            .honest = one.at("honest_margin").get<double>()};
}

std::optional<UsedCalibration> calibration_from(const json& one) {
    if (one.is_null()) return std::nullopt;
    return UsedCalibration{.calibrated_utc = one.at("calibrated_utc").get<std::string>(),
                           .rounds = one.at("rounds").get<int>(),
                           .margins = rows_from(one.at("honest_margins"), margin_from)};
}

reports::Condition condition_from(const json& one) {
    return {.name = one.at("name").get<std::string>(),
            .value = one.at("value").get<double>(),
            .unit = one.at("unit").get<std::string>()};
}

void read_machine_and_build(const json& whole, TimingBaseline& out) {
    const json &machine = whole.at("machine"), &build = whole.at("build");
    out.machine_class = machine.at("class").get<std::string>();
    out.cpu_model = machine.at("cpu_model").get<std::string>();
    out.cores = machine.at("cores").get<int>();
    out.memory_bytes = machine.at("memory_bytes").get<std::int64_t>();
    out.kernel = machine.at("kernel").get<std::string>();
    out.commit = build.at("commit").get<std::string>();
    out.binary_sha256 = build.at("binary_sha256").get<std::string>();
    out.compiler = text_or_null(build.at("compiler"));
    out.flags = text_or_null(build.at("flags"));
    // The commit is given to git: what is no hash is nothing to look up.
    if (const auto why = why_no_baseline(out.commit, false); !why.empty())
        throw BaselineError("\"build\": " + why);
}

void check_arms(const TimingBaseline& out) {
    if (out.arms.empty()) throw BaselineError("\"arms\" is empty: there is nothing to check");
    for (const TimedArm& arm : out.arms)
        if (arm.timings.empty())
            throw BaselineError(
                fmt::format("arm '{}' has no timings: there is nothing to check", arm.name));
}

TimingBaseline timings_from(const json& whole) {
    const auto seen = whole.at("schema").get<std::string>();
    if (seen != schema)
        throw BaselineError(
            fmt::format("schema '{}' is not known; this version reads {}", seen, schema));
    TimingBaseline out{.scenario = whole.at("scenario").get<std::string>(),
                       .scenario_sha256 = whole.at("scenario_sha256").get<std::string>(),
                       .model_sha256 = text_or_null(whole.at("model_sha256")),
                       .backend = whole.at("backend").get<std::string>()};
    read_machine_and_build(whole, out);
    out.suite_commit = whole.at("suite_commit").get<std::string>();
    out.warm_up = whole.at("plan").at("warm_up").get<int>();
    out.reps = whole.at("plan").at("reps").get<int>();
    out.calibration = calibration_from(whole.at("calibration"));
    out.conditions = rows_from(whole.at("conditions"), condition_from);
    out.accepted = rows_from(whole.at("accepted"), acceptance_from);
    out.arms = rows_from(whole.at("arms"), arm_from);
    check_arms(out);
    return out;
}

std::string machine_text(const TimingBaseline& one) {
    return fmt::format(
        "{{\n    \"class\": {},\n    \"cpu_model\": {},\n    \"cores\": {},\n    \"memory_bytes\": "
        "{},\n    \"kernel\": {}\n  }}",
        quoted(one.machine_class), quoted(one.cpu_model), one.cores, one.memory_bytes,
        quoted(one.kernel));
}

std::string build_text(const TimingBaseline& one) {
    return fmt::format(
        "{{\n    \"commit\": {},\n    \"binary_sha256\": {},\n    \"compiler\": {},\n    "
        "\"flags\": {}\n  }}",
        quoted(one.commit), quoted(one.binary_sha256), quoted(one.compiler), quoted(one.flags));
}

}  // namespace

std::string to_text(const TimingBaseline& one) {
    return fmt::format(
        "{{\n  \"schema\": {},\n  \"scenario\": {},\n  \"scenario_sha256\": {},\n  "
        "\"model_sha256\": {},\n  \"backend\": {},\n  \"machine\": {},\n  \"build\": {},\n  "
        "\"suite_commit\": {},\n  \"plan\": {{\"warm_up\": {}, \"reps\": {}}},\n  \"calibration\": "
        "{},\n  \"conditions\": {},\n  \"accepted\": {},\n  \"arms\": {}\n}}\n",
        quoted(std::string(schema)), quoted(one.scenario), quoted(one.scenario_sha256),
        quoted(one.model_sha256), quoted(one.backend), machine_text(one), build_text(one),
        quoted(one.suite_commit), one.warm_up, one.reps, calibration_text(one.calibration),
        lines(one.conditions, "  ", condition_line), lines(one.accepted, "  ", acceptance_text),
        lines(one.arms, "  ", arm_text));
}

TimingBaseline parse_timings(std::string_view text) {
    try {
        return timings_from(json::parse(text));
    } catch (const json::exception& error) {
        throw BaselineError(error.what());
    }
}

}  // namespace baselines
