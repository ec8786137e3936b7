// SPDX-License-Identifier: Apache-2.0
// Safetensors: good files, and one test for each way in which a file can be broken.
#include "engine/format/safetensors.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cstring>

#include "tests/engine/scratch_files.h"

namespace {

using engine::format::Dtype;
using engine::format::Safetensors;
using scratch::Directory;
using testing::AllOf;
using testing::HasSubstr;

// The error for one file with this header and so many bytes of data.
std::string refusal(const std::string& header, std::size_t data_bytes) {
    const Directory directory;
    const auto file = directory.write("w.safetensors", scratch::safetensors(header, data_bytes));
    return scratch::message_of([&] { Safetensors::open_file(file); });
}

constexpr const char* two_tensors = R"({"__metadata__":{"format":"pt"},)"
                                    R"("a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,12]},)"
                                    R"("b":{"dtype":"F32","shape":[],"data_offsets":[12,16]}})";

TEST(Safetensors, tensors_lie_where_the_header_says) {
    const Directory directory;
    const auto path = directory.write("w.safetensors", scratch::safetensors(two_tensors, 16));
    const Safetensors file = Safetensors::open_file(path);
    ASSERT_EQ(file.tensors().size(), 2u);
    EXPECT_EQ(file.at("a").dtype, Dtype::bf16);
    EXPECT_EQ(file.at("a").shape, (std::vector<std::int64_t>{2, 3}));
    EXPECT_EQ(file.at("a").bytes.size(), 12u);
    EXPECT_EQ(file.at("b").elements(), 1);
    EXPECT_EQ(file.at("b").bytes.data() - file.at("a").bytes.data(), 12);
    EXPECT_EQ(file.find("c"), nullptr);
}

TEST(Safetensors, a_missing_tensor_is_named_with_its_file) {
    const Directory directory;
    const auto path = directory.write("w.safetensors", scratch::safetensors(two_tensors, 16));
    const Safetensors file = Safetensors::open_file(path);
    EXPECT_THAT(scratch::message_of([&] { file.at("nope"); }),
                AllOf(HasSubstr("w.safetensors"), HasSubstr("\"nope\"")));
}

TEST(Safetensors, files_that_are_no_files_are_refused) {
    const Directory directory;
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(directory.path() / "none"); }),
                AllOf(HasSubstr("none"), HasSubstr("No such file")));
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(directory.path()); }),
                HasSubstr("not a regular file"));
    const auto empty = directory.write("empty", "");
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(empty); }), HasSubstr("is empty"));
}

TEST(Safetensors, a_file_shorter_than_its_header_is_refused) {
    const Directory directory;
    const auto tiny = directory.write("tiny", "abc");
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(tiny); }),
                HasSubstr("3 bytes: too short"));
    const auto cut = directory.write("cut", scratch::safetensors(two_tensors, 0).substr(0, 50));
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(cut); }),
                AllOf(HasSubstr("over the limit 42"), HasSubstr("cut short")));
}

TEST(Safetensors, a_header_that_is_not_json_is_refused) {
    EXPECT_THAT(refusal("{\"a\":", 0), HasSubstr("header: not JSON"));
    EXPECT_THAT(refusal("[1]", 0), HasSubstr("not a JSON object"));
    EXPECT_THAT(refusal(R"({"a":3})", 0), AllOf(HasSubstr("\"a\""), HasSubstr("not an object")));
}

TEST(Safetensors, a_tensor_that_appears_twice_is_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]},)"
                        R"("a":{"dtype":"U8","shape":[1],"data_offsets":[1,2]}})",
                        2),
                AllOf(HasSubstr("\"a\""), HasSubstr("twice")));
}

TEST(Safetensors, an_unknown_dtype_is_refused_with_the_known_ones) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"F4","shape":[1],"data_offsets":[0,1]}})", 1),
                AllOf(HasSubstr("\"F4\""), HasSubstr("F8_E4M3")));
    EXPECT_THAT(refusal(R"({"a":{"shape":[1],"data_offsets":[0,1]}})", 1),
                HasSubstr("no \"dtype\""));
}

