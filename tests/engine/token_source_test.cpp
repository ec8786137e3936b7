// SPDX-License-Identifier: Apache-2.0
// Token ids as people give them, good and bad.
#include "engine/commands/token_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <functional>

#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

namespace fs = std::filesystem;
using Ids = std::vector<std::int32_t>;

std::string error_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const UsageError& error) {
        return error.what();
    }
    return "accepted";
}

class TokenFile : public testing::Test {
  protected:
    TokenFile() {
        folder_ = fs::temp_directory_path() /
                  ("token_source_" + std::to_string(::getpid()) + "_" +
                   testing::UnitTest::GetInstance()->current_test_info()->name());
        fs::create_directories(folder_);
    }

    ~TokenFile() override { fs::remove_all(folder_); }

    std::string write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name, std::ios::binary) << text;
        return (folder_ / name).string();
    }

    // A safetensors file of one tensor "t".
    std::string write_tensor(const std::string& dtype,
                             const std::string& shape,
                             const std::string& bytes) const {
        auto header = R"({"t":{"dtype":")" + dtype + R"(","shape":)" + shape +
                      R"(,"data_offsets":[0,)" + std::to_string(bytes.size()) + "]}}";
        std::string size(8, '\0');
        const std::uint64_t count = header.size();
        std::memcpy(size.data(), &count, sizeof count);
        return write("t.safetensors", size + header + bytes);
    }

    std::string error_of_file(const std::string& argument) const {
        return error_of([&] { read_token_file(argument); });
    }

    fs::path folder_;
};

template <class Stored>
std::string bytes_of(std::vector<Stored> values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(Stored)};
}

TEST(TokenList, is_read_with_or_without_blanks) {
    EXPECT_EQ(parse_token_list("1,2,3").ids, (Ids{1, 2, 3}));
    EXPECT_EQ(parse_token_list(" 1, 2 ").ids, (Ids{1, 2}));
    EXPECT_EQ(parse_token_list("0").ids, (Ids{0}));
}

TEST(TokenList, names_the_bad_element) {
    const std::pair<const char*, const char*> cases[] = {
        {"1,x,3", "element 1 is 'x', it must be an integer"},
        {"1,,3", "element 1 is ''"},
        {"1,2,", "element 2 is ''"},
        {"1.5", "element 0 is '1.5'"},
        {"-1", "element 0 is -1, it must be 0 to 2147483647"},
        {"2147483648", "element 0 is 2147483648"},
        {"99999999999999999999", "element 0 is '99999999999999999999'"},
    };
    for (const auto& [text, reason] : cases) {
        EXPECT_THAT(error_of([&] { parse_token_list(text); }), testing::HasSubstr(reason)) << text;
    }
}

TEST(TokenList, needs_exactly_one_source) {
    EXPECT_THAT(error_of([] { tokens_from("", ""); }), testing::HasSubstr("neither"));
    EXPECT_THAT(error_of([] { tokens_from("1", "f.json"); }), testing::HasSubstr("give one"));
}

TEST_F(TokenFile, holds_a_json_list) {
    EXPECT_EQ(read_token_file(write("a.json", "[1, 2,\n3]")).ids, (Ids{1, 2, 3}));
}

TEST_F(TokenFile, with_a_colon_in_its_name_may_hold_json) {
    EXPECT_EQ(read_token_file(write("a:b.json", "[4]")).ids, (Ids{4}));
}

TEST_F(TokenFile, holds_tensors_of_two_integer_types) {
    EXPECT_EQ(
        read_token_file(write_tensor("I32", "[2]", bytes_of<std::int32_t>({7, 8})) + ":t").ids,
        (Ids{7, 8}));
    EXPECT_EQ(
        read_token_file(write_tensor("I64", "[2]", bytes_of<std::int64_t>({7, 8})) + ":t").ids,
        (Ids{7, 8}));
}

TEST_F(TokenFile, of_bad_json_is_refused_with_place_and_value) {
    EXPECT_THAT(error_of_file(write("a.json", "[1, 2")), testing::HasSubstr("not JSON at byte"));
    EXPECT_THAT(error_of_file(write("a.json", "{}")), testing::HasSubstr("holds a JSON object"));
    EXPECT_THAT(error_of_file(write("a.json", "[1, \"x\"]")),
                testing::HasSubstr("element 1 is \"x\""));
    EXPECT_THAT(error_of_file(write("a.json", "[1.5]")), testing::HasSubstr("element 0 is 1.5"));
    EXPECT_THAT(error_of_file(write("a.json", "[-2]")), testing::HasSubstr("element 0 is -2"));
    EXPECT_THAT(error_of_file(write("a.json", "[18446744073709551615]")),
                testing::HasSubstr("element 0 is 18446744073709551615"));
    EXPECT_THAT(error_of_file(write("a.json", "[[1]]")),
                testing::HasSubstr("element 0 is a list of 1"));
    EXPECT_THAT(error_of_file(write("a.json", std::string(1'000'000, '['))),
                testing::HasSubstr("nested deeper than 64 levels"));
    EXPECT_THAT(error_of_file("/nowhere.json"), testing::HasSubstr("cannot be opened"));
    EXPECT_THAT(error_of_file(folder_.string()), testing::HasSubstr("is a directory"));
}

TEST_F(TokenFile, of_bad_tensors_is_refused_with_name_and_reason) {
    const auto good = write_tensor("I32", "[2]", bytes_of<std::int32_t>({7, 8}));
    EXPECT_THAT(error_of_file(good + ":u"), testing::HasSubstr("no such tensor; the file has: t"));
    EXPECT_THAT(error_of_file(good), testing::HasSubstr("name of the tensor is missing"));
    EXPECT_THAT(error_of_file(write_tensor("I32", "[1,2]", bytes_of<std::int32_t>({7, 8})) + ":t"),
                testing::HasSubstr("shape is [1, 2]"));
    EXPECT_THAT(error_of_file(write_tensor("F32", "[1]", bytes_of<float>({7})) + ":t"),
                testing::HasSubstr("element type is F32"));
    EXPECT_THAT(error_of_file(write_tensor("I64", "[1]", bytes_of<std::int64_t>({-3})) + ":t"),
                testing::HasSubstr("element 0 is -3"));
    EXPECT_THAT(error_of_file("/nowhere.safetensors:t"),
                testing::HasSubstr("/nowhere.safetensors"));
}

TEST(TokenCheck, accepts_what_fits_exactly) {
    check_tokens({{0, 9}, "x"}, 10, 5, 3);
}

TEST(TokenCheck, names_the_token_outside_the_vocabulary) {
    EXPECT_THAT(
        error_of([] {
            check_tokens({{0, 10}, "x"}, 10, 5, 0);
        }),
        testing::HasSubstr("token 10 at position 1 is outside the model's vocabulary of 10"));
}

TEST(TokenCheck, names_the_limit_of_positions) {
    EXPECT_THAT(error_of([] {
                    check_tokens({{0, 1, 2}, "x"}, 10, 2, 0);
                }),
                testing::HasSubstr("3 tokens exceed the model's max_position_embeddings of 2"));
    EXPECT_THAT(error_of([] {
                    check_tokens({{0, 1, 2}, "x"}, 10, 4, 2);
                }),
                testing::HasSubstr("ask for at most 1 new tokens"));
}

TEST(TokenCheck, refuses_an_empty_prompt) {
    EXPECT_THAT(error_of([] {
                    check_tokens({{}, "x"}, 10, 5, 0);
                }),
                testing::HasSubstr("no tokens"));
}

}  // namespace
}  // namespace engine::commands
