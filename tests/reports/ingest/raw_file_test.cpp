// SPDX-License-Identifier: Apache-2.0
// Raw files survive their compression; damage is an error with a name.
#include "reports/ingest/raw_file.h"

#include <gmock/gmock.h>

#include <memory>
#include <random>

#include "engine/format/sha256.h"
#include "tests/reports/store/fixture.h"

namespace {

using namespace reports::ingest;
using testing::HasSubstr;
namespace fs = std::filesystem;

std::string noise(std::size_t bytes) {
    std::mt19937 random(3);
    std::string text(bytes, '\0');
    for (char& c : text) c = static_cast<char>(random());
    return text;
}

std::ptrdiff_t files_in(const fs::path& folder) {
    return std::distance(fs::directory_iterator(folder), {});
}

TEST(raw_file, reads_back_what_it_compressed) {
    tests::Folder folder;
    for (const std::string& content : {std::string(), std::string("short"), noise(700'000)}) {
        const fs::path plain = folder.path() / "1.lines";
        fs::remove(compressed_name(plain));
        tests::write_file(plain, content);
        const auto sizes = compress_raw(plain);
        ASSERT_TRUE(sizes);
        EXPECT_EQ(sizes->content_bytes, static_cast<std::int64_t>(content.size()));
        EXPECT_FALSE(fs::exists(plain));
        EXPECT_EQ(read_raw(plain), content);
        EXPECT_EQ(sizes->sha256, engine::format::sha256_file(compressed_name(plain)));
        const auto again = compress_raw(plain);  // measures
        EXPECT_EQ(again->content_bytes, sizes->content_bytes);
        EXPECT_EQ(again->sha256, sizes->sha256);
        {
            const PlainFile file(plain);
            EXPECT_EQ(tests::read_file(file.path()), content);
        }
        EXPECT_EQ(files_in(folder.path()), 1);
    }
}

TEST(raw_file, two_readers_of_one_file_do_not_share_what_they_decompressed) {
    tests::Folder folder, elsewhere;
    const fs::path plain = folder.path() / "1.capture";
    tests::write_file(plain, "content");
    compress_raw(plain);
    auto first = std::make_unique<PlainFile>(plain);
    const PlainFile second(plain), third(plain, elsewhere.path());
    first.reset();
    EXPECT_EQ(tests::read_file(second.path()), "content");
    EXPECT_EQ(third.path().parent_path(), elsewhere.path());
}

TEST(raw_file, damaged_file_leaves_no_temporary_one) {
    tests::Folder folder;
    const fs::path plain = folder.path() / "1.capture";
    tests::write_file(compressed_name(plain), "junk");
    EXPECT_THROW(PlainFile{plain}, RawFileError);
    EXPECT_EQ(files_in(folder.path()), 1);
}

TEST(raw_file, absent_is_not_an_error) {
    tests::Folder folder;
    EXPECT_EQ(read_raw(folder.path() / "x"), std::nullopt);
    EXPECT_FALSE(compress_raw(folder.path() / "x"));
}

TEST(raw_file, damage_is_named) {
    tests::Folder folder;
    const fs::path plain = folder.path() / "1.capture";
    tests::write_file(plain, noise(100'000));
    compress_raw(plain);
    const std::string packed = tests::read_file(compressed_name(plain));
    for (std::string damaged : {packed.substr(0, packed.size() / 2), "junk" + packed}) {
        tests::write_file(compressed_name(plain), damaged);
        try {
            read_raw(plain);
            FAIL();
        } catch (const RawFileError& error) {
            EXPECT_THAT(error.what(),
                        testing::AllOf(HasSubstr("1.capture.zst"), HasSubstr("damaged")));
        }
    }
    std::string flipped = packed;
    flipped[flipped.size() / 2] ^= 1;
    tests::write_file(compressed_name(plain), flipped);
    EXPECT_THROW(read_raw(plain), RawFileError);  // the checksum sees it
}

}  // namespace
