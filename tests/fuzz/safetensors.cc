// SPDX-License-Identifier: Apache-2.0
// A safetensors file of any bytes is refused in words, or its tensors lie inside it.
#include <cstdlib>
#include <stdexcept>

#include "engine/format/safetensors.h"
#include "tests/fuzz/memory_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static tests::fuzz::MemoryFile file;
    try {
        const auto opened = engine::format::Safetensors::open_file(file.holding(data, size));
        std::size_t held = 0;
        for (const auto& [name, tensor] : opened.tensors()) {
            const auto width = engine::format::bytes(tensor.dtype);
            if (tensor.bytes.size() != static_cast<std::size_t>(tensor.elements()) * width) {
                std::abort();
            }
            for (const std::byte byte : tensor.bytes) held += static_cast<std::size_t>(byte) & 1u;
        }
        if (held > size) std::abort();
    } catch (const std::runtime_error&) {
    }
    return 0;
}
