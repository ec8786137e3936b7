// SPDX-License-Identifier: Apache-2.0
// The same samples through scipy and through ours.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <sstream>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "reports/stats/false_discovery.h"
#include "reports/stats/median_interval.h"
#include "reports/stats/position_effect.h"
#include "reports/stats/rank_tests.h"
#include "reports/stats/signed_rank_law.h"
#include "reports/stats/two_sample.h"
#include "reports/stats/walsh.h"
#include "tests/fakes/test_tools.h"

namespace {

using namespace reports::stats;
using nlohmann::json;
using Values = std::vector<double>;

void expect_p(const TestResult& ours, const json& theirs) {
    EXPECT_NEAR(ours.p_less, theirs.at(0), 1e-12);
    EXPECT_NEAR(ours.p_greater, theirs.at(1), 1e-12);
}

void check_tests(const json& wanted, const Values& x) {
    const auto signed_rank = signed_rank_test(x);
    const auto sign = sign_test(x);
    EXPECT_EQ(signed_rank.zeros, wanted.at("zeros").get<int>());
    if (!wanted.contains("sign")) return;
    expect_p(signed_rank, wanted.at("signed_rank"));
    EXPECT_NEAR(signed_rank.p_two_sided, wanted.at("signed_rank").at(2), 1e-12);
    expect_p(sign, wanted.at("sign"));
    EXPECT_NEAR(sign.p_two_sided, wanted.at("sign").at(2), 1e-12);
}

void check_estimates(const json& wanted, const Values& x) {
    EXPECT_NEAR(*hodges_lehmann(walsh_averages(x)), wanted.at("hodges_lehmann"), 1e-12);
    const auto interval = median_interval(x);
    EXPECT_EQ(interval ? interval->rank : 0, wanted.at("rank").get<int>());
}

void check_q(const json& wanted) {
    const auto q = benjamini_hochberg(wanted.at("p").get<Values>());
    ASSERT_EQ(q.size(), wanted.at("q").size());
    for (std::size_t i = 0; i < q.size(); ++i) EXPECT_NEAR(q[i], wanted.at("q")[i], 1e-12);
}

void check_t(const json& wanted) {
    std::vector<OrderedRound> rounds;
    for (const double half : wanted.at("half").get<Values>()) {
        const int block = static_cast<int>(rounds.size() / 2);
        rounds.push_back({.worse = half, .a_first = true, .block = block});
        rounds.push_back({.worse = -half, .a_first = false, .block = block});
    }
    const auto effect = position_effect(rounds);
    ASSERT_TRUE(effect);
    const double close = 1e-9 * (effect->hi - effect->lo);
    EXPECT_NEAR(effect->lo, wanted.at("t").at(0), close);
    EXPECT_NEAR(effect->hi, wanted.at("t").at(1), close);
}

void check_two_samples(const json& wanted) {
    const auto a = wanted.at("a").get<Values>(), b = wanted.at("b").get<Values>();
    const auto sorted = shifts(a, b);
    EXPECT_NEAR(*hodges_lehmann(sorted), wanted.at("shift"), 1e-12);
    const auto above = std::count_if(sorted.begin(), sorted.end(), [](double x) { return x > 0; });
    ASSERT_EQ(static_cast<double>(above), wanted.at("u").get<double>());
    const auto law = rank_sum_law(b.size(), a.size());
    const int u = static_cast<int>(above);
    EXPECT_NEAR(at_most(law, u), wanted.at("p").at(0), 1e-12);
    EXPECT_NEAR(1 - at_most(law, u - 1), wanted.at("p").at(1), 1e-12);
}

TEST(scipy_oracle, tests_intervals_and_q_values_are_scipys) {
    if (const auto missing = fakes::missing_tools("scipy", false); !missing.empty()) {
        const auto reason = missing + "; ci/setup --tests installs it";
        if (fakes::tools_are_required()) FAIL() << reason;
        GTEST_SKIP() << reason;
    }
    const bool is_long = std::getenv("TARE_LONG_TESTS") != nullptr;
    const auto script =
        fakes::run({fakes::test_python, TARE_SOURCE_DIR "/tests/reports/stats/tools/scipy_cases.py",
                    is_long ? "10000" : "400", "7"},
                   {.timeout_s = 600});
    ASSERT_EQ(script.exit_code, 0) << script.err;
    std::istringstream lines(script.out);
    int cases = 0;
    for (std::string line; std::getline(lines, line) && !HasFailure(); ++cases) {
        SCOPED_TRACE(line.substr(0, 300));
        const auto wanted = json::parse(line);
        const auto x = wanted.at("x").get<Values>();
        check_tests(wanted, x);
        check_estimates(wanted, x);
        check_q(wanted);
        check_t(wanted);
        check_two_samples(wanted.at("two"));
    }
    EXPECT_GE(cases, 400);
}

}  // namespace