TEST(Safetensors, a_bad_shape_is_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[-1],"data_offsets":[0,1]}})", 1),
                HasSubstr("extent -1"));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","data_offsets":[0,1]}})", 1), HasSubstr("\"shape\""));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"F32","shape":[4611686018427387904,8],)"
                        R"("data_offsets":[0,1]}})",
                        1),
                HasSubstr("overflows"));
}

TEST(Safetensors, offsets_outside_the_data_are_refused_with_both_numbers) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[9],"data_offsets":[0,9]}})", 8),
                AllOf(HasSubstr("[0, 9]"), HasSubstr("8 bytes")));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[5,4]}})", 8),
                HasSubstr("[5, 4]"));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0]}})", 8),
                HasSubstr("data_offsets"));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[-1,4]}})", 8),
                HasSubstr("data_offsets"));
}

TEST(Safetensors, a_size_that_the_shape_does_not_have_is_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"BF16","shape":[2,3],"data_offsets":[0,11]}})", 11),
                AllOf(HasSubstr("BF16 [2, 3] needs 12"), HasSubstr("hold 11")));
}

TEST(Safetensors, overlapping_tensors_are_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]},)"
                        R"("b":{"dtype":"U8","shape":[4],"data_offsets":[3,7]}})",
                        7),
                AllOf(HasSubstr("\"b\""), HasSubstr("overlaps"), HasSubstr("1 bytes")));
}

TEST(Safetensors, bytes_that_belong_to_no_tensor_are_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[2,6]}})", 6),
                AllOf(HasSubstr("\"a\""), HasSubstr("2 bytes before it")));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[4],"data_offsets":[0,4]}})", 7),
                HasSubstr("last 3 bytes"));
}

TEST(Safetensors, a_file_cut_short_at_any_length_is_refused_by_name) {
    const Directory directory;
    const std::string whole = scratch::safetensors(two_tensors, 16);
    for (std::size_t size = 0; size < whole.size(); ++size) {
        const auto file = directory.write("w.safetensors", whole.substr(0, size));
        EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(file); }),
                    HasSubstr("w.safetensors"))
            << size << " bytes";
    }
}

TEST(Safetensors, header_sizes_that_no_file_has_are_refused) {
    const Directory directory;
    for (const std::uint64_t size :
         {std::uint64_t{0}, std::uint64_t{100'000'001}, std::uint64_t{1} << 63, ~std::uint64_t{0},
          ~std::uint64_t{7}}) {
        std::string bytes = scratch::safetensors(two_tensors, 16);
        std::memcpy(bytes.data(), &size, 8);
        const auto file = directory.write("w.safetensors", bytes);
        EXPECT_THAT(scratch::message_of([&] { Safetensors::open_file(file); }),
                    AllOf(HasSubstr("w.safetensors"), HasSubstr("header")));
    }
}

// Printing or copying such a value would need a stack frame a level.
TEST(Safetensors, nesting_without_end_is_refused) {
    for (const std::size_t depth : {70u, 3'000'000u}) {
        const std::string lists = std::string(depth, '[') + std::string(depth, ']');
        EXPECT_THAT(
            refusal(R"({"a":{"dtype":"U8","data_offsets":[0,1],"shape":[)" + lists + "]}}", 1),
            HasSubstr("nested deeper than 64"));
        EXPECT_THAT(refusal(lists, 0), HasSubstr("nested deeper than 64"));
    }
}

// 2^62 x 2 x 0 elements are no bytes, but their product passes 2^63 on the way.
TEST(Safetensors, a_shape_that_overflows_before_its_zero_is_refused) {
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[4611686018427387904,2,0],)"
                        R"("data_offsets":[0,0]}})",
                        0),
                HasSubstr("overflows"));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"F64","shape":[2305843009213693952,2],)"
                        R"("data_offsets":[0,0]}})",
                        0),
                HasSubstr("overflows"));
    EXPECT_THAT(refusal(R"({"a":{"dtype":"U8","shape":[18446744073709551615],)"
                        R"("data_offsets":[0,0]}})",
                        0),
                HasSubstr("extent 18446744073709551615"));
}

