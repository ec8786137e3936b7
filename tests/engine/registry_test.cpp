// SPDX-License-Identifier: Apache-2.0
// The op registry: names, and work that adds up.
#include "engine/ops/registry.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/ops/attention.h"
#include "engine/ops/expert_matmul.h"
#include "engine/ops/matmul.h"

namespace {

using namespace engine::ops;

TEST(Registry, names_and_kernels_are_unique_and_fit_the_payload) {
    std::set<std::string_view> names, kernels;
    for (const Declaration* op : registry()) {
        EXPECT_TRUE(names.insert(op->name).second) << op->name;
        EXPECT_TRUE(kernels.insert(op->cpu_kernel).second) << op->cpu_kernel;
        EXPECT_LT(op->cpu_kernel.size(), 32u) << op->cpu_kernel;
        EXPECT_FALSE(op->formula.empty()) << op->name;
        EXPECT_EQ(find(op->name), op);
    }
    EXPECT_EQ(find("no_such_op"), nullptr);
}

TEST(Registry, every_role_has_its_own_name) {
    std::set<std::string_view> names;
    for (int role = 0; role <= static_cast<int>(last_role); ++role) {
        EXPECT_TRUE(names.insert(name(static_cast<Role>(role))).second);
    }
    EXPECT_EQ(name(Role::lm_head), "lm_head");
}

TEST(Registry, work_of_a_product_counts_weights_once_and_rows_each) {
    const Work work =
        matmul::work({.in_features = 10, .out_features = 20, .weight_bytes = 400}).at(3);
    EXPECT_EQ(work.bytes_read, 400 + 3 * 40);
    EXPECT_EQ(work.bytes_written, 3 * 80);
    EXPECT_EQ(work.flops, 3 * 2 * 10 * 20);
    EXPECT_EQ(work.rows, 3);
}

TEST(Registry, work_of_experts_counts_those_that_were_hit) {
    const auto model = expert_matmul::work(
        {.in_features = 8, .out_features = 4, .expert_bytes = 64, .experts_hit = 5});
    EXPECT_EQ(model.at(7).bytes_read, 5 * 64 + 7 * 32);
}

TEST(Registry, attention_reads_keys_once_in_prefill_and_per_row_in_decode) {
    attention::Shape shape{.heads = 4, .kv_heads = 2, .head_dim = 8, .shared_keys = 100};
    EXPECT_EQ(attention::work(shape).at(10, 500).bytes_read, 100 * 128 + 10 * 128);
    shape.shared_keys = 0;
    EXPECT_EQ(attention::work(shape).at(1, 500).bytes_read, 500 * 128 + 128);
}

TEST(Registry, stored_bytes_know_the_block_scales) {
    const Matrix matrix{Format::nvfp4, 2, 32, nullptr, nullptr, 1};
    EXPECT_EQ(stored_bytes(matrix), 2 * (16 + 2) + 4);
    const Matrix fp8{Format::fp8, 2, 33, nullptr, nullptr, 1};
    EXPECT_EQ(stored_bytes(fp8), 2 * 33 + 4);
}

}  // namespace
