// SPDX-License-Identifier: Apache-2.0
// config.json: both schedule forms, legacy names, per-layer experts, and every refusal.
#include "engine/model/geometry.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "tests/engine/scratch_files.h"

namespace {

using engine::model::Block;
using engine::model::Geometry;
using nlohmann::json;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

json small_config() {
    return json::parse(R"({
        "model_type": "nemotron_h", "vocab_size": 64, "hidden_size": 32,
        "num_attention_heads": 4, "num_key_value_heads": 2, "head_dim": 8,
        "mamba_num_heads": 6, "mamba_head_dim": 16, "ssm_state_size": 8, "n_groups": 2,
        "conv_kernel": 4, "use_conv_bias": true, "intermediate_size": 48,
        "n_routed_experts": 8, "num_experts_per_tok": 2, "n_shared_experts": 1,
        "moe_intermediate_size": 16, "moe_shared_expert_intermediate_size": 24,
        "routed_scaling_factor": 2.5, "layer_norm_epsilon": 1e-5,
        "hybrid_override_pattern": "ME*-"})");
}

Geometry read(const json& config) {
    const scratch::Directory directory;
    return engine::model::read_geometry(directory.write("config.json", config.dump()));
}

// The refusal of the small config with one key changed.
std::string refusal(const std::string& key, const json& value) {
    json config = small_config();
    config[key] = value;
    return scratch::message_of([&] { read(config); });
}

std::vector<Block> kinds(const Geometry& geometry) {
    std::vector<Block> result;
    for (const auto& layer : geometry.layers) result.push_back(layer.kind);
    return result;
}

TEST(Geometry, a_pattern_gives_the_schedule) {
    const Geometry g = read(small_config());
    EXPECT_THAT(kinds(g), ElementsAre(Block::mamba, Block::moe, Block::attention, Block::mlp));
    EXPECT_EQ(g.mamba.inner(), 96);
    EXPECT_EQ(g.mamba.conv_channels(), 96 + 2 * 2 * 8);
    EXPECT_EQ(g.mamba.projection(), 96 + 128 + 6);
    EXPECT_EQ(g.layers[3].mlp_width, 48);
    EXPECT_EQ(g.layers[1].moe.shared_width, 24);
    EXPECT_EQ(g.layers[1].moe.scale, 2.5);
}

TEST(Geometry, every_word_of_a_list_is_understood_and_the_list_wins) {
    json config = small_config();
    config["layers_block_type"] = {"mamba",     "linear_attention", "moe",
                                   "attention", "full_attention",   "mlp"};
    EXPECT_THAT(kinds(read(config)), ElementsAre(Block::mamba, Block::mamba, Block::moe,
                                                 Block::attention, Block::attention, Block::mlp));
}

TEST(Geometry, legacy_names_override_the_modern_ones) {
    json config = small_config();
    config["mamba_n_groups"] = 3;
    config["mamba_d_conv"] = 2;
    config["mamba_conv_bias"] = false;
    config["mamba_dt_limit"] = {0.5, "inf"};
    const Geometry g = read(config);
    EXPECT_EQ(g.mamba.groups, 3);
    EXPECT_EQ(g.mamba.conv_taps, 2);
    EXPECT_FALSE(g.mamba.conv_bias);
    EXPECT_EQ(g.mamba.dt_floor, 0.5);
    EXPECT_EQ(g.mamba.dt_ceiling, std::numeric_limits<double>::infinity());
}

TEST(Geometry, time_steps_are_not_limited_unless_the_config_says_so) {
    json config = small_config();
    config["time_step_min"] = 0.01;
    EXPECT_EQ(read(config).mamba.dt_floor, 0.0);
}

TEST(Geometry, experts_may_differ_between_layers) {
    json config = small_config();
    config["hybrid_override_pattern"] = "EE";
    config["n_routed_experts"] = {8, 4};
    EXPECT_EQ(read(config).layers[0].moe.experts, 8);
    EXPECT_EQ(read(config).layers[1].moe.experts, 4);
    config["block_configs"] = {{{"moe_intermediate_size", 10}}, {{"num_experts_per_tok", 3}}};
    EXPECT_EQ(read(config).layers[0].moe.width, 10);
    EXPECT_EQ(read(config).layers[1].moe.width, 16);
    EXPECT_EQ(read(config).layers[1].moe.top_k, 3);
}

