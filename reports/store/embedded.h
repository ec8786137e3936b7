// SPDX-License-Identifier: Apache-2.0
// SQL, rules, style and script built into the binary (ci/cmake/Embed.cmake writes the
// definitions).
#pragma once

#include <span>
#include <string_view>

namespace reports::store {

struct EmbeddedFile {
    std::string_view name;  // path below reports/: "queries/phase.sql"
    std::string_view text;
};

std::span<const EmbeddedFile> embedded_files();

// Throws std::logic_error when no such file was built in.
std::string_view embedded(std::string_view name);

}  // namespace reports::store
