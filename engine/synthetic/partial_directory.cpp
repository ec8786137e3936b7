// SPDX-License-Identifier: Apache-2.0
// Writes beside the target and renames.
#include "engine/synthetic/partial_directory.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace engine::synthetic {

namespace {

using std::filesystem::path;

[[noreturn]] void refuse(const path& target, std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", target.string(), what));
}

// Without a trailing separator, so that it has a file name.
path plain(const path& target) {
    const path absolute = std::filesystem::absolute(target).lexically_normal();
    return absolute.has_filename() ? absolute : absolute.parent_path();
}

void require_free(const path& target) {
    if (!std::filesystem::exists(std::filesystem::symlink_status(target))) {
        if (!std::filesystem::is_directory(target.parent_path())) {
            refuse(target, "the folder it should lie in does not exist; create it");
        }
        return;
    }
    if (!std::filesystem::is_directory(std::filesystem::symlink_status(target))) {
        refuse(target, "exists and is no folder; name another one");
    }
    if (!std::filesystem::is_empty(target)) {
        refuse(target, "exists and is not empty; empty it or name another folder");
    }
}

}  // namespace

PartialDirectory::PartialDirectory(std::filesystem::path target) : target_(plain(target)) {
    require_free(target_);
    partial_ = target_.parent_path() /
               fmt::format(".{}.partial.{}", target_.filename().string(), ::getpid());
    std::error_code error;
    std::filesystem::create_directory(partial_, error);
    if (error) {
        refuse(partial_, fmt::format("cannot be created: {}", error.message()));
    }
}

PartialDirectory::~PartialDirectory() {
    std::error_code ignored;
    if (!partial_.empty()) std::filesystem::remove_all(partial_, ignored);
}

void PartialDirectory::write(const std::string& name, std::string_view text) const {
    NewFile file(partial_ / name);
    file.append(std::as_bytes(std::span(text)));
    file.close();
}

void PartialDirectory::commit() {
    // rename(2) replaces an empty folder, and nothing else, at once.
    if (::rename(partial_.c_str(), target_.c_str()) != 0) {
        refuse(target_, fmt::format("cannot be put in place: {}; nothing is left behind",
                                    std::strerror(errno)));
    }
    partial_.clear();
}

NewFile::NewFile(path file) : path_(std::move(file)) {
    descriptor_ = ::open(path_.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (descriptor_ < 0) fail(errno);
}

NewFile::~NewFile() {
    if (descriptor_ >= 0) ::close(descriptor_);
}

void NewFile::append(std::span<const std::byte> bytes) {
    while (!bytes.empty()) {
        const ::ssize_t done = ::write(descriptor_, bytes.data(), bytes.size());
        if (done < 0 && errno == EINTR) continue;
        if (done <= 0) fail(done < 0 ? errno : EIO);
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
}

void NewFile::close() {
    if (::fsync(descriptor_) != 0 && errno != EINVAL && errno != ENOTSUP) fail(errno);
    if (::close(std::exchange(descriptor_, -1)) != 0) fail(errno);
}

void NewFile::fail(int error) const {
    refuse(path_, fmt::format("cannot be written ({}); what was written is removed. Free space "
                              "there or name another folder",
                              std::strerror(error)));
}

}  // namespace engine::synthetic
