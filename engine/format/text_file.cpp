// SPDX-License-Identifier: Apache-2.0
// Reads a small file whole.
#include "engine/format/text_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>

namespace engine::format {

namespace {

constexpr std::uint64_t block_bytes = 64 << 10;  // where the size is not known beforehand

[[noreturn]] void refuse(const OpenFile& file, const std::string& seen, std::uint64_t limit) {
    throw std::runtime_error(
        fmt::format("{}: {} bytes, over the limit of {} for such a file; give a shorter one",
                    file.name(), seen, limit));
}

}  // namespace

std::string read_text(const std::filesystem::path& file, std::uint64_t limit) {
    return read_text(OpenFile(file), limit);
}

std::string read_text(const OpenFile& file, std::uint64_t limit) {
    if (file.bytes() > limit) refuse(file, std::to_string(file.bytes()), limit);
    std::string text(file.bytes() > 0 ? file.bytes() + 1 : block_bytes, '\0');
    std::size_t at = 0;
    while (const std::size_t count = file.read(text.data() + at, text.size() - at)) {
        at += count;
        if (at > limit) refuse(file, fmt::format("more than {}", limit), limit);
        if (at == text.size()) text.resize(text.size() + std::max<std::size_t>(at, block_bytes));
    }
    text.resize(at);
    return text;
}

}  // namespace engine::format
