// SPDX-License-Identifier: Apache-2.0
// What is written to a capture is read back, and damage is counted, never thrown.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <fstream>

#include "probes/capture/checksum.h"
#include "probes/capture/reader.h"
#include "probes/capture/writer.h"
#include "tests/probes/traced_run.h"

namespace probes::capture {
namespace {

namespace fs = std::filesystem;

const ProcessInfo opening{.format_version = 0,
                          .pid = 42,
                          .host = "box",
                          .start_raw_ns = 1000,
                          .start_real_ns = 1'700'000'000'000'000'000,
                          .status = "nvtx_only",
                          .status_reason = "no driver",
                          .fault = "drop:3"};

PathNode node(std::uint32_t id, std::uint32_t parent, std::string name) {
    return {.id = id, .parent = parent, .name = std::move(name), .domain = "d", .category = "c"};
}

Range range(std::uint64_t id, std::uint32_t path, std::int64_t start_ns, std::int64_t end_ns) {
    Range made;
    made.id = id;
    made.root = id;
    made.path = path;
    made.tid = 7;
    made.start_ns = start_ns;
    made.end_ns = end_ns;
    made.value = std::nan("");
    return made;
}

// A small capture with every kind of block.
fs::path write_small(const fs::path& folder) {
    fs::path file = folder / "small.capture";
    Writer writer = std::move(*Writer::create(file, opening));
    writer.add(PayloadSchema{
        .id = 1, .name = "work", .fields = {{.name = "rows", .type = FieldType::i64, .size = 8}}});
    writer.add(node(1, 0, "prefill"));
    writer.add(node(2, 1, "up"));
    Range inner = range(11, 2, 20, 30);
    const std::int64_t rows = 333;
    inner.parent = 10;
    inner.root = 10;
    inner.schema = 1;
    inner.payload = std::as_bytes(std::span(&rows, 1));
    writer.add(inner);
    writer.name_thread(7, "worker");
    writer.add(range(10, 1, 10, 40));
    writer.end_thread(0);
    writer.set_loss({});
    writer.finish({});
    return file;
}

std::string slurp(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void spill(const fs::path& file, const std::string& bytes) {
    std::ofstream(file, std::ios::binary | std::ios::trunc) << bytes;
}

TEST(capture, what_was_written_is_read_back) {
    const TemporaryFolder folder;
    const Contents all = read_capture(write_small(folder.path()));
    EXPECT_EQ(all.process.pid, 42u);
    EXPECT_EQ(all.process.host, "box");
    EXPECT_EQ(all.process.start_raw_ns, 1000);
    EXPECT_EQ(all.process.start_real_ns, 1'700'000'000'000'000'000);
    EXPECT_EQ(all.process.status, "nvtx_only");
    EXPECT_EQ(all.process.status_reason, "no driver");
    EXPECT_EQ(all.process.fault, "drop:3");
    EXPECT_EQ(all.process.format_version, format_version);
    ASSERT_EQ(all.schemas.size(), 1u);
    EXPECT_EQ(all.schemas[0].fields.at(0).name, "rows");
    ASSERT_EQ(all.nodes.size(), 2u);
    EXPECT_EQ(all.nodes.at(2).name, "up");
    EXPECT_EQ(all.nodes.at(2).parent, all.nodes.at(1).id);
    EXPECT_EQ(all.nodes.at(2).domain, "d");
    EXPECT_EQ(all.nodes.at(2).category, "c");
    ASSERT_EQ(all.ranges.size(), 2u);
    EXPECT_EQ(all.ranges[0].parent, 10u);
    EXPECT_EQ(all.ranges[0].path, all.nodes.at(2).id);
    EXPECT_EQ(all.ranges[0].tid, 7u);
    EXPECT_TRUE(std::isnan(all.ranges[0].value));
    std::int64_t rows = 0;
    ASSERT_EQ(all.payloads[0].size(), sizeof(rows));
    std::memcpy(&rows, all.payloads[0].data(), sizeof(rows));
    EXPECT_EQ(rows, 333);
    EXPECT_TRUE(all.loss.finished);
    EXPECT_EQ(all.loss.truncated_bytes, 0u);
    EXPECT_EQ(all.loss.dropped, 0u);
}

TEST(capture, plain_values_and_start_end_ranges_keep_their_fields) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "x.capture";
    {
        Writer writer = std::move(*Writer::create(file, opening));
        writer.add(node(1, 0, "a"));
        Range made = range(5, 1, 10, 20);
        made.value = 2.5;
        made.flags = range_start_end;
        writer.add(made);
        writer.finish({});
    }
    const Contents all = read_capture(file);
    ASSERT_EQ(all.ranges.size(), 1u);
    EXPECT_EQ(all.ranges[0].value, 2.5);
    EXPECT_EQ(all.ranges[0].flags, range_start_end);
    EXPECT_EQ(all.ranges[0].parent, 0u);
    EXPECT_EQ(all.ranges[0].tid, 7u);
    EXPECT_TRUE(all.payloads[0].empty());
}

TEST(capture, equal_paths_of_two_threads_have_one_id) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "x.capture";
    {
        Writer writer = std::move(*Writer::create(file, opening));
        writer.add(node(1, 0, "step"), 1);
        writer.add(node(2, 1, "norm"), 1);
        writer.add(range(1, 2, 1, 2), 1);
        writer.add(node(1, 0, "other"), 2);
        writer.add(node(2, 0, "step"), 2);
        writer.add(node(3, 2, "norm"), 2);
        writer.add(range(2, 3, 1, 2), 2);
        writer.finish({});
    }
    const Contents all = read_capture(file);
    ASSERT_EQ(all.nodes.size(), 3u);
    ASSERT_EQ(all.ranges.size(), 2u);
    EXPECT_EQ(all.ranges[0].path, all.ranges[1].path);
}

TEST(capture, stamps_that_cannot_be_are_counted) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "x.capture";
    {
        Writer writer = std::move(*Writer::create(file, opening));
        writer.add(node(1, 0, "a"));
        writer.add(range(1, 1, 0, 0));
        writer.add(range(2, 1, 20, 10));
        writer.add(range(3, 1, 10, 20));
        writer.add(range(4, 99, 10, 20));  // a path that never came
        Loss lost;
        lost.dropped = 5;
        lost.open_ranges = 6;
        lost.unbalanced_pops = 7;
        lost.ignored_payloads = 8;
        writer.finish(lost);
    }
    const Contents all = read_capture(file);
    EXPECT_EQ(all.ranges.size(), 3u);
    EXPECT_EQ(all.loss.zero_stamps, 1u);
    EXPECT_EQ(all.loss.negative, 1u);
    EXPECT_EQ(all.loss.dropped, 6u);
    EXPECT_EQ(all.loss.open_ranges, 6u);
    EXPECT_EQ(all.loss.unbalanced_pops, 7u);
    EXPECT_EQ(all.loss.ignored_payloads, 8u);
}

