// SPDX-License-Identifier: Apache-2.0
#include "reports/render/verdict.h"

#include <fmt/format.h>

namespace reports::render {

std::string verdict(const ComparisonReport& report, const VerdictOptions& options) {
    switch (options.format) {
        case VerdictFormat::table:
            return to_terminal(verdict_document(report, options.top), options.width, options.color);
        case VerdictFormat::markdown:
            return to_markdown(verdict_document(report, options.top));
        case VerdictFormat::json:
            return verdict_json(report);
        case VerdictFormat::junit:
            return verdict_junit(report);
        case VerdictFormat::github:
            return verdict_github(report);
    }
    return {};
}

}  // namespace reports::render
