// SPDX-License-Identifier: Apache-2.0
// A comparison in the forms that CI systems show: JUnit XML and GitHub annotations.
#include <fmt/format.h>

#include "engine/format/printable.h"
#include "reports/render/utf8.h"
#include "reports/render/verdict.h"

namespace reports::render {
namespace {

// One thing a CI system lists as passed, failed, or not decided.
struct Case {
    std::string name;
    Verdict verdict = Verdict::same;
    std::string words;
};

std::vector<Case> cases_of(const PairVerdict& pair) {
    std::vector<Case> cases;
    for (const MetricVerdict& metric : pair.metrics)
        if (metric.verdict) cases.push_back({metric.name, *metric.verdict, metric.reason});
    if (pair.tokens.identical)
        cases.push_back({"tokens",
                         pair.tokens.a_repeats && pair.tokens.b_repeats
                             ? (*pair.tokens.identical ? Verdict::same : Verdict::regressed)
                             : Verdict::inconclusive,
                         pair.reasons.empty() ? "" : pair.reasons[0]});
    for (const CountVerdict& count : pair.counts)
        if (count.equal)
            cases.push_back(
                {"count " + count.name, *count.equal ? Verdict::same : Verdict::regressed,
                 fmt::format("{} in {}, {} in {}", *count.a, pair.a, *count.b, pair.b)});
    if (pair.verdict == Verdict::invalid)
        cases.push_back(
            {"validity", Verdict::invalid, pair.reasons.empty() ? "" : pair.reasons[0]});
    return cases;
}

// Characters XML 1.0 has no way to write are left out.
std::string xml(const std::string& text) {
    std::string out;
    for (const char c : text) {
        switch (c) {
            case '&':
                out += "&amp;";
                break;
            case '<':
                out += "&lt;";
                break;
            case '>':
                out += "&gt;";
                break;
            case '"':
                out += "&quot;";
                break;
            default:
                if (static_cast<unsigned char>(c) >= 0x20 || c == '\t' || c == '\n') out += c;
        }
    }
    return out;
}

std::string case_xml(const Case& one, const std::string& suite) {
    const std::string open =
        fmt::format("    <testcase classname=\"{}\" name=\"{}\"", xml(suite), xml(one.name));
    const auto with = [&](const char* element, const char* type) {
        return fmt::format("{}>\n      <{} type=\"{}\" message=\"{}\"/>\n    </testcase>\n", open,
                           element, type, xml(one.words));
    };
    switch (one.verdict) {
        case Verdict::improved:
        case Verdict::same:
            return open + "/>\n";
        case Verdict::regressed:
            return with("failure", "regressed");
        case Verdict::inconclusive:
            // A skip is never a pass, and no failure either.
            return fmt::format(
                "{}>\n      <skipped message=\"inconclusive: {}\"/>\n    </testcase>\n", open,
                xml(one.words));
        case Verdict::invalid:
            return with("error", "invalid");
    }
    return {};
}

int count(const std::vector<Case>& cases, Verdict verdict) {
    int n = 0;
    for (const Case& one : cases) n += one.verdict == verdict;
    return n;
}

// %, CR and LF are what workflow commands escape.
std::string annotation_text(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '%')
            out += "%25";
        else if (c == '\r')
            out += "%0D";
        else if (c == '\n')
            out += "%0A";
        else
            out += c;
    }
    return out;
}

// In a property these end it as well.
std::string annotation_property(const std::string& text) {
    std::string out;
    for (const char c : annotation_text(text))
        out += c == ':' ? std::string("%3A") : c == ',' ? std::string("%2C") : std::string(1, c);
    return out;
}

const char* level_of(Verdict verdict) {
    switch (verdict) {
        case Verdict::regressed:
        case Verdict::invalid:
            return "error";
        case Verdict::inconclusive:
            return "warning";
        default:
            return "notice";
    }
}

}  // namespace

std::string verdict_junit(const ComparisonReport& report) {
    std::string suites;
    for (const PairVerdict& pair : report.pairs) {
        const auto cases = cases_of(pair);
        const std::string suite =
            fmt::format("tare.{}.{}-{}", report.scenario.name, pair.a, pair.b);
        suites += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            xml(suite), cases.size(), count(cases, Verdict::regressed),
            count(cases, Verdict::invalid), count(cases, Verdict::inconclusive));
        for (const Case& one : cases) suites += case_xml(one, suite);
        suites += "  </testsuite>\n";
    }
    return repaired("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + suites +
                    "</testsuites>\n");
}

std::string verdict_github(const ComparisonReport& report) {
    std::string out;
    for (const PairVerdict& pair : report.pairs) {
        const std::string title = annotation_property(fmt::format(
            "{}: {} against {} {}", report.scenario.name, pair.b, pair.a, name(pair.verdict)));
        for (const std::string& reason : pair.reasons)
            out += fmt::format("::{} title={}::{}\n", level_of(pair.verdict), title,
                               annotation_text(reason));
    }
    return engine::format::printable_lines(out);
}

}  // namespace reports::render
