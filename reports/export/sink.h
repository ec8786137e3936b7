// SPDX-License-Identifier: Apache-2.0
// Where an export goes, piece by piece. A sink that cannot take a piece throws.
#pragma once

#include <functional>
#include <string_view>

namespace reports::exports {

using Sink = std::function<void(std::string_view)>;

// Pieces are handed over once they are this large: few system calls, little memory.
inline constexpr std::size_t piece_bytes = 256u << 10;

}  // namespace reports::exports
