// SPDX-License-Identifier: Apache-2.0
// Capture blocks to disk: one writev each, undone when it did not fit.
#include "probes/capture/writer.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <utility>

#include "probes/capture/checksum.h"
#include "probes/capture/encode.h"
#include "probes/capture/node_record.h"

namespace probes::capture {
namespace {

template <typename Struct>
std::span<const std::byte> bytes_of(const Struct& value) {
    return std::as_bytes(std::span(&value, 1));
}

// False with errno when not everything was written.
bool write_all(int descriptor, std::span<iovec> parts) {
    while (!parts.empty()) {
        const ssize_t written = ::writev(descriptor, parts.data(), static_cast<int>(parts.size()));
        if (written < 0) {
            if (errno == EINTR) {
                continue;
            }
            return false;
        }
        auto left = static_cast<std::size_t>(written);
        while (!parts.empty() && left >= parts[0].iov_len) {
            left -= parts[0].iov_len;
            parts = parts.subspan(1);
        }
        if (!parts.empty()) {
            parts[0].iov_base = static_cast<std::byte*>(parts[0].iov_base) + left;
            parts[0].iov_len -= left;
        }
    }
    return true;
}

iovec part(std::span<const std::byte> bytes) {
    return {const_cast<std::byte*>(bytes.data()), bytes.size()};
}

FileHead file_head() {
    FileHead head{};
    std::memcpy(head.magic, file_magic, sizeof(file_magic));
    head.version = format_version;
    head.checksum = crc32c(0, bytes_of(head).first(offsetof(FileHead, checksum)));
    return head;
}

std::vector<std::byte> process_body(const ProcessInfo& process) {
    std::vector<std::byte> body;
    put(body, process.pid);
    put(body, process.start_raw_ns);
    put(body, process.start_real_ns);
    put_text(body, process.host);
    put_text(body, process.fault);
    return body;
}

}  // namespace

std::optional<Writer> Writer::create(const std::string& file, const ProcessInfo& process) {
    const int descriptor =
        ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_APPEND | O_CLOEXEC, 0644);
    if (descriptor < 0) {
        return std::nullopt;
    }
    Writer writer(descriptor, file);
    const FileHead head = file_head();
    iovec parts[1] = {part(bytes_of(head))};
    if (!write_all(descriptor, parts)) {
        return std::nullopt;
    }
    writer.size_bytes_ = sizeof(head);
    if (!writer.write_block(BlockKind::process, process_body(process)) ||
        !writer.set_status(process.status, process.status_reason)) {
        errno = writer.error_;
        return std::nullopt;
    }
    return writer;
}

Writer::Writer(int descriptor, std::string file) : descriptor_(descriptor), file_(std::move(file)) {
    struct stat info {};

    if (::fstat(descriptor_, &info) == 0) {
        device_ = info.st_dev;
        inode_ = info.st_ino;
    }
}

Writer::Writer(Writer&& other) noexcept {
    *this = std::move(other);
}

Writer& Writer::operator=(Writer&& other) noexcept {
    std::swap(descriptor_, other.descriptor_);
    std::swap(file_, other.file_);
    std::swap(device_, other.device_);
    std::swap(inode_, other.inode_);
    std::swap(size_bytes_, other.size_bytes_);
    std::swap(error_, other.error_);
    std::swap(gathered_thread_, other.gathered_thread_);
    std::swap(gathered_tid_, other.gathered_tid_);
    std::swap(gathered_, other.gathered_);
    return *this;
}

Writer::~Writer() {
    if (descriptor_ >= 0) {
        flush();
        ::close(descriptor_);
    }
}

