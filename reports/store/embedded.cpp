// SPDX-License-Identifier: Apache-2.0
// Looks up a file built into the binary.
#include "reports/store/embedded.h"

#include <fmt/format.h>

#include <stdexcept>

namespace reports::store {

std::string_view embedded(std::string_view name) {
    for (const EmbeddedFile& file : embedded_files()) {
        if (file.name == name) return file.text;
    }
    throw std::logic_error(fmt::format("no file '{}' is built into this binary", name));
}

}  // namespace reports::store
