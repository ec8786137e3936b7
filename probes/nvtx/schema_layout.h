// SPDX-License-Identifier: Apache-2.0
// NVTX's description of a payload as the capture keeps it: field names, types, offsets, sizes.
#pragma once

#include <cstdint>
#include <functional>

#include "probes/nvtx/nvtx_headers.h"
#include "probes/nvtx/registry.h"

namespace probes::nvtx {

struct SchemaLayout {
    capture::PayloadSchema schema;  // without an id
    std::uint64_t static_id = 0;    // chosen by the program; 0: none
    std::size_t static_bytes = 0;   // size of a payload
};

// `find` gives the schema nested by id, or null. Offsets left out follow natural alignment.
SchemaLayout layout_of(const nvtxPayloadSchemaAttr_t& attributes,
                       const std::function<const Schema*(std::uint64_t)>& find);

// One integer field named after the enum.
capture::PayloadSchema layout_of_enum(const nvtxPayloadEnumAttr_t& attributes);

}  // namespace probes::nvtx
