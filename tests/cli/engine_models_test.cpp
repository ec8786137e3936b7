// SPDX-License-Identifier: Apache-2.0
// Broken models through the real program: exit code, message, and never a number that is none.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"

namespace {

namespace fs = std::filesystem;
using fakes::engine;
using testing::HasSubstr;
using testing::Not;
using Arguments = std::vector<std::string>;

const std::string family = TARE_SOURCE_DIR "/tests/golden/family/";

// The first element of the head becomes a NaN: the last bytes of this member's first tensor are it.
void break_first_weight(const fs::path& file) {
    std::fstream stream(file, std::ios::in | std::ios::out | std::ios::binary);
    std::uint64_t header = 0;
    stream.read(reinterpret_cast<char*>(&header), 8);
    stream.seekp(static_cast<std::streamoff>(8 + header));
    for (int i = 0; i < 40 * 72; ++i) stream.write("\x00\x7e", 2);  // float16 NaN, every token
}

std::vector<Arguments> commands() {
    return {{"generate", "--tokens", "1,2", "--max-tokens", "3", "--json"},
            {"score", "--tokens", "1,2,3", "--json"},
            {"bench", "--tokens", "1,2,3", "--prefill", "--reps", "1", "--json"},
            {"bench", "--tokens", "1,2,3", "--decode", "2", "--reps", "1", "--json"}};
}

TEST(EngineModels, a_nan_in_the_weights_is_exit_code_2_and_never_json) {
    const fakes::TemporaryFolder folder;
    fs::copy(family + "legacy", folder.path() / "m");
    break_first_weight(folder.path() / "m" / "model.safetensors");
    for (Arguments arguments : commands()) {
        arguments.insert(arguments.end(), {"--model", (folder.path() / "m").string()});
        const auto result = engine(arguments);
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_THAT(result.err, HasSubstr("tensor \"model.embeddings.weight\": element [0, 0]"));
        for (const auto& line : fakes::json_lines(result.out)) {
            EXPECT_EQ(line.at("type"), "hello");  // nothing that was computed
        }
        EXPECT_THAT(result.out, Not(HasSubstr("nan")));
    }
}

TEST(EngineModels, a_pipe_for_weights_does_not_hang_the_program) {
    const fakes::TemporaryFolder folder;
    fs::copy(family + "legacy", folder.path() / "m");
    const auto weights = folder.path() / "m" / "model.safetensors";
    fs::remove(weights);
    ASSERT_EQ(::mkfifo(weights.c_str(), 0600), 0);
    const auto result = engine({"info", "--model", (folder.path() / "m").string()});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("is a pipe, not a regular file"));
}

TEST(EngineModels, experts_run_gathered_or_dense_and_say_the_same) {
    std::string outputs[2];
    for (const std::string how : {"gather", "dense"}) {
        const auto result = engine({"bench", "--model", family + "puzzle", "--tokens", "1,2,3,4,5",
                                    "--decode", "3", "--reps", "1", "--moe", how, "--json"});
        ASSERT_EQ(result.exit_code, 0) << result.err;
        const auto lines = fakes::json_lines(result.out);
        EXPECT_EQ(fakes::lines_of_type(lines, "hello").at(0).at("moe"), how);
        outputs[how == "dense"] = fakes::lines_of_type(lines, "output").at(0).dump();
        for (const auto& counters : fakes::lines_of_type(lines, "counters")) {
            const int rows = counters.at("phase") == "prefill" ? 5 : 3;
            EXPECT_EQ(counters.at("expert_rows_asked"), rows * (2 + 3 + 1));
            EXPECT_EQ(counters.at("expert_rows_done"), rows * (how == "dense" ? 6 + 5 + 9 : 6));
            EXPECT_EQ(counters.at("expert_rows_planned"), counters.at("expert_rows_done"));
        }
    }
    EXPECT_EQ(outputs[0], outputs[1]);
}

TEST(EngineModels, info_shows_each_layer_s_experts_and_plans_dense_rows) {
    const auto result = engine({"info", "--model", family + "puzzle", "--plan", "--rows", "10",
                                "--moe", "dense", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto info = nlohmann::json::parse(result.out);
    const auto& layers = info.at("geometry").at("layers");
    EXPECT_EQ(layers.at(1).at("experts"), 6);
    EXPECT_EQ(layers.at(5).at("experts"), 9);
    EXPECT_EQ(layers.at(3).at("latent"), 18);
    EXPECT_EQ(info.at("plan").at("moe"), "dense");
    EXPECT_EQ(info.at("plan").at("prefill").at("expert_rows"), 10 * 20);
    EXPECT_EQ(info.at("plan").at("step").at("expert_rows"), 20);
}

}  // namespace
