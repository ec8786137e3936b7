// SPDX-License-Identifier: Apache-2.0
// Workload "score" through the real binaries: losses are those of the golden files.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// Mean of the golden NAME.nll of each text (F32; layout: engine/format/safetensors.h).
std::map<std::string, double> golden_losses() {
    std::ifstream file(TARE_SOURCE_DIR "/tests/golden/texts-bf16.safetensors", std::ios::binary);
    std::uint64_t size = 0;
    file.read(reinterpret_cast<char*>(&size), sizeof size);
    std::string header(size, '\0');
    file.read(header.data(), static_cast<std::streamsize>(size));
    const std::string data{std::istreambuf_iterator<char>(file), {}};
    std::map<std::string, double> out;
    const json tensors = json::parse(header);
    for (const auto& [name, entry] : tensors.items()) {
        if (name.size() < 4 || name.substr(name.size() - 4) != ".nll") continue;
        const std::size_t begin = entry["data_offsets"][0], end = entry["data_offsets"][1];
        std::vector<float> values((end - begin) / sizeof(float));
        std::memcpy(values.data(), data.data() + begin, end - begin);
        double sum = 0;
        for (const float value : values) sum += static_cast<double>(value);
        out[name.substr(0, name.size() - 4)] = sum / static_cast<double>(values.size());
    }
    return out;
}

class TareScore : public testing::Test {
  protected:
    static void SetUpTestSuite() {
        tare_ = new fakes::Tare;
        result_ = new fakes::Result((*tare_)({"run", fakes::Tare::shipped("score-texts"),
                                              "--rounds", "1", "--profiled-rounds", "1"}));
    }

    static void TearDownTestSuite() {
        delete result_;
        delete tare_;
    }

    static fakes::Tare* tare_;
    static fakes::Result* result_;
};

fakes::Tare* TareScore::tare_ = nullptr;
fakes::Result* TareScore::result_ = nullptr;

TEST_F(TareScore, losses_of_every_text_are_the_golden_ones) {
    ASSERT_EQ(result_->exit_code, 0) << result_->err << result_->out;
    const json report = json::parse((*tare_)({"report", "--format", "json"}).out);
    const auto golden = golden_losses();
    ASSERT_EQ(golden.size(), 7u);
    ASSERT_EQ(report["losses"].size(), 7u);
    double sum = 0;
    for (const json& loss : report["losses"]) {
        const std::string name = loss["name"];
        ASSERT_EQ(golden.count(name), 1u) << name;
        EXPECT_NEAR(loss["nll_mean"], golden.at(name), 1e-4) << name;
        EXPECT_NEAR(loss["nll_sum"], 511 * golden.at(name), 511 * 1e-4) << name;
        EXPECT_EQ(loss["tokens"], 511);
        EXPECT_EQ(loss["trials"], 2);
        sum += golden.at(name);
    }
    EXPECT_NEAR(report["loss_mean"], sum / 7, 1e-4);
}

TEST_F(TareScore, table_markdown_and_csv_tell_each_text_and_the_mean) {
    for (const std::string& text :
         {result_->out, (*tare_)({"report", "--format", "markdown"}).out}) {
        EXPECT_HAS(text, "Losses (negative log likelihood");
        EXPECT_HAS(text, "bindptr.html");
        EXPECT_HAS(text, "mean of the texts");
    }
    EXPECT_HAS((*tare_)({"report", "--format", "csv"}).out, ",score,bindptr.html,(loss),(loss),");
}

TEST_F(TareScore, argmaxes_and_losses_are_the_same_in_all_trials) {
    const json report = json::parse((*tare_)({"report", "--format", "json"}).out);
    std::map<std::string, json> identities;
    for (const json& one : report["identities"]) identities[one["name"]] = one;
    EXPECT_EQ(identities["outputs_with_the_same_tokens"]["expected"], 14);  // 7 texts, 2 trials
    EXPECT_EQ(identities["outputs_with_the_same_tokens"]["seen"], 14);
    EXPECT_EQ(identities["losses_with_the_same_bits"]["expected"], 14);
    EXPECT_EQ(identities["losses_with_the_same_bits"]["seen"], 14);
    EXPECT_TRUE(report["run"]["output_sha256"].is_string());
}

TEST_F(TareScore, phase_is_measured_and_profiled_like_any_other) {
    const json report = json::parse((*tare_)({"report", "--format", "json"}).out);
    ASSERT_EQ(report["phases"].size(), 2u);
    for (const json& phase : report["phases"]) {
        EXPECT_EQ(phase["phase"], "score");
        EXPECT_EQ(phase["valid"], true) << phase;
    }
    EXPECT_FALSE(report["roles"].empty());
}

TEST_F(TareScore, rebuild_gives_the_same_losses) {
    const std::string before = (*tare_)({"report", "--format", "json"}).out;
    ASSERT_EQ((*tare_)({"store", "rebuild"}).exit_code, 0);
    EXPECT_EQ((*tare_)({"report", "--format", "json"}).out, before);
}

}  // namespace
