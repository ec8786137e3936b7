// SPDX-License-Identifier: Apache-2.0
#include "baselines/gate/words.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "reports/render/ci_cases.h"
#include "reports/render/text.h"

namespace baselines {
namespace {

using nlohmann::ordered_json;
using reports::Verdict;
using reports::render::Document;

// In a table; every other format has them all.
constexpr std::size_t shown_reasons = 12;

std::string subject(const GateVerdict& verdict, const Check& check) {
    const bool several = std::any_of(
        verdict.checks.begin(), verdict.checks.end(),
        [&](const Check& one) { return one.name == check.name && one.arm != check.arm; });
    const std::string name =
        check.timing ? fmt::format("{} {}", check.name, check.timing->metric) : check.name;
    return several && !check.arm.empty() ? fmt::format("{} of {}", name, check.arm) : name;
}

std::string value_text(const Timing& timing, const std::optional<double>& value) {
    if (!value) return reports::render::unknown;
    return timing.unit == "ns"
               ? reports::render::duration(value)
               : reports::render::scaled(value, timing.unit == "bytes" ? "B" : timing.unit.c_str());
}

std::string change(const std::optional<double>& ratio) {
    return ratio ? fmt::format("{:+.2f} %", 100 * (*ratio - 1)) : reports::render::unknown;
}

std::vector<std::string> timing_row(const GateVerdict& verdict, const Check& check) {
    const Timing& one = *check.timing;
    const std::string subject_text = subject(verdict, check);
    return {subject_text.substr(check.name.size() + 1),
            value_text(one, one.a),
            value_text(one, one.b),
            change(one.ratio),
            one.interval
                ? fmt::format("{} .. {}", change(one.interval->lo), change(one.interval->hi))
                : reports::render::unknown,
            fmt::format("{:g} %", 100 * one.margin),
            std::to_string(one.n),
            reports::name(one.verdict)};
}

// What the times were held against stands below once.
reports::render::Section timing_section(const GateVerdict& verdict) {
    using reports::render::Align;
    reports::render::Section out{.title = "Timings",
                                 .columns = {{"metric", Align::left, true},
                                             {"baseline"},
                                             {"now"},
                                             {"change"},
                                             {"interval", Align::right, false, 1},
                                             {"margin"},
                                             {"n", Align::right, false, 2},
                                             {"verdict", Align::left}}};
    for (const Check& check : verdict.checks) {
        if (!check.timing) continue;
        out.rows.push_back(timing_row(verdict, check));
        const std::string note = "baseline: " + check.timing->against;
        if (std::find(out.notes.begin(), out.notes.end(), note) == out.notes.end())
            out.notes.push_back(note);
    }
    return out;
}

bool is_alarm(Outcome outcome) {
    return outcome == Outcome::regressed || outcome == Outcome::invalid;
}

std::vector<std::vector<std::string>> rows_of(const GateVerdict& verdict, const Check& check) {
    std::vector<std::vector<std::string>> rows;
    // What a time was held against stands below the numbers, once for all of them.
    if (check.timing) return {{subject(verdict, check), name(check.outcome), check.reasons[0]}};
    for (std::size_t i = 0; i < std::min(check.reasons.size(), shown_reasons); ++i)
        rows.push_back({i == 0 ? subject(verdict, check) : "", i == 0 ? name(check.outcome) : "",
                        check.reasons[i]});
    if (check.reasons.size() > shown_reasons)
        rows.push_back({"", "",
                        fmt::format("and {} more; --format json has them all",
                                    check.reasons.size() - shown_reasons)});
    return rows;
}

Document document_of(const GateVerdict& verdict) {
    Document out;
    const Outcome outcome = outcome_of(verdict);
    out.title = fmt::format("gate {}: {}{}", verdict.scenario, name(outcome),
                            verdict.planted ? " (a fault was planted)" : "");
    out.alarm = is_alarm(outcome);
    if (!verdict.baseline.empty()) out.header.emplace_back("baseline", verdict.baseline);
    if (verdict.run != 0)
        out.header.emplace_back("run", fmt::format("{0} (`tare report {0}`)", verdict.run));
    reports::render::Section section;
    using reports::render::Align;
    section.columns = {{"check", Align::left}, {"outcome", Align::left}, {"why", Align::left}};
    for (const Check& check : verdict.checks)
        for (auto& row : rows_of(verdict, check)) section.rows.push_back(std::move(row));
    out.sections.push_back(std::move(section));
    if (auto timings = timing_section(verdict); !timings.rows.empty())
        out.sections.push_back(std::move(timings));
    if (outcome == Outcome::regressed && !verdict.baseline.empty())
        out.footer.push_back("If the change is meant: tare gate " + verdict.scenario +
                             " --accept --reason \"why\", and commit the file it writes.");
    return out;
}

template <class T>
ordered_json or_null(const std::optional<T>& value) {
    return value ? ordered_json(*value) : ordered_json();
}

void put_timing(const Timing& one, ordered_json& check) {
    const auto& interval = one.interval;
    check["metric"] = one.metric;
    check["unit"] = one.unit;
    check["a"] = or_null(one.a);
    check["b"] = or_null(one.b);
    check["ratio"] = or_null(one.ratio);
    check["lo"] = interval ? ordered_json(interval->lo) : ordered_json();
    check["hi"] = interval ? ordered_json(interval->hi) : ordered_json();
    check["level"] = interval ? ordered_json(interval->level) : ordered_json();
    check["margin"] = one.margin;
    check["n"] = one.n;
    check["verdict"] = reports::name(one.verdict);
    check["against"] = one.against;
    check["run"] = one.run;
}

ordered_json check_json(const Check& one) {
    ordered_json out = {{"name", one.name},
                        {"arm", one.arm},
                        {"outcome", name(one.outcome)},
                        {"reasons", one.reasons}};
    if (one.timing) put_timing(*one.timing, out);
    return out;
}

std::string json_of(const std::vector<GateVerdict>& verdicts) {
    ordered_json list = ordered_json::array();
    for (const GateVerdict& verdict : verdicts) {
        ordered_json checks = ordered_json::array();
        for (const Check& one : verdict.checks) checks.push_back(check_json(one));
        list.push_back({{"scenario", verdict.scenario},
                        {"run", verdict.run == 0 ? ordered_json() : ordered_json(verdict.run)},
                        {"baseline", verdict.baseline},
                        {"planted", verdict.planted},
                        {"verdict", name(outcome_of(verdict))},
                        {"exit_code", exit_code(verdict)},
                        {"checks", std::move(checks)}});
    }
    const ordered_json whole = {
        {"schema", "tare.gate/1"}, {"gates", std::move(list)}, {"exit_code", exit_code(verdicts)}};
    return whole.dump(2, ' ', false, ordered_json::error_handler_t::replace) + "\n";
}

// A check that was not made is shown as skipped.
Verdict verdict_of(Outcome outcome) {
    switch (outcome) {
        case Outcome::passed:
            return Verdict::same;
        case Outcome::regressed:
            return Verdict::regressed;
        case Outcome::invalid:
            return Verdict::invalid;
        default:
            return Verdict::inconclusive;
    }
}

std::string joined(const std::vector<std::string>& reasons) {
    std::string out;
    for (const std::string& one : reasons) out += (out.empty() ? "" : "; ") + one;
    return out;
}

std::string junit_of(const std::vector<GateVerdict>& verdicts) {
    std::vector<reports::render::CiSuite> suites;
    for (const GateVerdict& verdict : verdicts) {
        suites.push_back({"tare.gate." + verdict.scenario, {}});
        for (const Check& one : verdict.checks)
            suites.back().cases.push_back(
                {subject(verdict, one), verdict_of(one.outcome), joined(one.reasons)});
    }
    return reports::render::junit(suites);
}

std::string github_of(const std::vector<GateVerdict>& verdicts) {
    std::string out;
    for (const GateVerdict& verdict : verdicts)
        for (const Check& one : verdict.checks)
            for (const std::string& reason :
                 one.timing ? std::vector<std::string>{joined(one.reasons)} : one.reasons)
                out += reports::render::github_annotation(
                    verdict_of(one.outcome),
                    fmt::format("gate {}: {} {}", verdict.scenario, subject(verdict, one),
                                name(one.outcome)),
                    reason);
    return out;
}

std::string documents(const std::vector<GateVerdict>& verdicts, const TextOptions& options) {
    std::string out;
    for (const GateVerdict& verdict : verdicts) {
        const Document document = document_of(verdict);
        out += out.empty() ? "" : "\n";
        out += options.format == Format::markdown
                   ? reports::render::to_markdown(document)
                   : reports::render::to_terminal(document, options.width, options.color);
    }
    return out;
}

}  // namespace

int exit_code(const std::vector<GateVerdict>& verdicts) {
    static constexpr int worst_first[] = {4, 1, 3, 0};
    const auto any = [&](auto holds) {
        return std::any_of(verdicts.begin(), verdicts.end(), holds);
    };
    const auto exact = [](const GateVerdict& verdict) {
        return std::any_of(verdict.checks.begin(), verdict.checks.end(), [](const Check& one) {
            return one.exact() && one.outcome == Outcome::regressed;
        });
    };
    if (any(exact)) return 1;
    for (const int code : worst_first)
        if (any([&](const GateVerdict& one) { return exit_code(one) == code; })) return code;
    return 4;
}

std::string to_text(const std::vector<GateVerdict>& verdicts, const TextOptions& options) {
    switch (options.format) {
        case Format::json:
            return json_of(verdicts);
        case Format::junit:
            return junit_of(verdicts);
        case Format::github:
            return github_of(verdicts);
        default:
            return documents(verdicts, options);
    }
}

}  // namespace baselines
