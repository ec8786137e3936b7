// SPDX-License-Identifier: Apache-2.0
// Synthetic models as a user meets them: described, run, written, refused, interrupted.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"

namespace {

namespace fs = std::filesystem;
using fakes::engine;
using testing::AllOf;
using testing::HasSubstr;
using Arguments = std::vector<std::string>;

// A small member of the family; `vocab` decides how much there is to write.
nlohmann::json config(std::int64_t vocab, std::int64_t hidden) {
    return {{"model_type", "nemotron_h"},
            {"hybrid_override_pattern", "MEM*E"},
            {"vocab_size", vocab},
            {"hidden_size", hidden},
            {"num_attention_heads", 4},
            {"num_key_value_heads", 2},
            {"head_dim", 32},
            {"mamba_num_heads", 8},
            {"mamba_head_dim", 32},
            {"ssm_state_size", 32},
            {"n_groups", 2},
            {"conv_kernel", 4},
            {"n_routed_experts", 16},
            {"num_experts_per_tok", 3},
            {"n_shared_experts", 1},
            {"moe_intermediate_size", 64},
            {"moe_shared_expert_intermediate_size", 128},
            {"max_position_embeddings", 1024},
            {"eos_token_id", 2}};
}

class EngineSynthetic : public testing::Test {
  protected:
    fs::path path(const std::string& name) const { return folder_.path() / name; }

    std::string write_config(std::int64_t vocab, std::int64_t hidden = 256) const {
        std::ofstream(path("mine.json")) << config(vocab, hidden).dump();
        return path("mine.json").string();
    }

    std::int64_t entries() const {
        return std::distance(fs::directory_iterator(folder_.path()), fs::directory_iterator());
    }

    void expect_refused(const Arguments& arguments, const std::string& reason) const {
        const auto result = engine(arguments);
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_THAT(result.err, HasSubstr(reason));
        EXPECT_EQ(result.out, "");
    }

