// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/output_file.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "engine/format/standard_streams.h"
#include "scenarios/cli/context.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

void refuse_database(const std::string& file) {
    std::error_code error;
    if (!fs::is_regular_file(file, error)) return;
    constexpr std::string_view mark = "SQLite format 3";
    std::string start(mark.size(), ' ');
    std::ifstream(file, std::ios::binary).read(start.data(), std::ssize(start));
    if (start == mark)
        throw UsageError(fmt::format(
            "--out {}: a database is there, maybe the store itself; name another file", file));
}

OutputFile::OutputFile(const std::string& file) : shown_(file.empty() ? "stdout" : file) {
    if (file.empty()) return;
    refuse_database(file);
    std::error_code error;
    file_ = fs::weakly_canonical(fs::absolute(file), error);  // a link stays a link
    if (error) file_ = fs::absolute(file);
    if (fs::exists(file_, error) && !fs::is_regular_file(file_, error)) {
        descriptor_ = open(file_.c_str(), O_WRONLY | O_CLOEXEC);
    } else {
        open_new();
    }
    if (descriptor_ < 0) {
        throw UsageError(
            fmt::format("--out {}: cannot be written there ({}); name a file in a folder you may "
                        "write",
                        file, std::strerror(errno)));
    }
}

void OutputFile::open_new() {
    unfinished_ = fmt::format("{}.{}.tmp", file_.string(), getpid());
    named_ = false;
    descriptor_ = open(file_.parent_path().c_str(), O_WRONLY | O_TMPFILE | O_CLOEXEC, 0644);
    if (descriptor_ >= 0 || (errno != EOPNOTSUPP && errno != EISDIR)) return;
    named_ = true;
    descriptor_ = open(unfinished_.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
}

OutputFile::~OutputFile() {
    if (descriptor_ > STDERR_FILENO) close(descriptor_);
    std::error_code error;
    if (!unfinished_.empty() && named_) fs::remove(unfinished_, error);
}

void OutputFile::fail(int error) const {
    if (file_.empty()) throw engine::format::OutputLost(error);
    const std::string what = fmt::format("{}: cannot be written: {}", shown_, std::strerror(error));
    throw UsageError(fmt::format(
        "--out {}; {}", what,
        error == ENOSPC ? "free some space, or name another place" : "name another place"));
}

void OutputFile::write(std::string_view bytes) {
    while (!bytes.empty()) {
        const ssize_t count = ::write(descriptor_, bytes.data(), bytes.size());
        if (count < 0 && errno == EINTR) continue;
        if (count < 0) fail(errno);
        bytes.remove_prefix(static_cast<std::size_t>(count));
    }
}

void OutputFile::finish() {
    if (!named_) {
        unlink(unfinished_.c_str());  // of a process that was killed and had our number
        const std::string unnamed = fmt::format("/proc/self/fd/{}", descriptor_);
        if (linkat(AT_FDCWD, unnamed.c_str(), AT_FDCWD, unfinished_.c_str(), AT_SYMLINK_FOLLOW) !=
            0)
            fail(errno);
        named_ = true;
    }
    // Some file systems report a full disk only here.
    if (descriptor_ > STDERR_FILENO && close(std::exchange(descriptor_, -1)) != 0) fail(errno);
    if (unfinished_.empty()) return;
    if (std::rename(unfinished_.c_str(), file_.c_str()) != 0) fail(errno);
    unfinished_.clear();
}

}  // namespace scenarios::cli
