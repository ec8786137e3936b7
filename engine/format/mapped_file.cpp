// SPDX-License-Identifier: Apache-2.0
// mmap with errors that name the file.
#include "engine/format/mapped_file.h"

#include <fmt/format.h>
#include <sys/mman.h>

#include <cerrno>
#include <cstring>
#include <stdexcept>
#include <utility>

#include "engine/format/open_file.h"

namespace engine::format {

namespace {

[[noreturn]] void fail(const std::filesystem::path& path, std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", path.string(), what));
}

}  // namespace

MappedFile::MappedFile(const std::filesystem::path& path) : path_(path) {
    const OpenFile file(path);
    const auto size = static_cast<std::size_t>(file.bytes());
    if (size == 0) fail(path, "is empty");
    void* address = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.descriptor(), 0);
    if (address == MAP_FAILED) {
        fail(path,
             fmt::format("cannot be mapped ({} bytes): {}{}", size, std::strerror(errno),
                         errno == ENOMEM ? "; raise the limit of address space (ulimit -v)" : ""));
    }
    bytes_ = {static_cast<const std::byte*>(address), size};
}

MappedFile::~MappedFile() {
    if (!bytes_.empty()) ::munmap(const_cast<std::byte*>(bytes_.data()), bytes_.size());
}

MappedFile::MappedFile(MappedFile&& other) noexcept
    : path_(std::move(other.path_)), bytes_(std::exchange(other.bytes_, {})) {}

}  // namespace engine::format
