// SPDX-License-Identifier: Apache-2.0
// A capture of any bytes is refused, or read to its end with what is lost counted; then summed up.
#include <cstring>
#include <vector>

#include "probes/capture/checksum.h"
#include "probes/capture/format.h"
#include "probes/capture/reader.h"
#include "reports/ingest/profile.h"
#include "tests/fuzz/memory_file.h"

namespace {

namespace capture = probes::capture;

template <class Head>
std::uint32_t head_checksum(const std::uint8_t* head) {
    return capture::crc32c(0, std::as_bytes(std::span(head, offsetof(Head, checksum))));
}

template <class Head>
void set_checksum(std::uint8_t* head, std::uint32_t checksum) {
    std::memcpy(head + offsetof(Head, checksum), &checksum, sizeof checksum);
}

// Makes every checksum right, so that what a checksum would hide is read too: a mistaken writer.
std::vector<std::uint8_t> repaired(const std::uint8_t* data, std::size_t size) {
    std::vector<std::uint8_t> bytes(data, data + size);
    if (size < sizeof(capture::FileHead)) return bytes;
    set_checksum<capture::FileHead>(bytes.data(), head_checksum<capture::FileHead>(bytes.data()));
    for (std::size_t at = sizeof(capture::FileHead); at + sizeof(capture::BlockHead) <= size;) {
        std::uint32_t body = 0;
        std::memcpy(&body, &bytes[at + offsetof(capture::BlockHead, bytes)], sizeof body);
        const std::size_t room = size - at - sizeof(capture::BlockHead);
        if (body > room) break;
        const auto* start = &bytes[at] + sizeof(capture::BlockHead);
        const std::uint32_t head = head_checksum<capture::BlockHead>(&bytes[at]);
        set_checksum<capture::BlockHead>(
            &bytes[at], capture::crc32c(head, std::as_bytes(std::span(start, body))));
        at += sizeof(capture::BlockHead) + body;
    }
    return bytes;
}

void read_whole(const std::filesystem::path& path) {
    try {
        capture::Reader reader(path);
        while (reader.next()) {
        }
        reports::ingest::read_profile(path, {});
    } catch (const capture::CaptureError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static tests::fuzz::MemoryFile file;
    read_whole(file.holding(data, size));
    const auto whole = repaired(data, size);
    read_whole(file.holding(whole.data(), whole.size()));
    return 0;
}
