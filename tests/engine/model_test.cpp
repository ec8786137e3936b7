// SPDX-License-Identifier: Apache-2.0
// Opening a model: formats per tensor, prefixes, every tensor accounted for.
#include "engine/model/model.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/engine/tiny_model.h"

namespace {

using engine::model::Model;
using engine::ops::Format;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

// The error when one tensor of the tiny model is replaced, or added.
std::string refusal(const std::string& name, const tiny_model::Stored& stored) {
    const scratch::Directory directory;
    auto tensors = tiny_model::tensors();
    tensors[name] = stored;
    tiny_model::write(directory, tensors, tiny_model::config());
    return scratch::message_of([&] { Model::open(directory.path()); });
}

std::string refusal_without(const std::string& name) {
    const scratch::Directory directory;
    auto tensors = tiny_model::tensors();
    tensors.erase(name);
    tiny_model::write(directory, tensors, tiny_model::config());
    return scratch::message_of([&] { Model::open(directory.path()); });
}

TEST(Model, the_format_of_a_weight_is_decided_by_its_own_tensors) {
    const scratch::Directory directory;
    tiny_model::write(directory, tiny_model::tensors(), tiny_model::config());
    const Model model = Model::open(directory.path());
    EXPECT_EQ(model.weights().layers[0].mlp.up.format, Format::nvfp4);
    EXPECT_EQ(model.weights().layers[0].mlp.down.format, Format::f16);
    EXPECT_EQ(model.weights().embedding.format, Format::f32);
    EXPECT_EQ(model.weights().parameters, 128 + 16 + 96 + 96 + 16 + 128);
    const std::map<std::string, std::int64_t> formats{
        {"BF16", 2}, {"F16", 1}, {"F32", 2}, {"NVFP4", 1}};
    EXPECT_EQ(model.weights().formats, formats);
    EXPECT_THAT(model.stop_ids(), ElementsAre(2));
}

TEST(Model, the_newer_prefixes_are_understood) {
    for (const char* prefix :
         {"model.", "model.language_model.", "language_model.backbone.", "language_model.model."}) {
        const scratch::Directory directory;
        auto tensors = tiny_model::tensors(prefix);
        if (std::string(prefix).substr(0, 4) == "lang") {
            tensors["language_model.lm_head.weight"] = tensors["lm_head.weight"];
            tensors.erase("lm_head.weight");
        }
        tiny_model::write(directory, tensors, tiny_model::config());
        EXPECT_EQ(scratch::message_of([&] { Model::open(directory.path()); }), "");
    }
}

TEST(Model, an_eight_bit_weight_has_one_scale_of_either_shape) {
    for (const std::vector<std::int64_t>& shape : {std::vector<std::int64_t>{}, {1}}) {
        const scratch::Directory directory;
        auto tensors = tiny_model::tensors();
        tensors["lm_head.weight"] = {"F8_E4M3", {8, 16}, 128};
        tensors["lm_head.weight_scale"] = {"F32", shape, 4};
        tensors["lm_head.input_scale"] = {"F32", {1}, 4};
        tiny_model::write(directory, tensors, tiny_model::config());
        const Model model = Model::open(directory.path());
        EXPECT_EQ(model.weights().lm_head.format, Format::fp8);
        EXPECT_EQ(model.weights().lm_head.scale, 0.0f);
        EXPECT_EQ(model.weights().formats.at("FP8"), 1);
        EXPECT_EQ(model.weights().parameters, 128 + 16 + 96 + 96 + 16 + 128);
    }
}

TEST(Model, scales_that_are_not_one_finite_number_are_refused) {
    for (const tiny_model::Stored& scale :
         {tiny_model::Stored{"F32", {8, 1}, 32}, {"BF16", {}, 2}, {"F8_E4M3", {8, 1}, 8}}) {
        const scratch::Directory directory;
        auto tensors = tiny_model::tensors();
        tensors["lm_head.weight"] = {"F8_E4M3", {8, 16}, 128};
        tensors["lm_head.weight_scale"] = scale;
        tiny_model::write(directory, tensors, tiny_model::config());
        EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                    AllOf(HasSubstr("lm_head.weight_scale"), HasSubstr("one F32 number")));
    }
    EXPECT_THAT(refusal("backbone.layers.0.mixer.up_proj.weight_scale_2", {"F32", {6}, 24}),
                AllOf(HasSubstr("weight_scale_2"), HasSubstr("one F32 number")));
}