TEST(capture, a_file_cut_anywhere_is_loss_and_never_an_error) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    for (std::size_t bytes = fs::file_size(file); bytes-- > 0;) {
        fs::resize_file(file, bytes);
        const Contents all = read_capture(file);
        EXPECT_FALSE(all.loss.finished) << bytes;
        EXPECT_LE(all.loss.truncated_bytes, bytes);
        EXPECT_LE(all.ranges.size(), 2u);
    }
}

TEST(capture, a_flipped_byte_is_loss_or_a_foreign_file) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    const std::string whole = slurp(file);
    std::fstream bytes(file, std::ios::in | std::ios::out | std::ios::binary);
    const auto put_at = [&](std::size_t at, int byte) {
        bytes.seekp(static_cast<std::streamoff>(at));
        bytes.put(static_cast<char>(byte)).flush();
    };
    for (std::size_t at = 0; at < whole.size(); ++at) {
        if (at > 0) {
            put_at(at - 1, whole[at - 1]);
        }
        put_at(at, whole[at] ^ 0x10);
        if (at < sizeof(file_magic)) {
            EXPECT_THROW(read_capture(file), CaptureError) << at;
            continue;
        }
        const Contents all = read_capture(file);
        EXPECT_FALSE(all.loss.finished) << at;
        EXPECT_GT(all.loss.truncated_bytes, 0u) << at;
    }
}

TEST(capture, bytes_after_the_end_are_counted) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    std::ofstream(file, std::ios::binary | std::ios::app) << "xyz";
    EXPECT_EQ(read_capture(file).loss.truncated_bytes, 3u);
}

