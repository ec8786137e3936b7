// SPDX-License-Identifier: Apache-2.0
// The golden check can fail: every planted arithmetic defect is seen by it.
#include <gtest/gtest.h>

#include <stdexcept>

#include "tests/golden/golden.h"

namespace {

class MathsFault : public testing::TestWithParam<std::string_view> {};

TEST_P(MathsFault, takes_the_logits_out_of_tolerance) {
    const auto& file = golden::values("public", "bf16");
    const auto result = golden::generate("bf16", golden::tokens(file, "psa.tokens"), 1,
                                         {.maths_faults = {std::string(GetParam())}});
    EXPECT_GT(golden::relative_l2(result, golden::numbers(file, "psa.last_logits")), 1e-4);
}

INSTANTIATE_TEST_SUITE_P(All,
                         MathsFault,
                         testing::ValuesIn(engine::model::maths_fault_names().begin(),
                                           engine::model::maths_fault_names().end()),
                         [](const auto& given) { return std::string(given.param); });

TEST(MathsFaults, an_unknown_name_is_refused_with_the_names_there_are) {
    try {
        golden::generate("bf16", {1}, 1, {.maths_faults = {"no_such"}});
        FAIL() << "no error";
    } catch (const std::invalid_argument& error) {
        const std::string message = error.what();
        EXPECT_NE(message.find("no_such"), std::string::npos) << message;
        for (const std::string_view name : engine::model::maths_fault_names()) {
            EXPECT_NE(message.find(name), std::string::npos) << message;
        }
    }
}

}  // namespace
