// SPDX-License-Identifier: Apache-2.0
// Writes logits to a safetensors file as they come, so that they never lie in memory whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/model/session.h"

namespace engine::commands {

// The file appears under its name only when it is complete: rows go to FILE.partial.PID (.2, .3 …
// where that name is taken), which finish() renames and the destructor removes. A pipe or device is
// written as it stands. Throws UsageError when the disk or the path is the problem, as early as it
// can be known.
class LogitsFile {
  public:
    // Tensor `logits`, [rows, vocab], F32.
    LogitsFile(std::string file, std::int64_t rows, std::int64_t vocab);
    ~LogitsFile();
    LogitsFile(const LogitsFile&) = delete;
    LogitsFile& operator=(const LogitsFile&) = delete;

    void append(const model::LogitsBlock& block);  // the rows that follow those so far
    void finish();

  private:
    void open();
    void abandon();  // closes; what was written so far goes
    void write(const void* bytes, std::size_t count);
    [[noreturn]] void fail_to_write();
    [[noreturn]] void fail(const std::string& action, const char* advice);

    std::string file_;       // as given
    std::string target_;     // what it leads to
    std::string temporary_;  // the target itself where that is a device
    std::FILE* stream_ = nullptr;
    std::vector<float> row_;
};

}  // namespace engine::commands