TEST(Model, a_head_beside_tied_embeddings_is_not_used) {
    const scratch::Directory directory;
    auto config = tiny_model::config();
    config["tie_word_embeddings"] = true;
    tiny_model::write(directory, tiny_model::tensors(), config);
    const Model model = Model::open(directory.path());
    EXPECT_EQ(model.weights().lm_head.data, model.weights().embedding.data);
}

// A layer of 3 experts in two tensors instead of six.
std::map<std::string, tiny_model::Stored> stacked_tensors(const std::string& dtype,
                                                          std::int64_t experts) {
    auto tensors = tiny_model::tensors();
    std::erase_if(tensors,
                  [](const auto& entry) { return entry.first.find("mixer") != std::string::npos; });
    const std::string mixer = "backbone.layers.0.mixer.";
    const std::size_t bytes = (dtype == "BF16" ? 2 : 1) * static_cast<std::size_t>(experts) * 96;
    tensors[mixer + "gate.weight"] = {"F32", {3, 16}, 192};
    tensors[mixer + "gate.e_score_correction_bias"] = {"F32", {3}, 12};
    tensors[mixer + "experts.up_proj"] = {dtype, {experts, 6, 16}, bytes};
    tensors[mixer + "experts.down_proj"] = {dtype, {experts, 16, 6}, bytes};
    return tensors;
}

TEST(Model, stacked_experts_are_taken_apart_or_refused_with_what_is_accepted) {
    auto config = tiny_model::config();
    config["hybrid_override_pattern"] = "E";
    config["n_routed_experts"] = 3;
    config["num_experts_per_tok"] = 2;
    config["moe_intermediate_size"] = 6;
    const scratch::Directory directory;
    tiny_model::write(directory, stacked_tensors("BF16", 3), config);
    const Model model = Model::open(directory.path());
    const auto& experts = model.weights().layers[0].moe.experts;
    ASSERT_EQ(experts.size(), 3u);
    EXPECT_EQ(experts[2].up.data - experts[0].up.data, 2 * 96 * 2);
    EXPECT_EQ(experts[1].down.cols, 6);
    tiny_model::write(directory, stacked_tensors("BF16", 4), config);
    EXPECT_THAT(
        scratch::message_of([&] { Model::open(directory.path()); }),
        AllOf(HasSubstr("experts.up_proj"), HasSubstr("[4, 6, 16]"), HasSubstr("[3, 6, 16]")));
    tiny_model::write(directory, stacked_tensors("F8_E4M3", 3), config);
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                AllOf(HasSubstr("experts.up_proj"), HasSubstr("layers of their own")));
}

TEST(Model, tied_embeddings_need_no_head) {
    const scratch::Directory directory;
    auto tensors = tiny_model::tensors();
    tensors.erase("lm_head.weight");
    auto config = tiny_model::config();
    config["tie_word_embeddings"] = true;
    tiny_model::write(directory, tensors, config);
    const Model model = Model::open(directory.path());
    EXPECT_EQ(model.weights().lm_head.data, model.weights().embedding.data);
}

TEST(Model, stop_ids_come_from_the_generation_config_where_there_is_one) {
    const scratch::Directory directory;
    tiny_model::write(directory, tiny_model::tensors(), tiny_model::config());
    directory.write("generation_config.json", R"({"eos_token_id":[2,4]})");
    EXPECT_THAT(Model::open(directory.path()).stop_ids(), ElementsAre(2, 4));
}

