// SPDX-License-Identifier: Apache-2.0
// Members of the family: their sizes as published, planned without weights, made in memory.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "engine/model/config_reader.h"
#include "engine/synthetic/catalogue.h"
#include "engine/synthetic/open.h"
#include "tests/engine/scratch_files.h"
#include "tests/engine/synthetic_behaviour.h"

namespace {

using namespace engine::synthetic;
using engine::model::Model;
using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;

Spec spec(const std::string& text) {
    return parse_spec(text, "");
}

Catalogue catalogue_of(const Spec& spec) {
    const engine::model::ConfigReader config(spec.name, spec.config);
    return catalogue(engine::model::read_geometry(config), spec.recipe);
}

Catalogue catalogue_of(const std::string& text) {
    return catalogue_of(spec(text));
}

const Entry* find(const Catalogue& catalogue, const std::string& name) {
    const auto found = std::find_if(catalogue.entries.begin(), catalogue.entries.end(),
                                    [&](const Entry& entry) { return entry.name == name; });
    return found == catalogue.entries.end() ? nullptr : &*found;
}

std::string stored(const Catalogue& catalogue, const std::string& name) {
    const Entry* entry = find(catalogue, name);
    if (!entry) return "none";
    return std::string(engine::format::name(entry->dtype)) + " " +
           engine::format::shape_text(entry->shape);
}

double gigabytes(const std::string& text) {
    return static_cast<double>(catalogue_of(text).bytes()) / 1e9;
}

TEST(SyntheticModel, has_the_published_number_of_parameters) {
    EXPECT_NEAR(double(open(spec("synthetic:nano"), Weights::planned).weights().parameters),
                31.578e9, 0.0005e9);
    EXPECT_NEAR(double(open(spec("synthetic:lightning"), Weights::planned).weights().parameters),
                31.578e9, 0.0005e9);
    EXPECT_NEAR(double(open(spec("synthetic:super"), Weights::planned).weights().parameters),
                120.67e9, 0.005e9);
}

TEST(SyntheticModel, has_the_published_size_in_every_format) {
    EXPECT_NEAR(gigabytes("synthetic:nemotron-3-nano:bf16"), 63.16, 0.01);
    EXPECT_NEAR(gigabytes("synthetic:nemotron-3-nano"), 19.34, 0.005);
    EXPECT_NEAR(gigabytes("synthetic:nemotron-3.5-lightning"), 18.9, 0.05);
}

TEST(SyntheticModel, lists_the_tensors_that_the_released_checkpoint_has) {
    // 18,487 are published; 270 of them are the multi-token-prediction head's.
    EXPECT_EQ(catalogue_of("synthetic:lightning").entries.size(), 18'487u - 270u);
    const Catalogue nano = catalogue_of("synthetic:nano");
    const std::string expert = "backbone.layers.1.mixer.experts.127.";
    EXPECT_EQ(stored(nano, expert + "up_proj.weight"), "U8 [1856, 1344]");
    EXPECT_EQ(stored(nano, expert + "up_proj.weight_scale"), "F8_E4M3 [1856, 168]");
    EXPECT_EQ(stored(nano, expert + "up_proj.weight_scale_2"), "F32 []");
    EXPECT_EQ(stored(nano, expert + "up_proj.input_scale"), "F32 [1]");
    EXPECT_EQ(stored(nano, expert + "down_proj.weight"), "U8 [2688, 928]");
    EXPECT_EQ(stored(nano, expert + "down_proj.weight_scale"), "F8_E4M3 [2688, 116]");
    EXPECT_EQ(stored(nano, "backbone.layers.1.mixer.gate.weight"), "F32 [128, 2688]");
    EXPECT_EQ(stored(nano, "backbone.layers.1.mixer.gate.e_score_correction_bias"), "F32 [128]");
    EXPECT_EQ(stored(nano, "backbone.layers.0.mixer.conv1d.weight"), "BF16 [6144, 1, 4]");
    EXPECT_EQ(stored(nano, "backbone.layers.5.mixer.k_proj.weight"), "BF16 [256, 2688]");
    EXPECT_EQ(stored(nano, "backbone.layers.5.mixer.k_proj.k_scale"), "F32 [1]");
    EXPECT_EQ(stored(nano, "lm_head.weight"), "BF16 [131072, 2688]");
}

TEST(SyntheticModel, quantises_what_the_member_of_that_name_quantises) {
    const std::string fed = "backbone.layers.4.mixer.in_proj.weight";  // attention follows
    const std::string free = "backbone.layers.0.mixer.in_proj.weight";
    const Catalogue nano = catalogue_of("synthetic:nano");
    EXPECT_EQ(stored(nano, fed), "BF16 [10304, 2688]");
    EXPECT_EQ(stored(nano, free), "U8 [10304, 1344]");
    const Catalogue lightning = catalogue_of("synthetic:lightning");
    EXPECT_EQ(stored(lightning, fed), "F8_E4M3 [10304, 2688]");
    EXPECT_EQ(stored(lightning, "lm_head.weight"), "U8 [131072, 1344]");
    EXPECT_EQ(stored(lightning, "lm_head.input_scale"), "none");  // weights only
    const Catalogue plain = catalogue_of("synthetic:nano:bf16");
    EXPECT_EQ(stored(plain, "backbone.layers.1.mixer.gate.weight"), "BF16 [128, 2688]");
    const Catalogue fp8 = catalogue_of("synthetic:nano:fp8");
    EXPECT_EQ(stored(fp8, fed), "BF16 [10304, 2688]");
    EXPECT_EQ(stored(fp8, free), "F8_E4M3 [10304, 2688]");
    EXPECT_EQ(stored(fp8, "backbone.layers.0.mixer.in_proj.weight_scale"), "F32 []");
}

TEST(SyntheticModel, stops_where_released_ones_stop) {
    EXPECT_THAT(open(spec("synthetic:nano"), Weights::planned).stop_ids(), ElementsAre(2, 11));
}

TEST(SyntheticModel, that_does_not_fit_into_memory_is_refused_with_both_numbers) {
    const std::string message = scratch::message_of(
        [&] { open(spec("synthetic:nano@7"), Weights::made, 1, 19'000'000'000); });
    EXPECT_THAT(message, AllOf(HasSubstr("synthetic:nemotron-3-nano@7"), HasSubstr("19339"),
                               HasSubstr("19000000000 are available"), HasSubstr("--config FILE")));
}

// Small enough to be made many times.
Spec tiny(Recipe recipe) {
    Spec spec = behaviour::scaled("nemotron-3-nano", R"({"hybrid_override_pattern":"MEM*E",
        "vocab_size":64,"hidden_size":32,"num_attention_heads":2,"num_key_value_heads":1,
        "head_dim":16,"mamba_num_heads":2,"mamba_head_dim":16,"ssm_state_size":16,"n_groups":1,
        "n_routed_experts":4,"num_experts_per_tok":2,"moe_intermediate_size":32,
        "moe_shared_expert_intermediate_size":32})");
    spec.recipe = recipe;
    return spec;
}

TEST(SyntheticModel, made_in_memory_has_the_values_the_config_and_the_seed_say) {
    const Spec one = tiny(Recipe::nvfp4);
    Spec other = one;
    other.seed = 1;
    const Model a = open(one, Weights::made, 1), b = open(one, Weights::made, 3);
    const Model c = open(other, Weights::made);
    const auto head = [](const Model& model) { return model.weights().lm_head.data; };
    EXPECT_EQ(std::memcmp(head(a), head(b), 64 * 32 * 2), 0);
    EXPECT_NE(std::memcmp(head(a), head(c), 64 * 32 * 2), 0);
    EXPECT_EQ(a.sha256(), b.sha256());
    EXPECT_NE(a.sha256(), c.sha256());
    EXPECT_NE(a.sha256(), open(tiny(Recipe::bf16), Weights::made).sha256());
}

TEST(SyntheticModel, of_sizes_that_nvfp4_cannot_store_names_the_tensor) {
    Spec spec = behaviour::scaled("nemotron-3-nano", R"({"moe_intermediate_size":1850})");
    const std::string message = scratch::message_of([&] { catalogue_of(spec); });
    EXPECT_THAT(message, AllOf(HasSubstr("experts.0.down_proj.weight"), HasSubstr("[2688, 1850]"),
                               HasSubstr("multiple of 16")));
}

TEST(SyntheticSpec, is_parsed_in_all_its_forms) {
    EXPECT_EQ(spec("synthetic:super").name, "nemotron-3-super");
    EXPECT_EQ(spec("synthetic:nemotron-3-lightning").name, "nemotron-3.5-lightning");
    EXPECT_EQ(spec("synthetic:nano").text(), "synthetic:nemotron-3-nano");
    EXPECT_EQ(spec("synthetic:nano:nvfp4").text(), "synthetic:nemotron-3-nano");
    EXPECT_EQ(spec("synthetic:nano:released@0").text(), "synthetic:nemotron-3-nano");
    EXPECT_EQ(spec("synthetic:nano:bf16@12").text(), "synthetic:nemotron-3-nano:bf16@12");
    EXPECT_EQ(spec("synthetic:lightning@18446744073709551615").seed, ~std::uint64_t{0});
    EXPECT_TRUE(is_synthetic("synthetic") && is_synthetic("synthetic@3"));
    EXPECT_FALSE(is_synthetic("synthetic-models/a") || is_synthetic("./synthetic:a"));
}

TEST(SyntheticSpec, of_a_config_file_is_named_by_the_file) {
    const scratch::Directory directory;
    const auto file = directory.write("mine.json", "{}");
    EXPECT_EQ(parse_spec("synthetic", file).text(), "synthetic:mine");
    EXPECT_EQ(parse_spec("synthetic:nvfp4@4", file).text(), "synthetic:mine:nvfp4@4");
    EXPECT_THAT(scratch::message_of([&] { parse_spec("synthetic:released", file); }),
                HasSubstr("'released' is not a format of synthetic:mine"));
    EXPECT_THAT(scratch::message_of([&] { parse_spec("synthetic", "/nowhere.json"); }),
                HasSubstr("/nowhere.json: cannot be opened"));
}

TEST(SyntheticSpec, that_means_nothing_is_refused_with_what_is_accepted) {
    const auto refusal = [](const char* text) {
        return scratch::message_of([&] { parse_spec(text, ""); });
    };
    EXPECT_THAT(refusal("synthetic"), HasSubstr("a NAME is missing"));
    EXPECT_THAT(refusal("synthetic:"), HasSubstr("'' is not one of nemotron-3-nano"));
    EXPECT_THAT(refusal("synthetic:huge"), HasSubstr("'huge' is not one of"));
    EXPECT_THAT(refusal("synthetic:nano:int4"),
                AllOf(HasSubstr("'int4'"), HasSubstr("bf16, nvfp4, fp8, released")));
    EXPECT_THAT(refusal("synthetic:nano:bf16:x"), HasSubstr("too many parts: 'x'"));
    for (const char* seed : {"@", "@-1", "@1x", "@18446744073709551616"}) {
        EXPECT_THAT(refusal((std::string("synthetic:nano") + seed).c_str()),
                    HasSubstr("not a whole number from 0 to 2^64 - 1"));
    }
}

}  // namespace
