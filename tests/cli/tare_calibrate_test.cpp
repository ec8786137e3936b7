// SPDX-License-Identifier: Apache-2.0
// tare calibrate: one fake engine against itself, and margins that ask for more than it showed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;
using testing::HasSubstr;
using testing::Not;

class TareCalibrate : public testing::Test {
  protected:
    TareCalibrate() { tare_.add_to_scenario("[metrics]\nprefill_wall_ns = { margin = \"2%\" }\n"); }

    fakes::Result start(std::vector<std::string> words,
                        std::vector<std::pair<std::string, std::string>> env = {}) const {
        words.insert(words.end(), {"--engine", fakes::Tare::engine(), "--seed", "7", "--quiet"});
        env.insert(env.end(), {{"FAKE_ENGINE_LOG", tare_.log()}, {"FAKE_CAPTURE", "good"}});
        return tare_(words, env);
    }

    fakes::Result calibrate(std::vector<std::string> more = {},
                            std::vector<std::pair<std::string, std::string>> env = {}) const {
        more.insert(more.begin(), {"calibrate", tare_.scenario});
        if (std::find(more.begin(), more.end(), "--profiled-rounds") == more.end())
            more.insert(more.end(), {"--profiled-rounds", "0"});
        return start(more, env);
    }

    json object(std::vector<std::string> more = {},
                std::vector<std::pair<std::string, std::string>> env = {}) const {
        more.insert(more.end(), {"--format", "json"});
        const auto seen = calibrate(more, env);
        EXPECT_EQ(seen.exit_code, 0) << seen.err << seen.out;
        return json::parse(seen.out, nullptr, false);
    }

    fakes::Result ab(const std::string& margin, std::vector<std::string> more = {}) const {
        more.insert(more.begin(), {"ab", "env:X=1", "env:X=1", tare_.scenario, "--profiled-rounds",
                                   "0", "--margin", "prefill_wall_ns=" + margin});
        return start(more);
    }

    fakes::Tare tare_;
};

const json& metric(const json& calibration, const std::string& name) {
    for (const json& one : calibration["metrics"])
        if (one["name"] == name) return one;
    static const json none = json::object();
    ADD_FAILURE() << "no metric " << name;
    return none;
}

// The fake's times lie evenly within 0.1 %: ln(B/A) of two has a standard deviation of 0.041 %.
TEST_F(TareCalibrate, says_noise_honest_margin_and_what_is_detected) {
    const json seen = object();
    EXPECT_EQ(seen["schema"], "tare.calibration/1");
    EXPECT_EQ(seen["rounds"], 24);
    EXPECT_EQ(seen["exit_code"], 0);
    EXPECT_EQ(seen["plan"]["looks"], (json{8, 12, 16, 24}));
    EXPECT_EQ(seen["plan"]["gated_metrics"], 1);
    EXPECT_EQ(seen["tokens_repeat"], true);
    const json& wall = metric(seen, "prefill.wall_ns");
    EXPECT_EQ(seen["metrics"][0]["name"], "prefill.wall_ns") << "gated ones come first";
    EXPECT_EQ(wall["metric"], "prefill_wall_ns");
    EXPECT_NEAR(wall["sigma"].get<double>(), 0.00041, 0.0002);
    const double honest = wall["honest_margin"], detected = wall["detected"];
    EXPECT_GT(honest, 0.3 * wall["sigma"].get<double>());
    EXPECT_LT(honest, 1.5 * wall["sigma"].get<double>());
    EXPECT_GT(detected, honest);
    EXPECT_EQ(wall["margin"], 0.02);
    EXPECT_EQ(wall["is_honest"], true);
    EXPECT_EQ(wall["false_alarms"]["whole"], 1);
    EXPECT_EQ(wall["false_alarms"]["whole_alarms"], 0);
    EXPECT_EQ(wall["false_alarms"]["resampled"], 2000);
    EXPECT_EQ(metric(seen, "peak_bytes")["honest_margin"], 0) << "the fake's memory never varies";
    EXPECT_EQ(metric(seen, "peak_bytes")["is_honest"], nullptr);
}

TEST_F(TareCalibrate, is_an_ordinary_stored_run_of_two_equal_arms_in_drawn_order) {
    const json seen = object();
    const auto compared = tare_({"compare", "latest", "--format", "json"});
    const json shown = json::parse(compared.out, nullptr, false);
    ASSERT_TRUE(shown.is_object()) << compared.err;
    EXPECT_EQ(shown["run"]["kind"], "calibrate");
    EXPECT_EQ(tare_({"show"}).exit_code, 0);
    EXPECT_EQ(tare_({"report"}).exit_code, 0);
    const auto words = tare_({"explain"});
    EXPECT_EQ(words.exit_code, 0) << words.err;
    EXPECT_THAT(words.out, HasSubstr("24 rounds; in each"));
    EXPECT_EQ(seen["run"], 1);
}

TEST_F(TareCalibrate, profiled_rounds_give_the_noise_of_kernels_and_constant_counts) {
    const json seen = object({"--profiled-rounds", "4"});
    ASSERT_FALSE(seen["kernels"].empty());
    for (const json& kernel : seen["kernels"]) {
        EXPECT_EQ(kernel["rounds"], 24) << "they keep step with the timed ones";
        EXPECT_GE(kernel["sigma"].get<double>(), 0);
    }
    ASSERT_FALSE(seen["counts"].empty());
    for (const json& count : seen["counts"]) EXPECT_EQ(count["constant"], true) << count;
    EXPECT_THAT(seen["counts"].dump(), HasSubstr("planned_bytes")) << "also what is not exact";
}

