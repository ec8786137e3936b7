// SPDX-License-Identifier: Apache-2.0
// The ids that begin and end a text, from either of two files.
#include "engine/model/special_ids.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/scratch_files.h"

namespace {

using engine::model::read_special_ids;
using testing::AllOf, testing::ElementsAre, testing::HasSubstr, testing::IsEmpty;

class SpecialIds : public testing::Test {
  protected:
    void config(const std::string& text) const { folder_.write("config.json", text); }

    void generation(const std::string& text) const {
        folder_.write("generation_config.json", text);
    }

    auto read() const { return read_special_ids(folder_.path()); }

    std::string refusal() const {
        return scratch::message_of([this] { read(); });
    }

    scratch::Directory folder_;
};

TEST_F(SpecialIds, come_from_the_generation_config_first) {
    config(R"({"bos_token_id":1,"eos_token_id":2})");
    generation(R"({"bos_token_id":7,"eos_token_id":[2,4]})");
    EXPECT_EQ(read().bos, 7);
    EXPECT_THAT(read().stops, ElementsAre(2, 4));
}

TEST_F(SpecialIds, come_each_from_the_config_where_the_generation_config_lacks_it) {
    config(R"({"bos_token_id":1,"eos_token_id":2})");
    generation(R"({"bos_token_id":7})");
    EXPECT_EQ(read().bos, 7);
    EXPECT_THAT(read().stops, ElementsAre(2));
    generation(R"({"bos_token_id":null,"eos_token_id":null})");
    EXPECT_EQ(read().bos, 1);
    EXPECT_THAT(read().stops, ElementsAre(2));
    generation(R"({"eos_token_id":[5]})");
    EXPECT_EQ(read().bos, 1);
    EXPECT_THAT(read().stops, ElementsAre(5));
}

TEST_F(SpecialIds, may_be_missing) {
    config("{}");
    EXPECT_EQ(read().bos, std::nullopt);
    EXPECT_THAT(read().stops, IsEmpty());
}

TEST_F(SpecialIds, of_a_broken_generation_config_are_refused_with_file_and_key) {
    config(R"({"eos_token_id":2})");
    const std::pair<const char*, const char*> cases[] = {
        {"{", "not JSON"},
        {"[]", "is a list of 0; accepted: a JSON object"},
        {R"({"eos_token_id":"2"})", "\"eos_token_id\" is \"2\""},
        {R"({"eos_token_id":-1})", "\"eos_token_id\" is -1"},
        {R"({"eos_token_id":2.5})", "\"eos_token_id\" is 2.5"},
        {R"({"eos_token_id":[2,true]})", "\"eos_token_id\"[1] is true"},
        {R"({"eos_token_id":4294967298})", "\"eos_token_id\" is 4294967298"},
        {R"({"eos_token_id":18446744073709551618})", "\"eos_token_id\" is 1.8446744073709552e+19"},
        {R"({"bos_token_id":[1,2]})", "\"bos_token_id\" is a list of 2"},
        {R"({"bos_token_id":"<s>"})", "\"bos_token_id\" is \"<s>\""},
    };
    for (const auto& [text, reason] : cases) {
        generation(text);
        EXPECT_THAT(refusal(), AllOf(HasSubstr("generation_config.json"), HasSubstr(reason)))
            << text;
    }
    std::string deep = "{\"eos_token_id\":";
    generation(deep + std::string(1'000'000, '[') + std::string(1'000'000, ']') + "}");
    EXPECT_THAT(refusal(), HasSubstr("nested deeper than 64 levels"));
}

}  // namespace