    fakes::TemporaryFolder folder_;
};

TEST_F(EngineSynthetic, info_describes_and_plans_the_real_sizes_without_making_them) {
    const auto result =
        engine({"info", "--model", "synthetic:nemotron-3-nano", "--plan", "--json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto info = fakes::json_lines(result.out).back();
    EXPECT_EQ(info["model"]["name"], "synthetic:nemotron-3-nano");
    EXPECT_NEAR(info["model"]["parameters"].get<double>(), 31.578e9, 0.0005e9);
    EXPECT_NEAR(info["model"]["weights_bytes"].get<double>(), 19.34e9, 0.005e9);
    EXPECT_EQ(info["model"]["stop_ids"], (std::vector{2, 11}));
    EXPECT_EQ(info["geometry"]["max_positions"], 262144);
    EXPECT_GT(info["plan"]["prefill"]["scratch_bytes"].get<std::uint64_t>(), 100'000'000u);
}

TEST_F(EngineSynthetic, a_written_checkpoint_scores_like_the_model_of_the_same_seed) {
    const std::string file = write_config(512);
    for (const std::string format : {"bf16", "nvfp4"}) {
        const std::string out = path(format).string();
        const auto synth = engine(
            {"synth", "--config", file, "--format", format, "--seed", "9", "--out", out, "--json"});
        ASSERT_EQ(synth.exit_code, 0) << synth.err;
        EXPECT_EQ(fakes::json_lines(synth.out).back()["model"],
                  format == "bf16" ? "synthetic:mine@9" : "synthetic:mine:nvfp4@9");
        const Arguments tokens{"--tokens", "1,2,300,4,511", "--json"};
        Arguments stored{"score", "--model", out},
            made{"score",     "--model", "synthetic:" + format + "@9", "--config", file,
                 "--threads", "1"};
        stored.insert(stored.end(), tokens.begin(), tokens.end());
        made.insert(made.end(), tokens.begin(), tokens.end());
        const auto from_disk = engine(stored), in_memory = engine(made);
        EXPECT_EQ(from_disk.exit_code, 0) << from_disk.err;
        EXPECT_EQ(from_disk.out, in_memory.out) << in_memory.err;
    }
}

TEST_F(EngineSynthetic, generate_bench_and_check_run_one) {
    const std::string file = write_config(512);
    const Arguments model{"--model", "synthetic:nvfp4", "--config", file, "--tokens", "1,2,3"};
    const auto with = [&](Arguments command, const Arguments& more) {
        command.insert(command.end(), model.begin(), model.end());
        command.insert(command.end(), more.begin(), more.end());
        return engine(command);
    };
    const auto generated = with({"generate"}, {"--max-tokens", "4", "--ignore-eos", "--json"});
    ASSERT_EQ(generated.exit_code, 0) << generated.err;
    EXPECT_EQ(fakes::json_lines(generated.out).back()["tokens"].size(), 4u);
    const auto benched = with({"bench"}, {"--prefill", "--reps", "1", "--json"});
    ASSERT_EQ(benched.exit_code, 0) << benched.err;
    const auto hello = fakes::lines_of_type(fakes::json_lines(benched.out), "hello").front();
    EXPECT_EQ(hello["model"]["name"], "synthetic:mine:nvfp4");
    EXPECT_EQ(hello["model"]["sha256"].get<std::string>().size(), 64u);
    const auto checked = with({"check", "repeat"}, {});
    EXPECT_EQ(checked.exit_code, 0) << checked.err << checked.out;
}

TEST_F(EngineSynthetic, what_does_not_fit_is_refused_with_needed_and_available_bytes) {
    const std::string file = write_config(1 << 23, 1 << 16);  // over 2 TB
    const auto run = engine({"generate", "--model", "synthetic", "--config", file, "--tokens", "1",
                             "--max-tokens", "1"});
    EXPECT_EQ(run.exit_code, 2) << run.err;
    EXPECT_THAT(run.err, AllOf(HasSubstr("bytes of memory"), HasSubstr("are available"),
                               HasSubstr("--config FILE")));
    write_config(1 << 23, 1 << 23);  // over 280 TB
    expect_refused({"synth", "--config", file, "--out", path("model").string()}, "are free");
    EXPECT_EQ(entries(), 1);  // the config
}

TEST_F(EngineSynthetic, wrong_names_and_options_are_refused) {
    expect_refused({"info", "--model", "synthetic:giant"}, "'giant' is not one of nemotron-3-nano");
    expect_refused({"info", "--model", "synthetic"}, "a NAME is missing");
    expect_refused({"info", "--model", fakes::small_bf16, "--config", "x.json"},
                   "only with --model synthetic");
    expect_refused({"info", "--model", "synthetic", "--config", "/nowhere.json"}, "/nowhere.json");
    expect_refused({"synth", "--out", "x"}, "--model synthetic:NAME or --config FILE");
    expect_refused({"synth", "--model", fakes::small_bf16, "--out", "x"},
                   "synth writes synthetic models");
    expect_refused({"synth", "--model", "synthetic:nano"}, "--out is required");
    const std::string file = write_config(512);
    expect_refused({"synth", "--config", file, "--format", "int4", "--out", path("x").string()},
                   "'int4' is not a format");
    fs::create_directory(path("full"));
    std::ofstream(path("full/mine.txt")) << "x";
    expect_refused({"synth", "--config", file, "--out", path("full").string()}, "not empty");
    EXPECT_TRUE(fs::exists(path("full/mine.txt")));
}

TEST_F(EngineSynthetic, a_full_disk_leaves_no_half_checkpoint) {
    // A limit on the size of files stands in for a full disk: the write fails half-way.
    const auto result = fakes::run({"sh", "-c",
                                    "trap '' XFSZ; ulimit -f 64; exec " TARE_BUILD_DIR
                                    "/bin/tare-engine synth --config " +
                                        write_config(512) + " --out " + path("model").string()});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, AllOf(HasSubstr("cannot be written (File too large)"),
                                  HasSubstr("Free space there")));
    EXPECT_EQ(entries(), 1);
}

// Some gigabytes to write, of which little is written before the signal comes.
fakes::Result stopped_by(const std::string& signal, const std::string& file, const fs::path& out) {
    return fakes::run({"timeout", "--preserve-status", "--signal", signal, "0.3",
                       TARE_BUILD_DIR "/bin/tare-engine", "synth", "--config", file, "--out",
                       out.string()});
}

TEST_F(EngineSynthetic, an_interrupted_write_removes_what_it_wrote) {
    const auto result = stopped_by("INT", write_config(8'000'000), path("model"));
    EXPECT_EQ(result.exit_code, 130) << result.err;
    EXPECT_THAT(result.err, HasSubstr("interrupted; what was written is removed"));
    EXPECT_EQ(entries(), 1);
}

TEST_F(EngineSynthetic, a_killed_write_never_looks_like_a_model) {
    stopped_by("KILL", write_config(8'000'000), path("model"));
    EXPECT_FALSE(fs::exists(path("model")));
    for (const auto& entry : fs::recursive_directory_iterator(folder_.path())) {
        EXPECT_NE(entry.path().filename(), "config.json");
    }
}

}  // namespace
