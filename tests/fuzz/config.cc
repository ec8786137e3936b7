// SPDX-License-Identifier: Apache-2.0
// A config.json of any bytes is refused in words, or gives a geometry within its promises.
#include <cstdlib>
#include <stdexcept>

#include "engine/model/geometry.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static tests::fuzz::MemoryFile file;
    try {
        const auto geometry = engine::model::read_geometry(file.holding(data, size));
        if (geometry.vocab < 1 || geometry.hidden < 1 || geometry.layers.empty()) std::abort();
        for (const auto& layer : geometry.layers) {
            if (layer.kind != engine::model::Block::moe) continue;
            if (layer.moe.top_k < 1 || layer.moe.top_k > layer.moe.experts) std::abort();
        }
    } catch (const std::runtime_error&) {
    }
    return 0;
}