std::string error_of(const fs::path& file) {
    try {
        read_capture(file);
    } catch (const CaptureError& error) {
        return error.what();
    } catch (const CaptureUnreadable& error) {
        return error.what();
    }
    return "";
}

TEST(capture, a_foreign_file_is_refused_with_place_and_value) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "foreign";
    spill(file, "SQLite format 3");
    const std::string message = error_of(file);
    EXPECT_NE(message.find(file.string()), std::string::npos) << message;
    EXPECT_NE(message.find("offset 0"), std::string::npos) << message;
    EXPECT_NE(message.find("53514c69"), std::string::npos) << message;
}

TEST(capture, a_newer_version_is_refused_with_both_versions) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    std::string bytes = slurp(file);
    FileHead head;
    std::memcpy(&head, bytes.data(), sizeof(head));
    head.version = 9;
    head.checksum = crc32c(0, std::as_bytes(std::span(&head, 1)).first(12));
    std::memcpy(bytes.data(), &head, sizeof(head));
    spill(file, bytes);
    const std::string message = error_of(file);
    EXPECT_NE(message.find("version 9"), std::string::npos) << message;
    EXPECT_NE(message.find("versions 1 to 1"), std::string::npos) << message;
}

TEST(capture, a_missing_file_or_a_folder_is_refused) {
    const TemporaryFolder folder;
    EXPECT_NE(error_of(folder.path() / "none").find("No such file"), std::string::npos);
    EXPECT_THROW(read_capture(folder.path() / "none"), CaptureUnreadable);
    EXPECT_NE(error_of(folder.path()).find("not a regular file"), std::string::npos);
}

TEST(capture, a_block_of_an_unknown_kind_is_skipped_and_counted) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    std::string bytes = slurp(file);
    BlockHead head{
        .marker = block_marker, .kind = static_cast<BlockKind>(77), .bytes = 4, .checksum = 0};
    const std::string body = "gpu!";
    const std::string covered = std::string(reinterpret_cast<const char*>(&head), 12) + body;
    head.checksum = crc32c(0, std::as_bytes(std::span(covered)));
    bytes.append(reinterpret_cast<const char*>(&head), sizeof(head)).append(body);
    spill(file, bytes);
    Reader reader(file);
    std::size_t records = 0;
    while (reader.next()) {
        ++records;
    }
    EXPECT_EQ(records, 5u);  // one schema, two nodes, two ranges
    EXPECT_EQ(reader.unknown_blocks(), 1u);
    EXPECT_EQ(reader.loss().truncated_bytes, 0u);
}

TEST(capture, an_existing_file_is_never_overwritten) {
    const TemporaryFolder folder;
    const fs::path file = write_small(folder.path());
    EXPECT_FALSE(Writer::create(file, opening).has_value());
    EXPECT_EQ(read_capture(file).ranges.size(), 2u);
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
long resident_bytes() {
    std::ifstream statm("/proc/self/statm");
    long pages = 0;
    statm >> pages >> pages;
    return pages * 4096;
}

TEST(capture, reading_takes_memory_of_one_block_however_long_the_file) {
    const TemporaryFolder folder;
    const fs::path file = folder.path() / "long.capture";
    {
        Writer writer = std::move(*Writer::create(file, opening));
        writer.add(node(1, 0, "a"));
        for (std::uint64_t id = 1; id <= 300'000; ++id) {
            writer.add(range(id, 1, 10, 20));
        }
        writer.finish({});
    }
    ASSERT_GT(fs::file_size(file), 19'000'000u);
    const long before = resident_bytes();
    Reader reader(file);
    std::size_t records = 0;
    while (reader.next()) {
        ++records;
    }
    EXPECT_EQ(records, 300'001u);
    EXPECT_LT(resident_bytes() - before, 2'000'000);
}
#endif

TEST(checksum, both_ways_agree_with_the_published_value) {
    const std::string digits = "123456789";
    EXPECT_EQ(crc32c(0, std::as_bytes(std::span(digits))), 0xe3069283u);
    std::string text;
    for (int i = 0; i < 100; ++i) {
        const auto bytes = std::as_bytes(std::span(text));
        EXPECT_EQ(crc32c(0, bytes), crc32c_portable(0, bytes)) << i;
        text += static_cast<char>(i * 37);
    }
}

}  // namespace
}  // namespace probes::capture
