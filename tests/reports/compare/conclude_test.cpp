// SPDX-License-Identifier: Apache-2.0
// Which verdict wins, and when arms cannot be compared.
#include <gtest/gtest.h>

#include "reports/compare/compare.h"
#include "reports/compare/outputs.h"
#include "reports/compare/validity.h"
#include "reports/records/tokens.h"

namespace reports::compare {
namespace {

PairVerdict pair_with(const std::vector<Verdict>& metrics) {
    PairVerdict out{.a = "a", .b = "b"};
    for (const Verdict verdict : metrics)
        out.metrics.push_back({.name = "m", .margin = 0.02, .verdict = verdict, .reason = "r"});
    return out;
}

const std::vector<ArmSummary> sound = {{.name = "a"}, {.name = "b"}};

PairVerdict concluded(PairVerdict pair, const std::string& invalid = "") {
    conclude(pair, sound, invalid);
    return pair;
}

TEST(Conclude, one_regressed_metric_outweighs_all_others) {
    using enum Verdict;
    EXPECT_EQ(concluded(pair_with({same, regressed, improved})).exit_code, 1);
    EXPECT_EQ(concluded(pair_with({same, inconclusive, improved})).exit_code, 3);
    EXPECT_EQ(concluded(pair_with({same, improved})).verdict, improved);
    EXPECT_EQ(concluded(pair_with({same, same})).exit_code, 0);
}

TEST(Conclude, without_a_gated_metric_there_is_no_verdict_but_inconclusive) {
    EXPECT_EQ(concluded(pair_with({})).exit_code, 3);
}

TEST(Conclude, invalid_timings_are_4_and_exact_differences_are_1_all_the_same) {
    PairVerdict pair = pair_with({Verdict::regressed});
    EXPECT_EQ(concluded(pair, "too much was replaced").exit_code, 4);
    pair.counts.push_back(
        {.name = "ops", .unit = "1", .a = 4, .b = 5, .exact = true, .equal = false});
    const PairVerdict seen = concluded(pair, "too much was replaced");
    EXPECT_EQ(seen.exit_code, 1);
    EXPECT_EQ(seen.reasons[0], "exact count ops differs: 4 in A, 5 in B");
}

TEST(Conclude, tokens_of_an_arm_that_does_not_repeat_are_not_judged) {
    PairVerdict pair = pair_with({Verdict::same});
    pair.tokens.identical = false;
    pair.tokens.first_divergence = TokenVerdict::Divergence{.request = 2, .position = 5};
    EXPECT_EQ(concluded(pair).exit_code, 1);
    pair.tokens.b_repeats = false;
    EXPECT_EQ(concluded(pair).exit_code, 0);
}

OutputRow answer(int request, std::vector<std::int64_t> tokens) {
    return {.request = request, .tokens = tokens, .margins = std::vector<double>(tokens.size(), 2)};
}

TEST(Tokens, the_first_difference_has_its_request_and_position) {
    Report a, b;
    a.outputs = {answer(0, {1, 2, 3}), answer(1, {4, 5, 6})};
    b.outputs = {answer(0, {1, 2, 3}), answer(1, {4, 5})};
    const TokenVerdict seen = compare_tokens(a, b);
    EXPECT_EQ(seen.identical, false);
    ASSERT_TRUE(seen.first_divergence);
    EXPECT_EQ(seen.first_divergence->request, 1);
    EXPECT_EQ(seen.first_divergence->position, 2u);
    EXPECT_EQ(seen.first_divergence->a_token, 6);
    EXPECT_EQ(seen.first_divergence->b_token, std::nullopt);
    EXPECT_DOUBLE_EQ(seen.agreement, 5.0 / 6);
    EXPECT_EQ(compare_tokens(a, a).identical, true);
}

TEST(Tokens, two_answers_to_one_request_do_not_repeat) {
    Report a, b;
    a.outputs = {answer(0, {1}), answer(0, {2})};
    b.outputs = {answer(0, {1})};
    EXPECT_FALSE(compare_tokens(a, b).a_repeats);
    EXPECT_TRUE(compare_tokens(a, b).b_repeats);
    EXPECT_EQ(compare_tokens(a, Report{}).identical, std::nullopt);
}

TEST(Counts, only_those_exact_in_both_are_judged) {
    Report a, b;
    a.counts = {{"ops", 4, "1", true}, {"peak", 7, "bytes", false}, {"old", 1, "1", true}};
    b.counts = {{"ops", 5, "1", true}, {"peak", 8, "bytes", false}};
    for (const CountVerdict& row : compare_counts(a, b))
        EXPECT_EQ(row.equal, row.name == "ops" ? std::optional(false) : std::nullopt) << row.name;
}

TEST(Validity, two_failures_of_one_arm_alone_are_its_fault) {
    EXPECT_EQ(why_not_comparable({{"a", 0, ""}, {"b", 1, "x"}}, 2, 24), "");
    const std::string why = why_not_comparable({{"a", 0, ""}, {"b", 2, "it crashed"}}, 4, 24);
    EXPECT_NE(why.find("arm b: 2 of its trials failed"), std::string::npos);
    EXPECT_NE(why.find("it crashed"), std::string::npos);
    EXPECT_EQ(why_not_comparable({{"a", 1, "y"}, {"b", 2, "x"}}, 4, 24), "");
}

TEST(Validity, more_than_a_fifth_replaced_is_too_much) {
    EXPECT_EQ(why_not_comparable({{"a", 2, "y"}, {"b", 2, "x"}}, 4, 24), "");
    EXPECT_EQ(
        why_not_comparable({{"a", 3, "y"}, {"b", 2, "x"}, {"c", 0, ""}}, 6, 24),
        "6 rounds had to be replaced, more than 20 % of the 24 planned; arm a: 3 of its trials "
        "failed: y; arm b: 2 of its trials failed: x");
}

}  // namespace
}  // namespace reports::compare