TEST(Geometry, block_configs_alone_give_the_schedule) {
    json config = small_config();
    config.erase("hybrid_override_pattern");
    config["block_configs"] = {{{"block_type", "moe"}}, {{"block_type", "mamba"}}};
    EXPECT_THAT(kinds(read(config)), ElementsAre(Block::moe, Block::mamba));
}

TEST(Geometry, a_refusal_names_file_key_value_and_accepted_form) {
    EXPECT_THAT(refusal("hidden_size", "big"),
                AllOf(HasSubstr("config.json"), HasSubstr("\"hidden_size\" is \"big\""),
                      HasSubstr("a whole number from 1 to 16777216")));
    EXPECT_THAT(refusal("vocab_size", nullptr), HasSubstr("vocab_size"));
    EXPECT_THAT(refusal("hybrid_override_pattern", "MX"),
                HasSubstr("\"hybrid_override_pattern\"[1] is \"X\"; accepted: M (mamba), E (moe), "
                          "* (attention) or - (mlp)"));
    EXPECT_THAT(refusal("layers_block_type", {"moe", "conv"}),
                HasSubstr("\"layers_block_type\"[1] is \"conv\"; accepted: mamba or "
                          "linear_attention, moe, attention or full_attention, mlp"));
    EXPECT_THAT(refusal("layers_block_type", json::array()), HasSubstr("layers_block_type"));
    EXPECT_THAT(refusal("model_type", "llama"), HasSubstr("nemotron_h"));
}

TEST(Geometry, a_refusal_of_a_lists_element_says_which_it_is_and_what) {
    EXPECT_THAT(refusal("layers_block_type", {"moe", 7}),
                HasSubstr("\"layers_block_type\"[1] is 7; accepted: a string"));
    EXPECT_THAT(refusal("time_step_limit", {0, "much"}),
                HasSubstr("\"time_step_limit\"[1] is \"much\"; accepted: a number"));
    EXPECT_THAT(refusal("moe_intermediate_size", {80, -80}),
                HasSubstr("\"moe_intermediate_size\"[1] is -80; accepted: a whole number from 0"));
    EXPECT_THAT(
        refusal("hybrid_override_pattern", "M\u00e9"),  // an index of bytes, whole characters
        HasSubstr("\"hybrid_override_pattern\"[1] is \"\\u00e9\""));
    EXPECT_THAT(refusal("hybrid_override_pattern", "M\x1b"), HasSubstr("[1] is \"\\u001b\""));
}

TEST(Geometry, sizes_that_do_not_fit_each_other_are_refused) {
    EXPECT_THAT(refusal("n_groups", 4), HasSubstr("a divisor of mamba_num_heads, 6"));
    EXPECT_THAT(refusal("num_key_value_heads", 3),
                HasSubstr("a divisor of num_attention_heads, 4"));
    EXPECT_THAT(refusal("num_experts_per_tok", 9), HasSubstr("at most n_routed_experts, 8"));
    EXPECT_THAT(refusal("n_group", 3), HasSubstr("a divisor of n_routed_experts, 8"));
    EXPECT_THAT(refusal("topk_group", 2), HasSubstr("1 to n_group, 1"));
    EXPECT_THAT(refusal("moe_intermediate_size", {1, 2}), HasSubstr("or a list of 4"));
    EXPECT_THAT(refusal("time_step_limit", {2, 1}), HasSubstr("low <= high"));
    EXPECT_THAT(refusal("block_configs", json::array({json::object()})),
                HasSubstr("a list of 4 objects"));
}

