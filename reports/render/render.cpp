// SPDX-License-Identifier: Apache-2.0
// Chooses the renderer.
#include "reports/render/render.h"

#include <stdexcept>

#include "reports/render/comparison.h"
#include "reports/render/comparison_document.h"
#include "reports/render/csv.h"
#include "reports/render/html.h"
#include "reports/render/json.h"
#include "reports/render/report_document.h"

namespace reports::render {

namespace {

std::string joined(const std::vector<Document>& documents, const Options& options) {
    std::string text;
    for (const Document& document : documents) {
        text += text.empty() ? "" : "\n";
        text += options.format == Format::markdown
                    ? to_markdown(document)
                    : to_terminal(document, options.width, options.color);
    }
    return text;
}

}  // namespace

std::string report(const Report& report, const Options& options) {
    switch (options.format) {
        case Format::table:
        case Format::markdown:
            return joined(report_documents(report, options), options);
        case Format::csv:
            return report_csv(report);
        case Format::json:
            return report_json(report);
        case Format::html:
            return report_html(report);
    }
    return {};
}

std::string compare(const Report& a, const Report& b, const Options& options) {
    if (options.format == Format::html) {
        throw std::invalid_argument("a comparison has no HTML form");
    }
    const std::vector<Comparison> comparisons = compare_by_arm(a, b);
    if (options.format == Format::csv) return comparison_csv(comparisons);
    if (options.format == Format::json) return comparison_json(comparisons);
    std::vector<Document> documents;
    for (const Comparison& comparison : comparisons) {
        documents.push_back(comparison_document(comparison, options));
    }
    return joined(documents, options);
}

}  // namespace reports::render
