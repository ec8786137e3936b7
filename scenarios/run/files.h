// SPDX-License-Identifier: Apache-2.0
// Raw files of a trial on their way to the disk, and the capture on its way to its place.
#pragma once

#include <sys/types.h>

#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

namespace scenarios::run {

// The message names the file and the system's own words.
struct FileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Appends straight to the file: what was written survives the death of this process.
class RawFile {
  public:
    explicit RawFile(const std::filesystem::path& file);  // throws FileError
    ~RawFile();
    RawFile(const RawFile&) = delete;
    RawFile& operator=(const RawFile&) = delete;

    void append(std::string_view bytes);  // throws FileError

  private:
    std::filesystem::path file_;
    int fd_;
};

void make_folder(const std::filesystem::path& folder);  // throws FileError

// Writes beside the file and renames, so that nobody ever reads half of it. Throws FileError.
void write_whole(const std::filesystem::path& file, std::string_view bytes);

// Moves what the probe left in `from`: the capture of process `pid` becomes <stem>.capture, those
// of other processes keep their name behind <stem>. Removes `from`. Throws FileError.
void collect_captures(const std::filesystem::path& from,
                      pid_t pid,
                      const std::filesystem::path& stem);

}  // namespace scenarios::run