TEST(Geometry, features_that_the_engine_lacks_are_refused_not_ignored) {
    for (const char* key : {"use_bias", "mamba_proj_bias", "mlp_bias", "attention_bias"}) {
        EXPECT_THAT(refusal(key, true), HasSubstr(key));
    }
    EXPECT_THAT(refusal("rope_scaling", {{"factor", 2}}), HasSubstr("no positional encoding"));
    EXPECT_THAT(refusal("position_embedding_type", "rope"), HasSubstr("position_embedding_type"));
    EXPECT_THAT(refusal("sliding_window", 128), HasSubstr("sliding_window"));
    EXPECT_THAT(refusal("mlp_hidden_act", "gelu"), HasSubstr("relu2"));
    EXPECT_THAT(refusal("mamba_hidden_act", "gelu"), HasSubstr("silu"));
    EXPECT_THAT(refusal("n_shared_experts", 2), HasSubstr("0 or 1"));
}

TEST(Geometry, latent_experts_have_their_own_width_also_per_layer) {
    json config = small_config();
    config["moe_latent_size"] = nullptr;
    EXPECT_EQ(read(config).layers[1].moe.latent, 0);
    EXPECT_EQ(read(config).layers[1].moe.expert_io(32), 32);
    config["moe_latent_size"] = 12;
    EXPECT_EQ(read(config).layers[1].moe.expert_io(32), 12);
    config["block_configs"] = {{{"block_type", "mamba"}},
                               {{"block_type", "moe"},
                                {"moe_latent_size", 10},
                                {"n_routed_experts", 5},
                                {"num_experts_per_tok", 3}},
                               {{"block_type", "attention"}},
                               {{"block_type", "mlp"}, {"intermediate_size", 7}}};
    const Geometry g = read(config);
    EXPECT_EQ(g.layers[1].moe.latent, 10);
    EXPECT_EQ(g.layers[1].moe.experts, 5);
    EXPECT_EQ(g.layers[3].mlp_width, 7);
}

TEST(Geometry, the_schedule_alone_says_how_deep_the_model_is) {
    json config = small_config();
    for (const json& depth : {json(nullptr), json(0), json(52), json("many")}) {
        config["num_hidden_layers"] = depth;
        EXPECT_EQ(read(config).layers.size(), 4u);
    }
}

TEST(Geometry, letters_are_understood_in_lists_too) {
    json config = small_config();
    config["layers_block_type"] = {"M", "E", "*", "-"};
    EXPECT_EQ(kinds(read(config)), kinds(read(small_config())));
}

TEST(Geometry, block_configs_that_contradict_the_schedule_are_refused) {
    EXPECT_THAT(refusal("block_configs", {{{"block_type", "mamba"}},
                                          {{"block_type", "mlp"}},
                                          {{"block_type", "attention"}},
                                          {{"block_type", "mlp"}}}),
                AllOf(HasSubstr("block_configs[1]"), HasSubstr("\"mlp\""),
                      HasSubstr("\"moe\", as the schedule has it")));
}

TEST(Geometry, either_name_of_the_epsilon_is_read_and_the_longer_one_wins) {
    json config = small_config();
    config["norm_eps"] = 1e-3;
    EXPECT_EQ(read(config).epsilon, 1e-5);
    config.erase("layer_norm_epsilon");
    EXPECT_EQ(read(config).epsilon, 1e-3);
}

TEST(Geometry, architectures_of_other_families_are_refused_by_name) {
    EXPECT_THAT(refusal("architectures", {"LlamaForCausalLM"}),
                AllOf(HasSubstr("LlamaForCausalLM"), HasSubstr("NemotronHForCausalLM"),
                      HasSubstr("NemotronHPuzzleForCausalLM")));
    json config = small_config();
    config.erase("model_type");
    EXPECT_THAT(scratch::message_of([&] { read(config); }), HasSubstr("\"model_type\" is missing"));
    config["architectures"] = {"NemotronHPuzzleForCausalLM"};
    EXPECT_EQ(read(config).layers.size(), 4u);
}

