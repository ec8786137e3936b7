// SPDX-License-Identifier: Apache-2.0
// Picks and weights of experts: bias, ties, groups, underflow, NaN.
#include "engine/ops/router.h"

#include "tests/engine/op_fixture.h"

namespace {

using namespace op_fixture;
using engine::cpu::Routing;

struct Picked {
    std::vector<std::int32_t> picks;
    std::vector<double> weights;
};

// One row.
Picked pick(const std::vector<double>& logits,
            const std::vector<double>& bias,
            Index top_k,
            Index groups = 1,
            Index top_groups = 1,
            bool normalise = true) {
    const auto experts = static_cast<Index>(logits.size());
    std::vector<double> choice(logits.size());
    Picked result{std::vector<std::int32_t>(top_k), std::vector<double>(top_k)};
    const Machine<double> machine(Set::automatic, 1, 0);
    engine::cpu::route(
        *machine,
        Routing<double>{logits.data(), bias.data(), result.picks.data(), result.weights.data(),
                        experts, top_k, groups, top_groups, 2.5, normalise, choice.data()},
        1);
    return result;
}

double sigmoid(double x) {
    return 1 / (1 + std::exp(-x));
}

TEST(Router, the_bias_selects_and_does_not_weigh) {
    const Picked p = pick({0.0, 1.0, 2.0, -1.0}, {0.0, 0.0, -5.0, 5.0}, 2);
    EXPECT_EQ(p.picks, (std::vector<std::int32_t>{3, 1}));
    const double sum = sigmoid(-1) + sigmoid(1);
    EXPECT_NEAR(p.weights[0], 2.5 * sigmoid(-1) / sum, 1e-14);
    EXPECT_NEAR(p.weights[1], 2.5 * sigmoid(1) / sum, 1e-14);
}

TEST(Router, equal_choices_go_to_the_lower_id) {
    EXPECT_EQ(pick({1, 2, 2, 2}, {0, 0, 0, 0}, 2).picks, (std::vector<std::int32_t>{1, 2}));
}

TEST(Router, weights_can_stay_unnormalised) {
    EXPECT_NEAR(pick({1, 0}, {0, 0}, 1, 1, 1, false).weights[0], 2.5 * sigmoid(1), 1e-14);
}

TEST(Router, scores_that_all_underflow_give_zero_not_nan) {
    const Picked p = pick({-1e4, -1e4, -1e4}, {0, 0, 0}, 2);
    EXPECT_EQ(p.weights, (std::vector<double>{0, 0}));
}

TEST(Router, nan_ranks_last) {
    EXPECT_EQ(pick({NAN, 1, NAN, 0}, {0, 0, 0, 0}, 3).picks, (std::vector<std::int32_t>{1, 3, 0}));
}

TEST(Router, groups_are_kept_by_the_sum_of_their_two_best) {
    // Group 0 has the best expert, group 1 the best pair.
    const std::vector<double> logits{3, -9, -9, 2, 2, -9, 1, 1, 1}, none(9);
    EXPECT_EQ(pick(logits, none, 2, 3, 1).picks, (std::vector<std::int32_t>{3, 4}));
    EXPECT_EQ(pick(logits, none, 3, 3, 3).picks, (std::vector<std::int32_t>{0, 3, 4}));
}

}  // namespace
