// SPDX-License-Identifier: Apache-2.0
// A safetensors file of one tensor, written row by row.
#include "engine/commands/logits_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

namespace fs = std::filesystem;

constexpr int most_links = 40;   // as the system follows
constexpr int most_names = 100;  // of partial files that ended processes left
constexpr auto free_space = "free space there or name another file";
constexpr auto other_name = "name another file";

// What a link leads to, also where that is not there yet, so that the link stays one.
std::string followed(const std::string& file) {
    fs::path path = file;
    std::error_code error;
    for (int i = 0; i < most_links && fs::is_symlink(fs::symlink_status(path, error)); ++i) {
        const auto target = fs::read_symlink(path, error);
        if (error) break;
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path.string();
}

// A device takes what it is given; a pipe only when somebody reads it, which is not waited for.
std::FILE* open_as_it_stands(const std::string& file) {
    const int descriptor = ::open(file.c_str(), O_WRONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
    if (descriptor < 0) return nullptr;
    ::fcntl(descriptor, F_SETFL, O_WRONLY);  // the writes may wait
    return ::fdopen(descriptor, "wb");
}

}  // namespace

LogitsFile::LogitsFile(std::string file, std::int64_t rows, std::int64_t vocab)
    : file_(std::move(file)), target_(followed(file_)), row_(static_cast<std::size_t>(vocab)) {
    open();
    auto header =
        fmt::format(R"({{"logits":{{"dtype":"F32","shape":[{},{}],"data_offsets":[0,{}]}}}})", rows,
                    vocab, rows * vocab * 4);
    header.resize((header.size() + 7) / 8 * 8, ' ');  // the data start aligned
    const auto header_bytes = std::uint64_t{header.size()};
    write(&header_bytes, sizeof header_bytes);
    write(header.data(), header.size());
}

void LogitsFile::open() {
    std::error_code error;
    const auto status = fs::status(target_, error);
    if (fs::is_directory(status)) fail("is a directory", other_name);
    if (fs::exists(status) && !fs::is_regular_file(status)) {
        temporary_ = target_;
        stream_ = open_as_it_stands(target_);
        if (stream_ == nullptr && errno == ENXIO) {
            fail("is a pipe that nobody reads", "start its reader first, or name a file");
        }
    }
    // Of files, none that was there before is ever opened.
    for (int i = 1; temporary_ != target_ && stream_ == nullptr && i <= most_names; ++i) {
        temporary_ = fmt::format("{}.partial.{}{}", target_, ::getpid(),
                                 i == 1 ? "" : fmt::format(".{}", i));
        stream_ = std::fopen(temporary_.c_str(), "wbx");
        if (stream_ == nullptr && errno != EEXIST) break;
    }
    if (stream_ == nullptr) {
        const std::string reason = std::strerror(errno);
        fail(fmt::format("{} cannot be opened for writing ({})", temporary_, reason), other_name);
    }
}

LogitsFile::~LogitsFile() {
    if (stream_ != nullptr) {
        abandon();
    }
}

void LogitsFile::abandon() {
    std::fclose(stream_);
    stream_ = nullptr;
    if (temporary_ != target_) {
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
    if (std::fflush(stream_) != 0) fail_to_write();
    if (temporary_ != target_ && std::rename(temporary_.c_str(), target_.c_str()) != 0) {
        const std::string reason = std::strerror(errno);
        fail(fmt::format("{} cannot be put in place ({})", temporary_, reason), other_name);
    }
    std::fclose(stream_);
    stream_ = nullptr;
}

void LogitsFile::write(const void* bytes, std::size_t count) {
    if (std::fwrite(bytes, 1, count, stream_) != count) fail_to_write();
}

void LogitsFile::fail_to_write() {
    const std::string reason = std::strerror(errno);
    fail(fmt::format("{} cannot be written ({})", temporary_, reason), free_space);
}

void LogitsFile::fail(const std::string& action, const char* advice) {
    if (stream_ != nullptr) abandon();
    throw UsageError(
        fmt::format("--logits-out {}: {}; nothing is left behind; {}", file_, action, advice));
}

}  // namespace engine::commands
