// SPDX-License-Identifier: Apache-2.0
// The objects that generate, score, info and roof print.
#include <gtest/gtest.h>

#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fakes/engine_process.h"

namespace {

using fakes::engine, fakes::json_lines, fakes::small_bf16, fakes::small_nvfp4;
using nlohmann::json;

json result_of(const std::vector<std::string>& arguments) {
    const auto result = engine(arguments);
    EXPECT_EQ(result.exit_code, 0) << result.err;
    return json_lines(result.out).back();
}

json generate(std::vector<std::string> more) {
    more.insert(more.begin(), {"generate", "--model", small_bf16, "--json"});
    return result_of(more);
}

TEST(Generate, prints_prompt_tokens_margins_text_and_stop_reason) {
    const auto object = generate({"--tokens", "1,45,81", "--max-tokens", "5"});
    EXPECT_EQ(object.at("prompt_tokens"), (json{1, 45, 81}));
    EXPECT_EQ(object.at("tokens").size(), 5U);
    EXPECT_EQ(object.at("margins").size(), 5U);
    EXPECT_FALSE(object.at("text").get<std::string>().empty());
    EXPECT_EQ(object.at("stop_reason"), "length");
    for (const auto& margin : object.at("margins")) {
        EXPECT_GE(margin.get<double>(), 0);
    }
}

TEST(Generate, says_the_same_at_both_precisions) {
    const auto single = generate({"--tokens", "1,45,81", "--max-tokens", "4"});
    const auto twice = generate({"--tokens", "1,45,81", "--max-tokens", "4", "--precision", "f64"});
    EXPECT_EQ(single.at("tokens"), twice.at("tokens"));
}

TEST(Generate, a_prompt_in_pieces_is_continued_alike) {
    const std::vector<std::string> plain{
        "--tokens-file", TARE_SOURCE_DIR "/tests/golden/public-bf16.safetensors:psa.tokens",
        "--max-tokens", "4"};
    auto pieces = plain;
    pieces.insert(pieces.end(), {"--prefill-chunk", "37"});
    EXPECT_EQ(generate(pieces), generate(plain));
}

TEST(Generate, reads_tokens_from_a_tensor) {
    const auto object = generate(
        {"--tokens-file", TARE_SOURCE_DIR "/tests/golden/public-bf16.safetensors:short.tokens",
         "--max-tokens", "1"});
    EXPECT_EQ(object.at("prompt_tokens").size(), 7U);
}

// A copy of the small model that stops at a token which it generates in any case.
class StopToken : public testing::Test {
  protected:
    StopToken() : plain_(generate({"--tokens", "1,45,81", "--max-tokens", "6"}).at("tokens")) {
        namespace fs = std::filesystem;
        folder_ = fs::temp_directory_path() / ("stop_token_" + std::to_string(getpid()));
        fs::create_directories(folder_);
        for (const auto& entry : fs::directory_iterator(small_bf16)) {
            if (entry.path().filename() != "generation_config.json") {
                fs::create_symlink(entry.path(), folder_ / entry.path().filename());
            }
        }
        std::ofstream(folder_ / "generation_config.json")
            << json{{"eos_token_id", {2, plain_.at(2)}}};
    }

    ~StopToken() override { std::filesystem::remove_all(folder_); }

    json run(std::vector<std::string> more) const {
        more.insert(more.begin(), {"generate", "--model", folder_.string(), "--tokens", "1,45,81",
                                   "--json", "--max-tokens", "6"});
        return result_of(more);
    }

