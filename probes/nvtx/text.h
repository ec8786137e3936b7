// SPDX-License-Identifier: Apache-2.0
// Interned texts: one object per text, so that equal names are equal pointers.
#pragma once

#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace probes::nvtx {

struct Text {
    std::uint64_t hash;
    std::string text;
};

// Spreads all bits of `value` over all bits of the result.
inline std::uint64_t mix(std::uint64_t value) {
    value *= 0x9e3779b97f4a7c15;
    return value ^ (value >> 32);
}

inline std::uint64_t hash_of(std::string_view text) {
    std::uint64_t hash = text.size();
    while (text.size() >= 8) {
        std::uint64_t word = 0;
        std::memcpy(&word, text.data(), 8);
        hash = mix(hash ^ word);
        text.remove_prefix(8);
    }
    std::uint64_t word = 0;
    if (!text.empty()) {
        std::memcpy(&word, text.data(), text.size());
    }
    return mix(hash ^ word ^ (std::uint64_t{0x80} << (8 * text.size())));
}

// Not shared between threads, and never forgets: ranges still open may point at its texts.
class TextTable {
  public:
    // May throw std::bad_alloc for a new text. The text is cut at capture::text_limit_bytes.
    const Text* intern(std::string_view text);

  private:
    void grow();
    std::vector<const Text*> slots_;
    std::vector<std::unique_ptr<Text>> texts_;
};

}  // namespace probes::nvtx
