// SPDX-License-Identifier: Apache-2.0
// Raw files at rest: written plain, compressed once ingested, read back either way.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>

namespace reports::ingest {

// The file is damaged or cannot be read or written; the message names it and what to do.
struct RawFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// `plain` names the file before compression: "<trial>.lines".
std::filesystem::path compressed_name(const std::filesystem::path& plain);  // "<trial>.lines.zst"
bool raw_exists(const std::filesystem::path& plain);

// Content of `plain` or of its compressed form. nullopt: neither is there. Throws RawFileError.
std::optional<std::string> read_raw(const std::filesystem::path& plain);

struct Compressed {
    std::int64_t stored_bytes = 0, content_bytes = 0;
};

// Replaces `plain` by its compressed form (checksummed), or measures the one that is there.
// nullopt: neither is there. Throws RawFileError; then `plain` is as it was.
std::optional<Compressed> compress_raw(const std::filesystem::path& plain);

// A plain file to read, decompressed beside the compressed one where needed and removed after.
class PlainFile {
  public:
    explicit PlainFile(const std::filesystem::path& plain);  // throws RawFileError
    ~PlainFile();
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
    bool temporary_ = false;
};

}  // namespace reports::ingest
