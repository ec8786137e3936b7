// SPDX-License-Identifier: Apache-2.0
// A written checkpoint is the model in memory, or it is not there.
#include "engine/synthetic/checkpoint.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <nlohmann/json.hpp>

#include "engine/format/sha256.h"
#include "engine/format/text_file.h"
#include "engine/model/session.h"
#include "engine/synthetic/open.h"
#include "tests/engine/scratch_files.h"
#include "tests/engine/synthetic_behaviour.h"

namespace {

namespace fs = std::filesystem;
using namespace engine::synthetic;
using engine::model::Model;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;

Spec tiny(Recipe recipe) {
    Spec spec = behaviour::scaled("nemotron-3-nano", R"({"hybrid_override_pattern":"MEM*E",
        "vocab_size":512,"hidden_size":64,"num_attention_heads":2,"num_key_value_heads":1,
        "head_dim":32,"mamba_num_heads":4,"mamba_head_dim":16,"ssm_state_size":32,"n_groups":2,
        "n_routed_experts":16,"num_experts_per_tok":3,"moe_intermediate_size":48,
        "moe_shared_expert_intermediate_size":96})");
    spec.recipe = recipe;
    spec.seed = 5;
    return spec;
}

std::vector<std::string> names_in(const fs::path& directory) {
    std::vector<std::string> names;
    for (const auto& file : fs::directory_iterator(directory)) {
        names.push_back(file.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<float> logits(const Model& model) {
    engine::trace::Tracer tracer;
    engine::model::Session session(model, {.threads = 2, .max_tokens = 40}, tracer);
    std::vector<std::int32_t> ids(40);
    for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<std::int32_t>(i * 37 % 512);
    std::vector<float> result;
    session.forward(ids, engine::model::Rows::all, [&](const engine::model::LogitsBlock& block) {
        result.insert(result.end(), block.f32, block.f32 + block.rows * block.vocab);
    });
    return result;
}

TEST(SyntheticCheckpoint, gives_the_logits_of_the_model_in_memory_bit_for_bit) {
    for (const Recipe recipe : {Recipe::bf16, Recipe::nvfp4}) {
        const scratch::Directory directory;
        const fs::path out = directory.path() / "model";
        const Spec spec = tiny(recipe);
        const Written written = write_checkpoint(spec, {.directory = out, .shard_bytes = 100'000});
        EXPECT_GT(written.shards, 2u);
        const Model stored = Model::open(out), made = open(spec, Weights::made);
        EXPECT_EQ(logits(stored), logits(made));
        EXPECT_EQ(stored.weights().formats, made.weights().formats);
        EXPECT_EQ(stored.stop_ids(), made.stop_ids());
        EXPECT_EQ(stored.weights_bytes(), written.bytes);
    }
}

std::string sha256_of_folder(const fs::path& directory) {
    std::string text;
    for (const std::string& name : names_in(directory)) {
        text += name + " " + engine::format::sha256_file(directory / name) + "\n";
    }
    return engine::format::sha256_hex(std::as_bytes(std::span(text)));
}

TEST(SyntheticCheckpoint, has_the_same_bytes_for_the_same_seed_wherever_it_is_made) {
    for (const int threads : {1, 3}) {
        const scratch::Directory directory;
        for (const Recipe recipe : {Recipe::bf16, Recipe::fp8, Recipe::nvfp4, Recipe::lightning}) {
            const fs::path out = directory.path() / std::to_string(static_cast<int>(recipe));
            write_checkpoint(tiny(recipe),
                             {.directory = out, .shard_bytes = 150'000, .threads = threads});
        }
        EXPECT_EQ(sha256_of_folder(directory.path() / "0"),
                  "9ee665ac87ba2ed90a2842bd821c71540aa83f2634fd46471baff434691cab1e");
        EXPECT_EQ(sha256_of_folder(directory.path() / "1"),
                  "f324889d16909ab899e7b9a0993a85f13ee47d6ffed563abdbb93aa48939b381");
        EXPECT_EQ(sha256_of_folder(directory.path() / "2"),
                  "01512f6173766c700ff9f8aac79f2ea6f8bbe14162112865c87e9ca0a9bec99e");
        EXPECT_EQ(sha256_of_folder(directory.path() / "3"),
                  "83445abc3a654db546d980226abf7d216fdd3cb9debd3acb16e4f7c6b2678165");
    }
}

TEST(SyntheticCheckpoint, has_the_files_that_released_ones_have) {
    const scratch::Directory directory;
    const fs::path out = directory.path() / "a" / "..";  // any way to say it
    const Spec spec = tiny(Recipe::lightning);
    write_checkpoint(spec, {.directory = out / "model" / ""});
    const fs::path model = directory.path() / "model";
    EXPECT_THAT(names_in(model), ElementsAre("config.json", "generation_config.json",
                                             "hf_quant_config.json", "model.safetensors"));
    EXPECT_EQ(engine::format::read_text(model / "config.json"), spec.config);
    const auto quant =
        nlohmann::json::parse(engine::format::read_text(model / "hf_quant_config.json"))
            .at("quantization");
    EXPECT_EQ(quant.at("quant_algo"), "MIXED_PRECISION");
    EXPECT_EQ(quant.at("quantized_layers").at("lm_head").at("quant_algo"), "W4A16_NVFP4");
    EXPECT_EQ(quant.at("quantized_layers").at("backbone.layers.0.mixer.in_proj").at("quant_algo"),
              "FP8");
    EXPECT_EQ(quant.at("kv_cache_quant_algo"), "FP8");
}

TEST(SyntheticCheckpoint, replaces_an_empty_folder_and_nothing_else) {
    const scratch::Directory directory;
    const auto refusal = [&](const fs::path& out) {
        return scratch::message_of(
            [&] { write_checkpoint(tiny(Recipe::bf16), {.directory = out}); });
    };
    fs::create_directory(directory.path() / "full");
    directory.write("full/mine.txt", "x");
    directory.write("file", "x");
    fs::create_directory(directory.path() / "empty");
    EXPECT_THAT(refusal(directory.path() / "full"), HasSubstr("exists and is not empty"));
    EXPECT_THAT(refusal(directory.path() / "file"), HasSubstr("is no folder"));
    EXPECT_THAT(refusal(directory.path() / "no" / "parent"),
                HasSubstr("does not exist; create it"));
    EXPECT_EQ(refusal(directory.path() / "empty"), "");
    EXPECT_THAT(names_in(directory.path()), ElementsAre("empty", "file", "full"));
    EXPECT_THAT(names_in(directory.path() / "full"), ElementsAre("mine.txt"));
}

TEST(SyntheticCheckpoint, that_the_disk_cannot_hold_is_refused_before_it_is_begun) {
    const scratch::Directory directory;
    Spec spec = tiny(Recipe::bf16);  // an embedding of 2^47 bytes
    auto config = nlohmann::json::parse(spec.config);
    config["vocab_size"] = 1 << 23;
    config["hidden_size"] = 1 << 23;
    spec.config = config.dump();
    const std::string message = scratch::message_of(
        [&] { write_checkpoint(spec, {.directory = directory.path() / "model"}); });
    EXPECT_THAT(message, HasSubstr("bytes of disk"));
    EXPECT_THAT(message, HasSubstr("are free"));
    EXPECT_THAT(names_in(directory.path()), IsEmpty());
}

TEST(SyntheticCheckpoint, that_is_interrupted_leaves_nothing_behind) {
    const scratch::Directory directory;
    int calls = 0;
    EXPECT_THROW(write_checkpoint(tiny(Recipe::bf16), {.directory = directory.path() / "model",
                                                       .shard_bytes = 100'000,
                                                       .interrupted = [&] { return ++calls > 2; }}),
                 Interrupted);
    EXPECT_EQ(calls, 3);
    EXPECT_THAT(names_in(directory.path()), IsEmpty());
}

}  // namespace
