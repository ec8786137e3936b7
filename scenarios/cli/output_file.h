// SPDX-License-Identifier: Apache-2.0
// Where a result goes: stdout, or a file that is there whole or not at all.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>

namespace scenarios::cli {

// Throws UsageError when `file` is a database: a report in its place would cost a store.
void refuse_database(const std::string& file);

class OutputFile {
  public:
    // "" is stdout. A regular file gets its name when it is whole: whoever is killed before leaves
    // nothing. Anything else that is there (a device, a pipe) is written to directly and never
    // replaced. Throws UsageError when it cannot be opened.
    explicit OutputFile(const std::string& file);
    ~OutputFile();  // without finish(): as if nothing had been written
    OutputFile(const OutputFile&) = delete;
    OutputFile& operator=(const OutputFile&) = delete;

    // Throw UsageError for a place the person named, engine::format::OutputLost for stdout.
    void write(std::string_view bytes);
    void finish();

  private:
    void open_new();
    [[noreturn]] void fail(int error) const;

    std::string shown_;           // for messages
    std::filesystem::path file_;  // where links lead to
    // Where it is until it is whole; empty: written directly. A file system that has files without
    // a name keeps it out of every folder until then.
    std::filesystem::path unfinished_;
    bool named_ = true;
    int descriptor_ = 1;
};

}  // namespace scenarios::cli
