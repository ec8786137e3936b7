// SPDX-License-Identifier: Apache-2.0
// SHA-256 against the vectors of FIPS 180-2.
#include "engine/format/sha256.h"

#include <gtest/gtest.h>

#include <fstream>
#include <string>

namespace {

std::span<const std::byte> bytes(const std::string& text) {
    return std::as_bytes(std::span(text.data(), text.size()));
}

TEST(Sha256, matches_the_published_vectors) {
    using engine::format::sha256_hex;
    EXPECT_EQ(sha256_hex({}), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
    EXPECT_EQ(sha256_hex(bytes("abc")),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
    EXPECT_EQ(sha256_hex(bytes("abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq")),
              "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1");
}

TEST(Sha256, pieces_give_the_same_digest_as_the_whole) {
    const std::string text(1'000'000, 'a');
    engine::format::Sha256 digest;
    for (std::size_t at = 0; at < text.size(); at += 777) {
        digest.update(bytes(text).subspan(at, std::min<std::size_t>(777, text.size() - at)));
    }
    EXPECT_EQ(digest.hex(), "cdc76e5c9914fb9281a1c7e284d73e67f1809a48a497200e046d39ccc7112cd0");
}

TEST(Sha256, an_ended_digest_takes_no_more_bytes) {
    engine::format::Sha256 digest;
    digest.hex();
    EXPECT_THROW(digest.update(bytes("x")), std::logic_error);
    EXPECT_THROW(digest.hex(), std::logic_error);
}

TEST(Sha256, of_a_file_is_the_digest_of_its_bytes) {
    const std::string path = testing::TempDir() + "sha256_test.bin";
    std::ofstream(path, std::ios::binary) << "abc";
    EXPECT_EQ(engine::format::sha256_file(path),
              "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
}

TEST(Sha256, a_missing_file_is_named_in_the_error) {
    try {
        engine::format::sha256_file("/nonexistent/weights.bin");
        FAIL() << "no error for a missing file";
    } catch (const std::runtime_error& error) {
        EXPECT_NE(std::string(error.what()).find("/nonexistent/weights.bin"), std::string::npos);
    }
}

TEST(Sha256, of_token_ids_is_that_of_little_endian_int32) {
    // printf '\x01\0\0\0\x02\x01\0\0' | sha256sum
    EXPECT_EQ(engine::format::token_ids_sha256(std::vector<std::int32_t>{1, 258}),
              "fb8bbe2ad3ab5292f19bc5d75bbab9b5fbddc5a78ce47ab41b2d3d59bca08596");
}

}  // namespace
