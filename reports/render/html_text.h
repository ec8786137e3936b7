// SPDX-License-Identifier: Apache-2.0
// Text and elements of HTML. Everything that comes from outside passes escaped_html().
#pragma once

#include <string>
#include <string_view>

namespace reports::render {

// For text and for attributes in double quotes. What is no UTF-8, and control characters a parser
// would drop or change, become visible signs.
std::string escaped_html(std::string_view text);

// <name attributes>content</name>; `attributes` and `content` are HTML already.
std::string element(std::string_view name, std::string_view attributes, std::string_view content);
std::string element(std::string_view name, std::string_view content);

// A foreign name for an id or a link: letters, digits and '-'.
std::string html_id(std::string_view text);

}  // namespace reports::render
