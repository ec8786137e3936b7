// SPDX-License-Identifier: Apache-2.0
// The raw files that a store lists, held against those that lie in its folder.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/derived.h"
#include "reports/store/store.h"

namespace reports::store {

// A file of a run's raw folder by its name: "12.capture.zst", "12.host.77.capture".
struct RawName {
    Id trial = 0;
    std::string kind;     // "lines", "stdout", "results", "capture", "conditions", "stderr"; of
                          // another process of the trial "host.77.capture"
    bool packed = false;  // compressed
};

// nullopt: no file that anything reads.
std::optional<RawName> raw_name(const std::string& file_name);

// Hex, of the bytes as they lie there. Throws std::system_error when the file cannot be read now.
std::string raw_sha256(const std::filesystem::path& file);

// As listed at ingest; none before it, and once they were pruned.
std::vector<RawFile> raw_files_of(const Store& store, Id trial);

struct RawFileProblem {
    Id trial = 0;
    std::filesystem::path file;
    bool unreadable = false;  // cannot be read now: says nothing about the file
    std::string text;         // one sentence with what to do
};

// Which kinds of files (RawName::kind) are looked at.
using KindFilter = std::function<bool(const std::string& kind)>;

// Files that are gone, differ from what was stored (size and sha256; size alone where ingest
// recorded none), cannot be read, or lie beside the listed ones where they would be read in their
// place. Reads every byte of them. A trial without listed files has no problems.
std::vector<RawFileProblem> raw_file_problems(const Store& store);
std::vector<RawFileProblem> raw_file_problems(const Store& store,
                                              Id trial,
                                              const KindFilter& looked_at = {});

}  // namespace reports::store
