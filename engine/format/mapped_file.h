// SPDX-License-Identifier: Apache-2.0
// A file mapped read-only: weights are used where they lie.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>

namespace engine::format {

class MappedFile {
  public:
    // Throws std::runtime_error naming the file when it cannot be opened, mapped, or is empty.
    explicit MappedFile(const std::filesystem::path& path);
    ~MappedFile();
    MappedFile(MappedFile&& other) noexcept;
    MappedFile& operator=(MappedFile&&) = delete;
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

    std::span<const std::byte> bytes() const { return bytes_; }

  private:
    std::filesystem::path path_;
    std::span<const std::byte> bytes_;
};

}  // namespace engine::format
