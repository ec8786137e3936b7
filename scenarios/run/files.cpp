// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>
#include <vector>

#include <fmt/format.h>

#include "engine/format/system_words.h"

namespace scenarios::run {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const fs::path& file, const char* doing) {
    throw FileError(fmt::format("{}: cannot be {}: {}", file.string(), doing,
                                engine::format::system_words(errno)));
}

bool ends_with(const std::string& text, const std::string& end) {
    return text.size() >= end.size() &&
           text.compare(text.size() - end.size(), end.size(), end) == 0;
}

}  // namespace

RawFile::RawFile(const fs::path& file)
    : file_(file), fd_(open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644)) {
    if (fd_ < 0) fail(file_, "created");
}

RawFile::~RawFile() {
    close(fd_);
}

void RawFile::append(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = write(fd_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(file_, "written");
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void make_folder(const fs::path& folder) {
    std::error_code error;
    fs::create_directories(folder, error);
    if (!error) return;
    errno = error.value();
    fail(folder, "created");
}

void write_whole(const fs::path& file, std::string_view bytes) {
    const fs::path unfinished = file.string() + ".tmp";
    try {
        RawFile(unfinished).append(bytes);
        if (std::rename(unfinished.c_str(), file.c_str()) != 0) fail(file, "put in its place");
    } catch (const FileError&) {
        std::error_code ignored;
        fs::remove(unfinished, ignored);
        throw;
    }
}

void collect_captures(const fs::path& from, pid_t pid, const fs::path& stem) {
    try {
        std::vector<fs::path> captures;
        // A process under test may leave anything there; a pipe would be waited for later.
        for (const auto& entry : fs::directory_iterator(from))
            if (fs::is_regular_file(entry.symlink_status())) captures.push_back(entry.path());
        // The probe names a capture <host>.<pid>.capture.
        const std::string own_name = fmt::format(".{}.capture", pid);
        for (const fs::path& capture : captures) {
            const std::string name = capture.filename().string();
            const std::string target = ends_with(name, own_name) ? "capture" : name;
            fs::rename(capture, stem.string() + "." + target);
        }
        fs::remove_all(from);
    } catch (const fs::filesystem_error& error) {
        throw FileError(error.what());
    }
}

}  // namespace scenarios::run