TEST(Geometry, python_s_words_for_numbers_are_read) {
    const scratch::Directory directory;
    std::string text = small_config().dump();
    text.insert(1, R"("time_step_limit": [0.0, Infinity], "comment": "NaN \" Infinity", )");
    const Geometry g = engine::model::read_geometry(directory.write("config.json", text));
    EXPECT_EQ(g.mamba.dt_ceiling, std::numeric_limits<double>::infinity());
    text.insert(1, R"("routed_scaling_factor": NaN, )");
    text.replace(text.find("\"routed_scaling_factor\":2.5"), 27, "\"other\":1");
    const auto file = directory.write("config.json", text);
    EXPECT_THAT(scratch::message_of([&] { engine::model::read_geometry(file); }),
                AllOf(HasSubstr("routed_scaling_factor"), HasSubstr("NaN")));
}

// Every size, with values that no model has.
TEST(Geometry, absurd_values_are_refused_by_key_and_value) {
    const std::vector<json> sizes{0,
                                  -1,
                                  1.5,
                                  1e18,
                                  1000000000000000000,
                                  18446744073709551615u,
                                  "8",
                                  true,
                                  json::array({"8"}),
                                  json::object()};
    for (const char* key :
         {"vocab_size", "hidden_size", "num_attention_heads", "num_key_value_heads", "head_dim",
          "mamba_num_heads", "mamba_head_dim", "ssm_state_size", "n_groups", "conv_kernel",
          "intermediate_size", "n_routed_experts", "num_experts_per_tok", "moe_intermediate_size",
          "moe_shared_expert_intermediate_size"}) {
        for (const json& value : sizes) {
            EXPECT_THAT(refusal(key, value), AllOf(HasSubstr(key), HasSubstr("accepted")))
                << key << " " << value;
        }
    }
    EXPECT_THAT(refusal("vocab_size", 1), HasSubstr("at least 2"));
    for (const json& value : {json(0), json(-1e-5), json(1e30), json("Infinity"), json::array()}) {
        EXPECT_THAT(refusal("layer_norm_epsilon", value), HasSubstr("layer_norm_epsilon"));
    }
    EXPECT_THAT(refusal("routed_scaling_factor", "Infinity"), HasSubstr("a finite number"));
    EXPECT_THAT(refusal("time_step_limit", {0, 1, 2}), HasSubstr("low <= high"));
    EXPECT_THAT(refusal("norm_topk_prob", 1), HasSubstr("true or false"));
    EXPECT_THAT(refusal("hybrid_override_pattern", ""), HasSubstr("M, E, *, -"));
    EXPECT_THAT(refusal("hybrid_override_pattern", 7), HasSubstr("a string"));
    EXPECT_THAT(refusal("block_configs", {1, 2, 3, 4}),
                HasSubstr("\"block_configs\"[0] is 1; accepted: an object"));
}

TEST(Geometry, a_value_that_is_too_long_to_print_is_cut) {
    const std::string message = refusal("hidden_size", std::vector<int>(100000, 7));
    EXPECT_LT(message.size(), 500u);
    EXPECT_THAT(message, HasSubstr("a list of 100000"));
}

TEST(Geometry, nesting_without_end_is_refused) {
    const scratch::Directory directory;
    for (const std::size_t depth : {70u, 5'000'000u}) {
        const auto file =
            directory.write("config.json", R"({"hidden_size":)" + std::string(depth, '[') +
                                               std::string(depth, ']') + "}");
        EXPECT_THAT(scratch::message_of([&] { engine::model::read_geometry(file); }),
                    AllOf(HasSubstr("config.json"), HasSubstr("nested deeper than 64")));
    }
}

TEST(Geometry, what_is_unused_does_not_have_to_be_there) {
    json config = json::parse(R"({"model_type":"nemotron_h","vocab_size":8,"hidden_size":4,
        "hybrid_override_pattern":"--","intermediate_size":6})");
    EXPECT_EQ(read(config).layers.size(), 2u);
}

TEST(Geometry, a_config_that_is_not_json_is_refused) {
    const scratch::Directory directory;
    const auto file = directory.write("config.json", "{");
    EXPECT_THAT(scratch::message_of([&] { engine::model::read_geometry(file); }),
                AllOf(HasSubstr("config.json"), HasSubstr("not JSON")));
}

}  // namespace
