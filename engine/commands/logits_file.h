// SPDX-License-Identifier: Apache-2.0
// Writes logits to a safetensors file as they come, so that they never lie in memory whole.
#pragma once

#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "engine/model/session.h"

namespace engine::commands {

// The file appears under its name only when it is complete: rows go to FILE.tmp, which finish()
// renames and the destructor removes. Throws UsageError when the disk or the path is the problem.
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
    void write(const void* bytes, std::size_t count);
    [[noreturn]] void fail(const char* action);

    std::string file_;
    std::string temporary_;
    std::FILE* stream_ = nullptr;
    std::vector<float> row_;
};

}  // namespace engine::commands
