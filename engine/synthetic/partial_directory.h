// SPDX-License-Identifier: Apache-2.0
// A folder that appears complete or not at all.
#pragma once

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

namespace engine::synthetic {

// Written under another name, put in place by commit(), removed otherwise.
class PartialDirectory {
  public:
    // Throws std::runtime_error when `target` is a file, a folder with something in it, or has no
    // parent folder to lie in.
    explicit PartialDirectory(std::filesystem::path target);
    ~PartialDirectory();
    PartialDirectory(const PartialDirectory&) = delete;
    PartialDirectory& operator=(const PartialDirectory&) = delete;

    const std::filesystem::path& path() const { return partial_; }

    void write(const std::string& name, std::string_view text) const;
    void commit();

  private:
    std::filesystem::path target_, partial_;
};

// A file in it, on the disk when close() returns. Throws std::runtime_error with the path and the
// system's reason.
class NewFile {
  public:
    explicit NewFile(std::filesystem::path path);
    ~NewFile();
    NewFile(const NewFile&) = delete;
    NewFile& operator=(const NewFile&) = delete;

    void append(std::span<const std::byte> bytes);
    void close();

  private:
    [[noreturn]] void fail(int error) const;

    std::filesystem::path path_;
    int descriptor_ = -1;
};

}  // namespace engine::synthetic
