// SPDX-License-Identifier: Apache-2.0
// Opens a file for reading without ever waiting, and says what else a path is when it is none.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>

namespace engine::format {

// An open descriptor, closed with the object.
class OpenFile {
  public:
    // A regular file. Never waits, not even for the writer of a pipe. Throws std::runtime_error
    // naming the file, what it is, and what to do.
    explicit OpenFile(const std::filesystem::path& file);

    // The same, and what this process was given open, pipes and terminals included: `-` or
    // /dev/stdin, /dev/fd/N, /proc/self/fd/N.
    static OpenFile input(const std::filesystem::path& file);

    ~OpenFile();
    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    int descriptor() const { return descriptor_; }

    const std::string& name() const { return name_; }

    std::uint64_t bytes() const { return bytes_; }  // of a regular file; 0: not known beforehand

    // At least one byte, 0 at the end. Throws std::runtime_error naming the file.
    std::size_t read(char* to, std::size_t most) const;

  private:
    enum class Takes : std::uint8_t { regular, whatever_can_be_read };

    OpenFile(std::string name, int descriptor, Takes takes);

    std::string name_;
    int descriptor_;
    std::uint64_t bytes_ = 0;
};

}  // namespace engine::format