TEST_F(TareCalibrate, a_crash_costs_its_block_and_not_the_calibration) {
    const json seen = object({}, {{"FAKE_CRASH_START", "6"}});
    EXPECT_EQ(seen["rounds"], 24);
    EXPECT_EQ(seen["replaced_rounds"], 2);
}

TEST_F(TareCalibrate, table_and_markdown_say_the_same) {
    const auto table = calibrate();
    EXPECT_THAT(table.out, HasSubstr("calibrated"));
    EXPECT_THAT(table.out, HasSubstr("honest margin"));
    EXPECT_THAT(table.out, HasSubstr("prefill.wall_ns"));
    EXPECT_THAT(calibrate({"--format", "markdown"}).out, HasSubstr("| prefill.wall\\_ns |"));
}

TEST_F(TareCalibrate, what_is_asked_wrongly_is_2) {
    EXPECT_EQ(calibrate({"--rounds", "22"}).exit_code, 2);
    const auto odd = calibrate({"--rounds", "25"});
    EXPECT_EQ(odd.exit_code, 2);
    EXPECT_THAT(odd.err, HasSubstr("use 24 or 26"));
    EXPECT_EQ(calibrate({"--format", "csv"}).exit_code, 2);
    EXPECT_EQ(start({"calibrate", "nosuch"}).exit_code, 2);
}

TEST_F(TareCalibrate, what_fails_or_was_planted_is_4_and_calibrates_nothing) {
    const auto failing = calibrate({"--format", "json"}, {{"FAKE_ENGINE", "exit3"}});
    EXPECT_EQ(failing.exit_code, 4) << failing.out;
    EXPECT_THAT(failing.out, HasSubstr("fake: no such thing"));
    const auto planted = calibrate({"--engine-arg", "--fault", "--engine-arg", "token:0:0"});
    EXPECT_EQ(planted.exit_code, 4) << planted.out;
    EXPECT_THAT(planted.out, HasSubstr("planted"));
    EXPECT_THAT(ab("0.001%").out, HasSubstr("uncalibrated"));
}

TEST_F(TareCalibrate, interrupted_is_130_and_calibrates_nothing) {
    const std::vector<std::string> argv = {fakes::Tare::binary(),
                                           "calibrate",
                                           tare_.scenario,
                                           "--engine",
                                           fakes::Tare::engine(),
                                           "--store",
                                           tare_.store,
                                           "--profiled-rounds",
                                           "0"};
    const std::string output = (tare_.folder().path() / "out").string();
    fakes::Started process(argv, {{"FAKE_ENGINE", "slow"}}, output);
    for (int i = 0; i < 1000 && fakes::text_of(output).find("trial 2 of") == std::string::npos; ++i)
        usleep(20'000);
    ::kill(process.pid(), SIGINT);
    const int status = process.wait_for_end(20);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << fakes::text_of(output);
    EXPECT_THAT(fakes::text_of(output), HasSubstr("nothing is calibrated"));
    EXPECT_THAT(ab("0.001%").out, HasSubstr("uncalibrated"));
}

// Of the last calibration: the honest margin as a percentage, times `factor`.
std::string times_honest(const json& calibration, double factor) {
    const double honest = metric(calibration, "prefill.wall_ns")["honest_margin"];
    return fmt::format("{:.9f}%", 100 * honest * factor);
}

TEST_F(TareCalibrate, ab_refuses_a_smaller_margin_and_takes_a_larger_one) {
    const json seen = object();
    const auto refused = ab(times_honest(seen, 0.99));
    EXPECT_EQ(refused.exit_code, 2) << refused.out;
    const std::string when = seen["calibrated_utc"], machine = seen["machine_class"];
    for (const std::string& part : {std::string("prefill.wall_ns"), std::string("honest margin of"),
                                    when, machine, std::string("--margin prefill_wall_ns="),
                                    std::string("--rounds"), std::string("tare calibrate tiny")})
        EXPECT_THAT(refused.err, HasSubstr(part));
    EXPECT_EQ(refused.out, "");
    const auto taken = ab(times_honest(seen, 1.01), {"--format", "json"});
    EXPECT_NE(taken.exit_code, 2) << taken.err;
    EXPECT_THAT(json::parse(taken.out)["plan"]["calibration"].get<std::string>(),
                HasSubstr("calibrated " + when));
}

TEST_F(TareCalibrate, the_refusal_names_a_margin_that_is_then_taken) {
    object();
    const auto refused = ab("0.0001%");
    ASSERT_EQ(refused.exit_code, 2);
    const std::string before = "--margin prefill_wall_ns=";
    const auto at = refused.err.find(before) + before.size();
    const std::string named = refused.err.substr(at, refused.err.find(')', at) - at);
    EXPECT_NE(ab(named).exit_code, 2) << named;
}

TEST_F(TareCalibrate, more_rounds_make_a_smaller_margin_honest_and_fewer_a_larger_one) {
    const json seen = object({"--rounds", "40"});
    const auto code = [&](double factor, const std::string& rounds) {
        return ab(times_honest(seen, factor), {"--rounds", rounds}).exit_code;
    };
    EXPECT_EQ(code(0.95, "6"), 2);
    EXPECT_NE(code(0.95, "64"), 2);
}

TEST_F(TareCalibrate, another_text_of_the_scenario_is_uncalibrated_and_says_so) {
    object();
    const auto other = ab("0.0001%", {"--reps", "2", "--format", "json"});
    EXPECT_EQ(other.exit_code, 3) << other.err;
    EXPECT_THAT(json::parse(other.out)["plan"]["calibration"].get<std::string>(),
                HasSubstr("uncalibrated: what was calibrated"));
    EXPECT_THAT(other.out, HasSubstr("another text of the scenario"));
}

}  // namespace
