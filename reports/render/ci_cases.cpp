// SPDX-License-Identifier: Apache-2.0
#include "reports/render/ci_cases.h"

#include <fmt/format.h>

#include "engine/format/printable.h"
#include "reports/render/utf8.h"

namespace reports::render {
namespace {

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

std::string case_xml(const CiCase& one, const std::string& suite) {
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

int count(const std::vector<CiCase>& cases, Verdict verdict) {
    int n = 0;
    for (const CiCase& one : cases) n += one.verdict == verdict;
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

std::string junit(const std::vector<CiSuite>& suites) {
    std::string text;
    for (const CiSuite& suite : suites) {
        const auto& cases = suite.cases;
        text += fmt::format(
            "  <testsuite name=\"{}\" tests=\"{}\" failures=\"{}\" errors=\"{}\" skipped=\"{}\">\n",
            xml(suite.name), cases.size(), count(cases, Verdict::regressed),
            count(cases, Verdict::invalid), count(cases, Verdict::inconclusive));
        for (const CiCase& one : cases) text += case_xml(one, suite.name);
        text += "  </testsuite>\n";
    }
    return repaired("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n" + text +
                    "</testsuites>\n");
}

std::string github_annotation(Verdict verdict, const std::string& title, const std::string& text) {
    return engine::format::printable_lines(fmt::format("::{} title={}::{}\n", level_of(verdict),
                                                       annotation_property(title),
                                                       annotation_text(text)));
}

}  // namespace reports::render
