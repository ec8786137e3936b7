// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/read_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fmt/format.h>

namespace scenarios::plan {

namespace {

const char* kind_of(mode_t mode) {
    if (S_ISDIR(mode)) return "a folder";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

// Open for as long as it lives. Non-blocking: a pipe without a writer is not waited for.
class OpenFile {
  public:
    explicit OpenFile(const std::filesystem::path& file)
        : fd_(open(file.c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC | O_NOCTTY)) {
        if (fd_ < 0) throw UnreadableFile(std::strerror(errno));
    }

    ~OpenFile() { close(fd_); }

    OpenFile(const OpenFile&) = delete;
    OpenFile& operator=(const OpenFile&) = delete;

    std::size_t regular_size() const {
        struct stat status {};

        if (fstat(fd_, &status) != 0) throw UnreadableFile(std::strerror(errno));
        if (!S_ISREG(status.st_mode))
            throw UnreadableFile(fmt::format("it is {}, not a file", kind_of(status.st_mode)));
        return static_cast<std::size_t>(status.st_size);
    }

    // Up to `most` bytes, fewer at the end of the file.
    std::string read_up_to(std::size_t most) const {
        std::string text(most, '\0');
        std::size_t size = 0;
        while (size < most) {
            const ssize_t count = read(fd_, text.data() + size, most - size);
            if (count < 0 && errno == EINTR) continue;
            if (count < 0) throw UnreadableFile(std::strerror(errno));
            if (count == 0) break;
            size += static_cast<std::size_t>(count);
        }
        text.resize(size);
        return text;
    }

  private:
    int fd_;
};

[[noreturn]] void too_large(std::size_t seen, std::size_t most) {
    throw UnreadableFile(fmt::format("it has {} bytes; at most {} are read", seen, most));
}

}  // namespace

std::string read_whole_file(const std::filesystem::path& file, std::size_t most_bytes) {
    const OpenFile open_file(file);
    const std::size_t size = open_file.regular_size();
    if (size > most_bytes) too_large(size, most_bytes);
    // One byte more: files of /proc have no size, and others grow.
    std::string text = open_file.read_up_to(std::max<std::size_t>(size, 4096) + 1);
    if (text.size() > most_bytes) too_large(text.size(), most_bytes);
    return text;
}

std::string why_unreadable(const std::filesystem::path& file) {
    try {
        OpenFile(file).regular_size();
        return "";
    } catch (const UnreadableFile& error) {
        return error.what();
    }
}

}  // namespace scenarios::plan
