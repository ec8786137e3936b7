// SPDX-License-Identifier: Apache-2.0
// mmap with errors that name the file.
#include "engine/format/mapped_file.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

namespace engine::format {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
    const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (descriptor < 0) fail(path, fmt::format("cannot be opened: {}", std::strerror(errno)));

    struct stat status {};

    const bool known = ::fstat(descriptor, &status) == 0 && S_ISREG(status.st_mode);
    const auto size = known ? static_cast<std::size_t>(status.st_size) : 0;
    void* address =
        size == 0 ? MAP_FAILED : ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor, 0);
    const int error = errno;
    ::close(descriptor);
    if (!known) fail(path, "is not a regular file");
    if (size == 0) fail(path, "is empty");
    if (address == MAP_FAILED) {
        fail(path, fmt::format("cannot be mapped ({} bytes): {}", size, std::strerror(error)));
    }
    bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace engine::format
