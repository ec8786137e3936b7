// SPDX-License-Identifier: Apache-2.0
// A safetensors file of one tensor, written row by row.
#include "engine/commands/logits_file.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>

#include "engine/commands/usage_error.h"

namespace engine::commands {

LogitsFile::LogitsFile(std::string file, std::int64_t rows, std::int64_t vocab)
    : file_(std::move(file)), temporary_(file_ + ".tmp"), row_(static_cast<std::size_t>(vocab)) {
    stream_ = std::fopen(temporary_.c_str(), "wb");
    if (stream_ == nullptr) {
        fail("cannot be opened for writing");
    }
    auto header =
        fmt::format(R"({{"logits":{{"dtype":"F32","shape":[{},{}],"data_offsets":[0,{}]}}}})", rows,
                    vocab, rows * vocab * 4);
    header.resize((header.size() + 7) / 8 * 8, ' ');  // the data start aligned
    const auto header_bytes = std::uint64_t{header.size()};
    write(&header_bytes, sizeof header_bytes);
    write(header.data(), header.size());
}

LogitsFile::~LogitsFile() {
    if (stream_ != nullptr) {
        std::fclose(stream_);
        std::remove(temporary_.c_str());
    }
}

void LogitsFile::append(const model::LogitsBlock& block) {
    const auto count = static_cast<std::size_t>(block.rows * block.vocab);
    if (block.f32 != nullptr) {
        write(block.f32, count * sizeof(float));
        return;
    }
    for (std::size_t begin = 0; begin < count; begin += row_.size()) {
        for (std::size_t i = 0; i < row_.size(); ++i) {
            row_[i] = static_cast<float>(block.f64[begin + i]);
        }
        write(row_.data(), row_.size() * sizeof(float));
    }
}

void LogitsFile::finish() {
    const auto flushed = std::fflush(stream_) == 0;
    const auto renamed = flushed && std::rename(temporary_.c_str(), file_.c_str()) == 0;
    if (!renamed) {
        fail(flushed ? "cannot be put in place" : "cannot be written");
    }
    std::fclose(stream_);
    stream_ = nullptr;
}

void LogitsFile::write(const void* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, stream_) != count) {
        fail("cannot be written");
    }
}

void LogitsFile::fail(const char* action) {
    const auto reason = std::strerror(errno);
    if (stream_ != nullptr) {
        std::fclose(stream_);
        std::remove(temporary_.c_str());
        stream_ = nullptr;
    }
    throw UsageError(
        fmt::format("--logits-out {}: {} {} ({}); nothing is left behind. Free space there or name "
                    "another file",
                    file_, temporary_, action, reason));
}

}  // namespace engine::commands