    json plain_;
    std::filesystem::path folder_;
};

TEST_F(StopToken, ends_the_text_and_is_its_last_token) {
    const auto object = run({});
    EXPECT_EQ(object.at("stop_reason"), "stop");
    EXPECT_EQ(object.at("tokens"), (json{plain_[0], plain_[1], plain_[2]}));
    EXPECT_EQ(object.at("margins").size(), 3U);
}

TEST_F(StopToken, is_passed_over_with_ignore_eos) {
    const auto object = run({"--ignore-eos"});
    EXPECT_EQ(object.at("stop_reason"), "length");
    EXPECT_EQ(object.at("tokens"), plain_);
}

TEST(Generate, without_json_prints_text_and_a_summary_beside_it) {
    const auto result =
        engine({"generate", "--model", small_bf16, "--tokens", "1", "--max-tokens", "2"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_FALSE(result.out.empty());
    EXPECT_NE(result.err.find("1 prompt tokens in"), std::string::npos);
}

TEST(Score, prints_one_fewer_nll_than_tokens) {
    const auto object =
        result_of({"score", "--model", small_nvfp4, "--tokens", "1,45,81,84", "--json"});
    EXPECT_EQ(object.at("nll").size(), 3U);
    EXPECT_EQ(object.at("argmax").size(), 4U);
    EXPECT_EQ(object.at("margin").size(), 4U);
}

TEST(Score, its_last_argmax_is_what_generate_says_first) {
    const auto scores =
        result_of({"score", "--model", small_bf16, "--tokens", "1,45,81", "--json"});
    const auto generated = generate({"--tokens", "1,45,81", "--max-tokens", "1"});
    EXPECT_EQ(scores.at("argmax").back(), generated.at("tokens")[0]);
    EXPECT_EQ(scores.at("margin").back(), generated.at("margins")[0]);
}

TEST(Score, writes_all_logits_that_agree_with_its_scores) {
    const auto file = std::filesystem::temp_directory_path() /
                      ("score_logits_" + std::to_string(getpid()) + ".safetensors");
    const auto scores = result_of({"score", "--model", small_bf16, "--tokens", "1,45,81", "--json",
                                   "--logits-out", file.string()});
    std::ifstream stream(file, std::ios::binary);
    const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
    std::filesystem::remove(file);
    std::uint64_t header_bytes = 0;
    ASSERT_GT(bytes.size(), 8U);
    std::memcpy(&header_bytes, bytes.data(), sizeof header_bytes);
    const auto header = json::parse(bytes.substr(8, header_bytes)).at("logits");
    EXPECT_EQ(header.at("dtype"), "F32");
    EXPECT_EQ(header.at("shape"), (json{3, 4096}));
    ASSERT_EQ(bytes.size(), 8 + header_bytes + 3 * 4096 * sizeof(float));
    std::vector<float> logits(3 * 4096);
    std::memcpy(logits.data(), bytes.data() + 8 + header_bytes, logits.size() * sizeof(float));
    for (std::size_t row = 0; row < 3; ++row) {
        const auto* begin = logits.data() + row * 4096;
        EXPECT_EQ(std::max_element(begin, begin + 4096) - begin, scores.at("argmax")[row]);
    }
}

TEST(Info, gives_geometry_formats_parameters_and_identity) {
    const auto object = result_of({"info", "--model", small_nvfp4, "--json"});
    EXPECT_EQ(object.at("geometry").at("schedule"), "MEMEM*EMEM*E");
    EXPECT_EQ(object.at("geometry").at("layers").size(), 12U);
    EXPECT_EQ(object.at("geometry").at("layers")[1].at("experts"), 32);
    EXPECT_EQ(object.at("geometry").at("max_positions"), 8192);
    EXPECT_GT(object.at("model").at("parameters"), 0);
    EXPECT_TRUE(object.at("model").at("formats").contains("NVFP4"));
    EXPECT_EQ(object.at("model").at("sha256").get<std::string>().size(), 64U);
    EXPECT_EQ(object.at("model").at("stop_ids"), (json{2, 4}));
    EXPECT_FALSE(object.contains("plan"));
}

TEST(Info, both_formats_of_the_small_model_have_the_same_parameters) {
    const auto parameters = [](const std::string& model) {
        return result_of({"info", "--model", model, "--json"}).at("model").at("parameters");
    };
    EXPECT_EQ(parameters(small_bf16), parameters(small_nvfp4));
}

TEST(Info, plans_what_bench_then_counts) {
    const auto plan = result_of({"info", "--model", small_bf16, "--plan", "--rows", "4",
                                 "--context", "4", "--json"})
                          .at("plan");
    const auto bench =
        json_lines(engine({"bench", "--model", small_bf16, "--tokens", "1,45,81,84", "--decode",
                           "1", "--reps", "1", "--warm-up", "0", "--json"})
                       .out);
    const auto reps = fakes::lines_of_type(bench, "rep");
    EXPECT_EQ(plan.at("prefill").at("launches"), reps.at(0).at("ops"));
    EXPECT_EQ(plan.at("step").at("launches"), reps.at(1).at("ops"));
    EXPECT_EQ(plan.at("step").at("state_bytes"),
              fakes::lines_of_type(bench, "memory").at(0).at("state_bytes"));
}

TEST(Roof, prints_two_rates_and_how_they_were_measured) {
    const auto object = result_of({"roof", "--json", "--threads", "1"});
    EXPECT_GT(object.at("copy_bytes_per_s"), 1e8);
    EXPECT_GT(object.at("flops_per_s"), 1e8);
    EXPECT_EQ(object.at("threads"), 1);
    EXPECT_FALSE(object.at("how").get<std::string>().empty());
}

}  // namespace
