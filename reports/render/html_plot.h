// SPDX-License-Identifier: Apache-2.0
// Pieces of plots as inline SVG. Horizontal places are per cent of the plot's width, so that text
// and lines keep their size however wide the page is.
#pragma once

#include <optional>
#include <string>

#include "reports/records/verdict.h"
#include "reports/render/plot_axis.h"

namespace reports::render {

// What a plot's mark looks like and says: classes of the style sheet.
std::string mark_class(const std::optional<Verdict>& verdict);

// <svg role="img">, with its text for those who do not see it. `height` in pixels; 0: that of its
// row. `content` is HTML.
std::string svg(const std::string& label, int height, const std::string& content);
std::string svg_without_words(int height, const std::string& content);  // what is said elsewhere

// Horizontal places as shares of the width; y is "50%" or pixels.
std::string svg_rect(const std::string& kind, double x, double width, const char* y, const char* h);
std::string svg_upright(const std::string& kind, double x, const char* y1, const char* y2);
std::string svg_level(const std::string& kind, double x1, double x2, const char* y);
std::string svg_dot(const std::string& kind, double x, const char* y, double radius);
// Text stays inside the plot: at its ends it grows inwards.
std::string svg_text(const std::string& kind, double x, const char* y, const std::string& text);

// A row: name and value are HTML.
std::string plot_row(const std::string& name, const std::string& plot, const std::string& value);

}  // namespace reports::render