TEST(Safetensors, values_of_other_types_are_refused) {
    for (const char* entry :
         {R"({"dtype":1,"shape":[1],"data_offsets":[0,1]})",
          R"({"dtype":"U8","shape":1,"data_offsets":[0,1]})",
          R"({"dtype":"U8","shape":["1"],"data_offsets":[0,1]})",
          R"({"dtype":"U8","shape":[1.5],"data_offsets":[0,1]})",
          R"({"dtype":"U8","shape":[1],"data_offsets":{}})",
          R"({"dtype":"U8","shape":[1],"data_offsets":[0,1,2]})",
          R"({"dtype":"U8","shape":[1],"data_offsets":[0,1e18]})",
          R"({"dtype":"U8","shape":[1],"data_offsets":[0,18446744073709551615]})", "null", "[]"}) {
        EXPECT_THAT(refusal(fmt::format(R"({{"a":{}}})", entry), 1), HasSubstr("\"a\"")) << entry;
    }
}

// Two shards with one byte tensor each.
void write_shards(const Directory& directory, const std::string& index) {
    directory.write(
        "1.safetensors",
        scratch::safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1));
    directory.write(
        "2.safetensors",
        scratch::safetensors(R"({"b":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1));
    directory.write("model.safetensors.index.json", index);
}

std::string shard_refusal(const std::string& index) {
    const Directory directory;
    write_shards(directory, index);
    return scratch::message_of([&] { Safetensors::open_directory(directory.path()); });
}

TEST(Safetensors, shards_are_one_set_of_tensors) {
    const Directory directory;
    write_shards(directory, R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
    const Safetensors files = Safetensors::open_directory(directory.path());
    EXPECT_EQ(files.tensors().size(), 2u);
    EXPECT_EQ(files.files().size(), 2u);
}

TEST(Safetensors, an_index_that_disagrees_with_its_shards_is_refused) {
    EXPECT_THAT(shard_refusal(R"({"weight_map":{"a":"1.safetensors","b":"1.safetensors"}})"),
                AllOf(HasSubstr("\"b\""), HasSubstr("1.safetensors"), HasSubstr("no shard")));
    EXPECT_THAT(shard_refusal(R"({"weight_map":{"a":"2.safetensors","b":"1.safetensors"}})"),
                AllOf(HasSubstr("\"a\""), HasSubstr("in 1.safetensors")));
    EXPECT_THAT(shard_refusal(R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors",)"
                              R"("c":"2.safetensors"}})"),
                AllOf(HasSubstr("\"c\""), HasSubstr("no shard")));
    EXPECT_THAT(shard_refusal(R"({"weight_map":{"a":"../1.safetensors"}})"),
                HasSubstr("not a plain file name"));
    EXPECT_THAT(shard_refusal(R"({"weights":{}})"), HasSubstr("weight_map"));
    EXPECT_THAT(shard_refusal("nonsense"), HasSubstr("not an index"));
    EXPECT_THAT(shard_refusal(R"({"weight_map":{}})"), HasSubstr("empty"));
}

TEST(Safetensors, a_tensor_of_a_shard_that_the_index_lacks_is_refused) {
    const Directory directory;
    directory.write("1.safetensors", scratch::safetensors(two_tensors, 16));
    directory.write("model.safetensors.index.json", R"({"weight_map":{"a":"1.safetensors"}})");
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_directory(directory.path()); }),
                AllOf(HasSubstr("\"b\""), HasSubstr("not in the index")));
}

TEST(Safetensors, a_tensor_in_two_shards_is_refused) {
    const Directory directory;
    const auto one =
        scratch::safetensors(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", 1);
    directory.write("1.safetensors", one);
    directory.write("2.safetensors", one);
    directory.write("model.safetensors.index.json",
                    R"({"weight_map":{"a":"1.safetensors","b":"2.safetensors"}})");
    EXPECT_THAT(scratch::message_of([&] { Safetensors::open_directory(directory.path()); }),
                AllOf(HasSubstr("2.safetensors"), HasSubstr("earlier shard")));
}

}  // namespace
