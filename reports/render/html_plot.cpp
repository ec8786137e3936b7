// SPDX-License-Identifier: Apache-2.0
#include "reports/render/html_plot.h"

#include <fmt/format.h>

#include "reports/render/html_text.h"

namespace reports::render {
namespace {

std::string svg_of(const std::string& attributes, int height, const std::string& content) {
    return element("svg",
                   attributes + (height > 0 ? fmt::format(R"( style="height:{}px")", height) : ""),
                   content);
}

}  // namespace

std::string mark_class(const std::optional<Verdict>& verdict) {
    return verdict ? std::string("v-") + name(*verdict) : "v-none";
}

std::string svg(const std::string& label, int height, const std::string& content) {
    return svg_of(fmt::format(R"(role="img" aria-label="{}")", escaped_html(label)), height,
                  content);
}

std::string svg_without_words(int height, const std::string& content) {
    return svg_of(R"(aria-hidden="true")", height, content);
}

std::string svg_rect(
    const std::string& kind, double x, double width, const char* y, const char* h) {
    return fmt::format(R"(<rect class="{}" x="{:.3f}%" width="{:.3f}%" y="{}" height="{}"/>)", kind,
                       100 * x, 100 * width, y, h);
}

std::string svg_upright(const std::string& kind, double x, const char* y1, const char* y2) {
    return fmt::format(R"(<line class="{0}" x1="{1:.3f}%" x2="{1:.3f}%" y1="{2}" y2="{3}"/>)", kind,
                       100 * x, y1, y2);
}

std::string svg_level(const std::string& kind, double x1, double x2, const char* y) {
    return fmt::format(R"(<line class="{0}" x1="{1:.3f}%" x2="{2:.3f}%" y1="{3}" y2="{3}"/>)", kind,
                       100 * x1, 100 * x2, y);
}

std::string svg_dot(const std::string& kind, double x, const char* y, double radius) {
    return fmt::format(R"(<circle class="{}" cx="{:.3f}%" cy="{}" r="{}"/>)", kind, 100 * x, y,
                       radius);
}

std::string svg_text(const std::string& kind, double x, const char* y, const std::string& text) {
    // Half a text's share of a plot of 300 pixels, the narrowest there is.
    const double edge = 0.0105 * static_cast<double>(text.size());
    const char* anchor = x < edge ? "start" : x > 1 - edge ? "end" : "middle";
    return fmt::format(R"(<text class="{}" x="{:.3f}%" y="{}" text-anchor="{}">{}</text>)", kind,
                       100 * x, y, anchor, escaped_html(text));
}

std::string plot_row(const std::string& name, const std::string& plot, const std::string& value) {
    return element("div", R"(class="plot-row")",
                   element("div", R"(class="plot-name")", name) +
                       element("div", R"(class="plot-area")", plot) +
                       element("div", R"(class="plot-value")", value)) +
           '\n';
}

}  // namespace reports::render