// A program that closes every descriptor it does not know closes ours too, and its next file may
// get the number. Never write into that.
bool Writer::reopen_if_closed() {
    struct stat info {};

    if (::fstat(descriptor_, &info) == 0 && info.st_dev == device_ && info.st_ino == inode_) {
        return true;
    }
    descriptor_ = ::open(file_.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
    return descriptor_ >= 0;
}

bool Writer::write_block(BlockKind kind,
                         std::span<const std::byte> first,
                         std::span<const std::byte> second,
                         std::span<const std::byte> third) {
    BlockHead head{.marker = block_marker,
                   .kind = kind,
                   .bytes = static_cast<std::uint32_t>(first.size() + second.size() + third.size()),
                   .checksum = 0};
    head.checksum = crc32c(0, bytes_of(head).first(offsetof(BlockHead, checksum)));
    head.checksum = crc32c(crc32c(crc32c(head.checksum, first), second), third);
    iovec parts[4] = {part(bytes_of(head)), part(first), part(second), part(third)};
    if (!reopen_if_closed()) {
        error_ = errno;
        return false;
    }
    if (!write_all(descriptor_, parts)) {
        error_ = errno;
        truncate(size_bytes_);
        return false;
    }
    size_bytes_ += sizeof(head) + head.bytes;
    return true;
}

bool Writer::truncate(std::uint64_t bytes) {
    if (::ftruncate(descriptor_, static_cast<off_t>(bytes)) != 0) {
        error_ = errno;
        return false;
    }
    size_bytes_ = bytes;
    return true;
}

bool Writer::add_records(std::uint32_t thread,
                         std::uint32_t tid,
                         std::span<const std::byte> first,
                         std::span<const std::byte> second) {
    const std::uint32_t owner[2] = {thread, tid};
    return write_block(BlockKind::records, bytes_of(owner), first, second);
}

bool Writer::set_status(std::string_view status, std::string_view reason) {
    std::vector<std::byte> body;
    put_text(body, status);
    put_text(body, reason);
    return write_block(BlockKind::status, body);
}

bool Writer::name_thread(std::uint32_t tid, std::string_view name) {
    std::vector<std::byte> body;
    put(body, tid);
    put_text(body, name);
    return write_block(BlockKind::thread_name, body);
}

bool Writer::end_thread(std::uint32_t thread) {
    return flush() && write_block(BlockKind::thread_end, bytes_of(thread));
}

bool Writer::write_loss(BlockKind kind, const Loss& loss) {
    const std::uint64_t body[4] = {loss.dropped, loss.open_ranges, loss.unbalanced_pops,
                                   loss.ignored_payloads};
    return flush() && write_block(kind, bytes_of(body));
}

bool Writer::set_loss(const Loss& so_far) {
    return write_loss(BlockKind::loss, so_far);
}

bool Writer::finish(const Loss& loss) {
    return write_loss(BlockKind::end, loss);
}

void Writer::add(const PayloadSchema& schema) {
    std::vector<std::byte> body;
    put(body, schema.id);
    put_text(body, schema.name);
    put(body, static_cast<std::uint32_t>(schema.fields.size()));
    for (const PayloadField& field : schema.fields) {
        put_text(body, field.name);
        put(body, static_cast<std::uint32_t>(field.type));
        put(body, field.offset);
        put(body, field.size);
    }
    flush();
    write_block(BlockKind::schema, body);
}

// Room for a record of this thread at the end of what is gathered, zeroed.
std::byte* Writer::gather(std::uint32_t thread, std::uint32_t tid, std::size_t cells) {
    const bool other_owner = thread != gathered_thread_ || tid != gathered_tid_;
    if (other_owner || gathered_.size() >= block_target_bytes) {
        flush();
        gathered_thread_ = thread;
        gathered_tid_ = tid;
    }
    const std::size_t at = gathered_.size();
    gathered_.resize(at + cells * cell_bytes);
    return gathered_.data() + at;
}

bool Writer::flush() {
    if (gathered_.empty()) {
        return true;
    }
    const bool written = add_records(gathered_thread_, gathered_tid_, gathered_);
    gathered_.clear();
    return written;
}

void Writer::add(const PathNode& node, std::uint32_t thread) {
    const std::size_t cells =
        encode_node(nullptr, node.id, node.parent, node.name, node.domain, node.category);
    std::byte* out = gather(thread, gathered_tid_, cells);
    encode_node(out, node.id, node.parent, node.name, node.domain, node.category);
}

void Writer::add(const Range& range, std::uint32_t thread) {
    const bool has_value = range.schema == 0 && !std::isnan(range.value);
    const std::span<const std::byte> payload = has_value ? bytes_of(range.value) : range.payload;
    const bool start_end = (range.flags & range_start_end) != 0;
    const std::size_t cells = cells_for(sizeof(RangeRecord) + payload.size());
    const RangeRecord record{
        .head = {.kind = RecordKind::range,
                 .reserved = 0,
                 .cells = static_cast<std::uint16_t>(cells)},
        .path = range.path,
        .start_ns = range.start_ns,
        .end_ns = range.end_ns,
        .id = range.id,
        .parent = start_end ? range.tid : range.parent,
        .root = range.root,
        .flags = range.flags | (has_value ? range_has_value : 0),
        .schema = static_cast<std::uint16_t>(range.schema),
        .payload_bytes = static_cast<std::uint16_t>(payload.size()),
    };
    std::byte* out = gather(thread, range.tid, cells);
    std::memcpy(out, &record, sizeof(record));
    std::copy(payload.begin(), payload.end(), out + sizeof(record));
}

}  // namespace probes::capture
