// SPDX-License-Identifier: Apache-2.0
// Raw files at rest: written plain, compressed once ingested, read back either way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace reports::ingest {

// The file is damaged; the message names it and what to do.
struct RawFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The place is at fault, not the file: no space, no permission, a broken disk. Says nothing about
// the trial, so nothing may be concluded from it.
struct RawFileUnreachable : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `plain` names the file before compression: "<trial>.lines".
std::filesystem::path compressed_name(const std::filesystem::path& plain);  // "<trial>.lines.zst"
bool raw_exists(const std::filesystem::path& plain);

// Lines and conditions, read whole; a runner stops a process that prints more than a quarter of
// this.
inline constexpr std::size_t most_text_bytes = std::size_t{256} << 20;

// Content of `plain` or of its compressed form. nullopt: neither is there. Throws RawFileError and
// RawFileUnreachable, as all of these do.
std::optional<std::string> read_raw(const std::filesystem::path& plain);

struct Compressed {
    std::int64_t stored_bytes = 0, content_bytes = 0;
    std::string sha256;  // hex, of the stored bytes
};

// Replaces `plain` by its compressed form (checksummed), or measures the one that is there.
// nullopt: neither is there. When it throws, `plain` is as it was.
std::optional<Compressed> compress_raw(const std::filesystem::path& plain);

// A plain file to read. Where there is only the compressed one it is decompressed into a file of
// its own in `folder` (default: beside the compressed one), which is removed after.
class PlainFile {
  public:
    explicit PlainFile(const std::filesystem::path& plain,
                       const std::filesystem::path& folder = {});
    ~PlainFile();
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    bool temporary_ = false;
};

}  // namespace reports::ingest
