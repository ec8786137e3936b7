// SPDX-License-Identifier: Apache-2.0
// A node of a path table as one record: the writer's and the probe's way to put it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace probes::capture {

// Encodes a node as one record of whole cells; the return value is their number. With a null
// destination it only counts.
std::size_t encode_node(std::byte* cells,
                        std::uint32_t id,
                        std::uint32_t parent,
                        std::string_view name,
                        std::string_view domain,
                        std::string_view category);

}  // namespace probes::capture
