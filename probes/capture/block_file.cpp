// SPDX-License-Identifier: Apache-2.0
// Reads and verifies capture blocks.
#include "probes/capture/block_file.h"

#include <fmt/format.h>
#include <sys/stat.h>

#include <cerrno>
#include <cstring>

#include "probes/capture/checksum.h"
#include "probes/capture/reader.h"

namespace probes::capture {
namespace {

constexpr std::size_t checksum_offset = offsetof(BlockHead, checksum);
static_assert(offsetof(FileHead, checksum) == checksum_offset);

template <typename Head>
std::span<const std::byte> checked_bytes(const Head& head) {
    return std::as_bytes(std::span(&head, 1)).first(checksum_offset);
}

std::string hex(std::span<const char> bytes) {
    std::string text;
    for (const char byte : bytes) {
        text += fmt::format("{:02x}", static_cast<unsigned char>(byte));
    }
    return text;
}

}  // namespace

void BlockFile::fail_by_system() const {
    throw CaptureUnreadable(errno, std::generic_category(), path_.string());
}

BlockFile::BlockFile(const std::filesystem::path& file)
    : path_(file), file_(std::fopen(file.c_str(), "rbe")) {
    struct stat info {};

    if (!file_ || ::fstat(::fileno(file_.get()), &info) != 0) fail_by_system();
    if (!S_ISREG(info.st_mode)) {
        throw CaptureError(fmt::format("{}: not a capture: not a regular file", file.string()));
    }
    size_bytes_ = static_cast<std::uint64_t>(info.st_size);
    check_head(file);
}

void BlockFile::check_head(const std::filesystem::path& file) {
    FileHead head{};
    const std::size_t got = std::fread(&head, 1, sizeof(head), file_.get());
    if (std::ferror(file_.get()) != 0) fail_by_system();
    const std::size_t comparable = std::min(got, sizeof(file_magic));
    if (std::memcmp(head.magic, file_magic, comparable) != 0) {
        throw CaptureError(fmt::format(
            "{}: offset 0: not a capture: starts with bytes {}, expected {} (\"TARECAP\"). "
            "Was it written by libtare-probe.so?",
            file.string(), hex({head.magic, comparable}), hex(file_magic)));
    }
    if (got < sizeof(head) || crc32c(0, checked_bytes(head)) != head.checksum) {
        return;
    }
    if (head.version > format_version || head.version == 0) {
        throw CaptureError(fmt::format(
            "{}: offset {}: capture format version {}, this build reads versions 1 to {}. "
            "Use the tare that came with the probe that wrote it.",
            file.string(), offsetof(FileHead, version), head.version, format_version));
    }
    version_ = head.version;
    offset_bytes_ = sizeof(head);
}

bool BlockFile::read(std::span<std::byte> into) {
    const std::size_t got = std::fread(into.data(), 1, into.size(), file_.get());
    if (std::ferror(file_.get()) != 0) fail_by_system();
    return got == into.size();
}

std::optional<Block> BlockFile::next() {
    BlockHead head{};
    if (version_ == 0 || bytes_left() < sizeof(head) ||
        !read(std::as_writable_bytes(std::span(&head, 1)))) {
        return std::nullopt;
    }
    if (head.marker != block_marker || head.bytes > block_limit_bytes ||
        head.bytes > bytes_left() - sizeof(head)) {
        return std::nullopt;
    }
    body_.resize(head.bytes);
    if (!read(body_) || crc32c(crc32c(0, checked_bytes(head)), body_) != head.checksum) {
        return std::nullopt;
    }
    offset_bytes_ += sizeof(head) + head.bytes;
    return Block{.kind = head.kind, .body = body_};
}

}  // namespace probes::capture
