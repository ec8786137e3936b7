// SPDX-License-Identifier: Apache-2.0
// Integers and texts in block bodies: appended by the writer, taken apart by the reader.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace probes::capture {

template <typename Number>
void put(std::vector<std::byte>& out, Number value) {
    const std::size_t at = out.size();
    out.resize(at + sizeof(value));
    std::memcpy(out.data() + at, &value, sizeof(value));
}

inline void put_text(std::vector<std::byte>& out, std::string_view text) {
    put(out, static_cast<std::uint32_t>(text.size()));
    const auto* bytes = reinterpret_cast<const std::byte*>(text.data());
    out.insert(out.end(), bytes, bytes + text.size());
}

// Takes values from the front. Reading past the end gives zeros and makes ok() false.
class Decoder {
  public:
    explicit Decoder(std::span<const std::byte> bytes) : rest_(bytes) {}

    bool ok() const { return ok_; }

    std::span<const std::byte> rest() const { return rest_; }

    template <typename Number>
    Number take() {
        Number value{};
        const std::span<const std::byte> bytes = take_bytes(sizeof(Number));
        if (!bytes.empty()) {
            std::memcpy(&value, bytes.data(), sizeof(Number));
        }
        return value;
    }

    std::string take_text() {
        const std::span<const std::byte> bytes = take_bytes(take<std::uint32_t>());
        return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
    }

    std::span<const std::byte> take_bytes(std::size_t count) {
        if (count > rest_.size()) {
            ok_ = false;
            rest_ = {};
            return {};
        }
        const std::span<const std::byte> taken = rest_.first(count);
        rest_ = rest_.subspan(count);
        return taken;
    }

  private:
    std::span<const std::byte> rest_;
    bool ok_ = true;
};

}  // namespace probes::capture
