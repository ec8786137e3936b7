// SPDX-License-Identifier: Apache-2.0
// Chooses the renderer.
#include "reports/render/render.h"

#include "reports/render/comparison.h"
#include "reports/render/comparison_document.h"
#include "reports/render/csv.h"
#include "reports/render/json.h"
#include "reports/render/report_document.h"

namespace reports::render {

std::string report(const Report& report, const Options& options) {
    switch (options.format) {
        case Format::table:
            return to_terminal(report_document(report, options), options.width, options.color);
        case Format::markdown:
            return to_markdown(report_document(report, options));
        case Format::csv:
            return report_csv(report);
        case Format::json:
            return report_json(report);
    }
    return {};
}

std::string compare(const Report& a, const Report& b, const Options& options) {
    const Comparison comparison = compare_reports(a, b);
    switch (options.format) {
        case Format::table:
            return to_terminal(comparison_document(comparison, options), options.width,
                               options.color);
        case Format::markdown:
            return to_markdown(comparison_document(comparison, options));
        case Format::csv:
            return comparison_csv(comparison);
        case Format::json:
            return comparison_json(comparison);
    }
    return {};
}

}  // namespace reports::render
