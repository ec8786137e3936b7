// SPDX-License-Identifier: Apache-2.0
// The first matching rule decides; nothing matching is "other".
#include "reports/ingest/roles.h"

#include <gmock/gmock.h>

#include "reports/ingest/derive_profile.h"

namespace {

using namespace reports::ingest;
using testing::HasSubstr;

TEST(roles, first_matching_rule_decides) {
    const std::vector<RoleRule> rules = {{"rms*", "norm"}, {"*matmul*", "gemm"}, {"*", "rest"}};
    EXPECT_EQ(role_of("rmsnorm_kernel", rules), "norm");
    EXPECT_EQ(role_of("rms_matmul", rules), "norm");
    EXPECT_EQ(role_of("a_matmul_b", rules), "gemm");
    EXPECT_EQ(role_of("", rules), "rest");
}

TEST(roles, what_nothing_matches_is_other) {
    EXPECT_EQ(role_of("kernel", {}), "other");
    EXPECT_EQ(role_of("abc", {{"ab", "x"}, {"*bd", "y"}, {"b*", "z"}}), "other");
}

TEST(roles, shipped_rules_name_common_kernels) {
    EXPECT_EQ(role_of("rms_norm", shipped_role_rules()), "norm");
    EXPECT_EQ(role_of("ssd_scan", shipped_role_rules()), "scan");
    EXPECT_EQ(role_of("nobody_knows", shipped_role_rules()), "other");
}

TEST(roles, wrong_rule_is_named_with_its_line_and_the_accepted_form) {
    try {
        parse_role_rules("rule = [\n  { kernel = \"a\" },\n]\n");
        FAIL();
    } catch (const std::invalid_argument& error) {
        EXPECT_THAT(error.what(),
                    testing::AllOf(HasSubstr("line 2"), HasSubstr("role = \"name\"")));
    }
    EXPECT_THROW(parse_role_rules("rule = 3"), std::invalid_argument);
    EXPECT_THROW(parse_role_rules("rule = [\n{"), std::invalid_argument);
}

TEST(path_family, layers_fall_together_and_names_with_digits_stay) {
    EXPECT_EQ(path_family("prefill/layer.03.moe/experts.up"), "prefill/layer.*.moe/experts.up");
    EXPECT_EQ(path_family("decode/step/layer.11.mamba/conv1d"), "decode/step/layer.*.mamba/conv1d");
    EXPECT_EQ(path_family("12/34.5"), "*/*.*");
    EXPECT_EQ(path_family(""), "");
}

}  // namespace