TEST(Model, an_unknown_tensor_is_an_error_and_a_known_useless_one_is_not) {
    EXPECT_THAT(refusal("backbone.layers.0.mixer.gate_proj.weight", {"F32", {2}, 8}),
                AllOf(HasSubstr("gate_proj"), HasSubstr("F32 [2]"), HasSubstr("unknown")));
    EXPECT_EQ(refusal("backbone.layers.0.mixer.up_proj.input_scale", {"F32", {1}, 4}), "");
    EXPECT_EQ(refusal("mtp.layers.0.norm.weight", {"F32", {1}, 4}), "");
    EXPECT_THAT(refusal("backbone.layers.9.mixer.k_proj.k_scale", {"F32", {1}, 4}),
                AllOf(HasSubstr("k_scale"), HasSubstr("unknown")));
}

TEST(Model, a_missing_tensor_is_named) {
    EXPECT_THAT(refusal_without("backbone.layers.0.norm.weight"),
                HasSubstr("layers.0.norm.weight"));
    EXPECT_THAT(refusal_without("backbone.layers.0.mixer.up_proj.weight_scale_2"),
                HasSubstr("weight_scale_2"));
    EXPECT_THAT(refusal_without("backbone.embeddings.weight"), HasSubstr("embeddings"));
    EXPECT_THAT(refusal_without("lm_head.weight"), HasSubstr("lm_head"));
}

TEST(Model, a_tensor_of_the_wrong_shape_or_type_is_refused_with_both) {
    EXPECT_THAT(refusal("lm_head.weight", {"BF16", {8, 15}, 240}),
                AllOf(HasSubstr("[8, 15]"), HasSubstr("[8, 16]")));
    EXPECT_THAT(refusal("lm_head.weight", {"I32", {8, 16}, 512}), HasSubstr("dtype I32"));
    EXPECT_THAT(refusal("lm_head.weight", {"F8_E4M3", {8, 16}, 128}),
                AllOf(HasSubstr("lm_head.weight_scale"), HasSubstr("missing")));
    EXPECT_THAT(refusal("backbone.norm_f.weight", {"F8_E4M3", {16}, 16}),
                HasSubstr("dtype F8_E4M3"));
    EXPECT_THAT(refusal("backbone.norm_f.weight", {"F32", {15}, 60}), HasSubstr("[15]"));
    EXPECT_THAT(refusal("backbone.norm_f.weight", {"F64", {16}, 128}), HasSubstr("dtype F64"));
    EXPECT_THAT(refusal("backbone.layers.0.mixer.up_proj.weight_scale", {"F8_E4M3", {6, 2}, 12}),
                AllOf(HasSubstr("[6, 2]"), HasSubstr("NVFP4"), HasSubstr("[6, 1]")));
}

TEST(Model, a_directory_without_a_config_is_no_model) {
    const scratch::Directory directory;
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                HasSubstr("has no config.json"));
}

TEST(Model, the_shipped_models_have_the_same_parameters_and_their_own_identity) {
    const Model bf16 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16");
    const Model nvfp4 = Model::open(TARE_SOURCE_DIR "/scenarios/models/small-nvfp4");
    EXPECT_EQ(bf16.weights().parameters, 8751002);
    EXPECT_EQ(nvfp4.weights().parameters, 8751002);
    EXPECT_EQ(bf16.name(), "small-bf16");
    EXPECT_EQ(bf16.sha256().size(), 64u);
    EXPECT_EQ(bf16.sha256(), Model::open(TARE_SOURCE_DIR "/scenarios/models/small-bf16").sha256());
    EXPECT_NE(bf16.sha256(), nvfp4.sha256());
    EXPECT_THAT(nvfp4.stop_ids(), ElementsAre(2, 4));
}

}  // namespace
