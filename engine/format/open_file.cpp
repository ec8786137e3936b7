// SPDX-License-Identifier: Apache-2.0
// open and fstat, with errors that name the file.
#include "engine/format/open_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <charconv>
#include <cstring>
#include <optional>
#include <stdexcept>
#include <string_view>

namespace engine::format {

namespace {

std::string_view kind(mode_t mode) {
    if (S_ISDIR(mode)) return "a directory";
    if (S_ISFIFO(mode)) return "a pipe";
    if (S_ISSOCK(mode)) return "a socket";
    return "a device";
}

// The descriptor that a path stands for.
std::optional<int> given_open(std::string_view file) {
    if (file == "-" || file == "/dev/stdin") return STDIN_FILENO;
    for (const std::string_view folder : {"/dev/fd/", "/proc/self/fd/"}) {
        if (!file.starts_with(folder)) continue;
        int number = 0;
        const char* end = file.data() + file.size();
        const auto [stop, error] = std::from_chars(file.data() + folder.size(), end, number);
        if (error == std::errc{} && stop == end && number >= 0) return number;
    }
    return std::nullopt;
}

int open_to_read(const std::filesystem::path& file) {
    return ::open(file.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK | O_NOCTTY);
}

// Who made the descriptor may have made it one that does not wait.
bool wait_for_more(int descriptor) {
    pollfd wanted{.fd = descriptor, .events = POLLIN, .revents = 0};
    return ::poll(&wanted, 1, -1) >= 0 || errno == EINTR;
}

}  // namespace

OpenFile::OpenFile(const std::filesystem::path& file)
    : OpenFile(file.string(), open_to_read(file), Takes::regular) {}

OpenFile OpenFile::input(const std::filesystem::path& file) {
    const auto given = given_open(file.native());
    if (!given) return OpenFile(file);
    return OpenFile(*given == STDIN_FILENO ? "standard input" : file.string(),
                    ::fcntl(*given, F_DUPFD_CLOEXEC, 0), Takes::whatever_can_be_read);
}

OpenFile::OpenFile(std::string name, int descriptor, Takes takes)
    : name_(std::move(name)), descriptor_(descriptor) {
    if (descriptor_ < 0) {
        throw std::runtime_error(
            fmt::format("{}: cannot be opened: {}", name_, std::strerror(errno)));
    }

    struct stat status {};

    const bool known = ::fstat(descriptor_, &status) == 0;
    if (known && S_ISREG(status.st_mode)) {
        bytes_ = static_cast<std::uint64_t>(status.st_size);
        return;
    }
    if (known && takes == Takes::whatever_can_be_read && !S_ISDIR(status.st_mode)) return;
    ::close(descriptor_);
    throw std::runtime_error(fmt::format("{}: is {}, not a regular file; name a regular file",
                                         name_,
                                         known ? kind(status.st_mode) : "unknown to the system"));
}

OpenFile::~OpenFile() {
    ::close(descriptor_);
}

std::size_t OpenFile::read(char* to, std::size_t most) const {
    for (;;) {
        const ssize_t count = ::read(descriptor_, to, most);
        if (count >= 0) return static_cast<std::size_t>(count);
        if (errno == EINTR) continue;
        if (errno == EAGAIN && wait_for_more(descriptor_)) continue;
        throw std::runtime_error(
            fmt::format("{}: cannot be read: {}", name_, std::strerror(errno)));
    }
}

}  // namespace engine::format
