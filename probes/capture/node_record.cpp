// SPDX-License-Identifier: Apache-2.0
// Packs a node's numbers and texts into cells.
#include "probes/capture/node_record.h"

#include <algorithm>
#include <cstring>

#include "probes/capture/format.h"

namespace probes::capture {

std::size_t encode_node(std::byte* cells,
                        std::uint32_t id,
                        std::uint32_t parent,
                        std::string_view name,
                        std::string_view domain,
                        std::string_view category) {
    name = name.substr(0, text_limit_bytes);
    domain = domain.substr(0, text_limit_bytes);
    category = category.substr(0, text_limit_bytes);
    const std::size_t bytes = sizeof(NodeRecord) + name.size() + domain.size() + category.size();
    const std::size_t count = cells_for(bytes);
    if (cells == nullptr) {
        return count;
    }
    const NodeRecord head{
        .head = {.kind = RecordKind::node,
                 .reserved = 0,
                 .cells = static_cast<std::uint16_t>(count)},
        .id = id,
        .parent = parent,
        .name_bytes = static_cast<std::uint16_t>(name.size()),
        .domain_bytes = static_cast<std::uint16_t>(domain.size()),
        .category_bytes = static_cast<std::uint16_t>(category.size()),
        .reserved = 0,
    };
    std::memset(cells + (count - 1) * cell_bytes, 0, cell_bytes);
    std::memcpy(cells, &head, sizeof(head));
    std::byte* text = cells + sizeof(head);
    text = std::copy_n(reinterpret_cast<const std::byte*>(name.data()), name.size(), text);
    text = std::copy_n(reinterpret_cast<const std::byte*>(domain.data()), domain.size(), text);
    std::copy_n(reinterpret_cast<const std::byte*>(category.data()), category.size(), text);
    return count;
}

}  // namespace probes::capture
