// SPDX-License-Identifier: Apache-2.0
// `bench --score --json`: recorded lines, one loss and one output a text, and what is refused.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <numeric>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"
#include "tests/interface/recorded.h"

namespace {

using fakes::engine, fakes::json_lines, fakes::lines_of_type;
using nlohmann::json;
using recorded::expect_keeps, recorded::recorded;
using testing::AllOf, testing::HasSubstr;

constexpr const char* three_texts = R"([{"name":"first","tokens":[1,45,81,84]},
    {"name":"second","tokens":[1,7]},{"tokens":[5]}])";

class ScoreProtocol : public testing::Test {
  protected:
    fakes::Result run(const std::string& texts, std::vector<std::string> more = {}) const {
        const auto file = folder_.write("texts.json", texts).string();
        more.insert(more.begin(), {"bench", "--model", fakes::small_bf16, "--tokens-file", file,
                                   "--score", "--json"});
        return engine(more);
    }

    std::vector<json> lines(std::vector<std::string> more = {}) const {
        const auto result = run(three_texts, std::move(more));
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json_lines(result.out);
    }

    void expect_refused(const std::string& texts, const std::string& reason) const {
        const auto result = run(texts);
        EXPECT_EQ(result.exit_code, 2) << texts;
        EXPECT_THAT(result.err, HasSubstr(reason));
        EXPECT_EQ(result.out, "");
    }

    fakes::TemporaryFolder folder_;
};

TEST_F(ScoreProtocol, keeps_every_recorded_line_key_and_exact_value) {
    const auto old = recorded("protocol_1_score.jsonl");
    const auto now = lines({"--reps", "2", "--warm-up", "1"});
    ASSERT_EQ(old.size(), 13U);
    expect_keeps(old, now);
    EXPECT_EQ(now.at(0).at("prompt"), old.at(0).at("prompt"));
    EXPECT_EQ(lines_of_type(now, "loss"), lines_of_type(old, "loss"));
    EXPECT_EQ(lines_of_type(now, "output"), lines_of_type(old, "output"));
}

TEST_F(ScoreProtocol, one_rep_is_one_phase_over_all_texts_as_planned) {
    const auto all = lines({"--reps", "2", "--warm-up", "0"});
    EXPECT_EQ(all.at(0).at("prompt").at("texts"), 3);
    EXPECT_EQ(all.at(0).at("prompt").at("tokens"), 7);
    const auto reps = lines_of_type(all, "rep"), counters = lines_of_type(all, "counters");
    ASSERT_EQ(reps.size(), 2U);
    for (std::size_t i = 0; i < reps.size(); ++i) {
        EXPECT_EQ(reps[i].at("phase"), "score");
        EXPECT_EQ(reps[i].at("tokens"), 7);
        EXPECT_EQ(reps[i].at("ops"), counters[i].at("ops_planned"));
        EXPECT_EQ(counters[i].at("expert_rows_asked"), 7 * 4 * 5);
    }
    const auto memory = lines_of_type(all, "memory").at(0);
    EXPECT_EQ(memory.at("scratch_planned_bytes"), memory.at("scratch_used_bytes"));
}

TEST_F(ScoreProtocol, says_of_each_text_what_score_says_of_it_alone) {
    const auto all = lines({"--reps", "1"});
    const auto losses = lines_of_type(all, "loss"), outputs = lines_of_type(all, "output");
    const std::vector<std::string> texts{"1,45,81,84", "1,7", "5"};
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto alone =
            json_lines(
                engine({"score", "--model", fakes::small_bf16, "--tokens", texts[i], "--json"}).out)
                .back();
        const auto nll = alone.at("nll").get<std::vector<double>>();
        EXPECT_EQ(losses[i].at("request"), i);
        EXPECT_EQ(losses[i].at("tokens"), nll.size());
        EXPECT_EQ(losses[i].at("nll_sum"), std::accumulate(nll.begin(), nll.end(), 0.0));
        EXPECT_EQ(outputs[i].at("request"), i);
        EXPECT_EQ(outputs[i].at("tokens"), alone.at("argmax"));
        EXPECT_EQ(outputs[i].at("margins"), alone.at("margin"));
    }
    EXPECT_EQ(losses[0].at("name"), "first");
    EXPECT_TRUE(losses[2].at("nll_mean").is_null()) << "a text of one token has no loss";
}

TEST_F(ScoreProtocol, texts_in_pieces_are_scored_alike_and_planned_as_such) {
    const auto whole = lines({"--reps", "1"});
    const auto pieces = lines({"--reps", "1", "--prefill-chunk", "3"});
    EXPECT_EQ(lines_of_type(pieces, "loss"), lines_of_type(whole, "loss"));
    EXPECT_EQ(lines_of_type(pieces, "output"), lines_of_type(whole, "output"));
    EXPECT_EQ(lines_of_type(pieces, "rep").at(0).at("ops"),
              lines_of_type(pieces, "counters").at(0).at("ops_planned"));
    EXPECT_GT(lines_of_type(pieces, "rep").at(0).at("ops"),
              lines_of_type(whole, "rep").at(0).at("ops"));
}

TEST_F(ScoreProtocol, warm_up_prints_no_line_and_changes_nothing) {
    const auto cold = lines({"--reps", "1", "--warm-up", "0"});
    const auto warm = lines({"--reps", "1", "--warm-up", "2"});
    EXPECT_EQ(cold.size(), warm.size());
    EXPECT_EQ(lines_of_type(cold, "loss"), lines_of_type(warm, "loss"));
}

TEST_F(ScoreProtocol, a_plain_list_is_one_text_without_a_name) {
    const auto all = json_lines(run("[1,45,81,84]", {"--reps", "1"}).out);
    EXPECT_EQ(all.at(0).at("prompt").at("texts"), 1);
    const auto losses = lines_of_type(all, "loss");
    ASSERT_EQ(losses.size(), 1U);
    EXPECT_EQ(losses[0].at("name"), "");
    EXPECT_EQ(losses[0].at("sha256"), lines_of_type(lines({"--reps", "1"}), "loss")[0]["sha256"]);
}

TEST_F(ScoreProtocol, a_token_fault_flips_one_argmax_of_its_request) {
    const auto plain = lines_of_type(lines({"--reps", "1"}), "output");
    const auto faulted = lines_of_type(lines({"--reps", "1", "--fault", "token:1:0"}), "output");
    EXPECT_EQ(faulted[0], plain[0]);
    auto expected = plain[1].at("tokens");
    expected[0] = (expected[0].get<int>() + 1) % 4096;
    EXPECT_EQ(faulted[1].at("tokens"), expected);
    EXPECT_NE(faulted[1].at("sha256"), plain[1].at("sha256"));
    const auto beyond = run(three_texts, {"--reps", "1", "--fault", "token:3:0"});
    EXPECT_EQ(beyond.exit_code, 2);
    EXPECT_THAT(beyond.err, HasSubstr("'token:3:0': nothing matched it"));
}

TEST_F(ScoreProtocol, faults_strike_at_the_paths_of_the_phase) {
    const auto plain = lines_of_type(lines({"--reps", "1"}), "rep").at(0);
    const auto faulted =
        lines_of_type(lines({"--reps", "1", "--fault", "launch:score/sample:+1"}), "rep").at(0);
    EXPECT_EQ(faulted.at("ops"), plain.at("ops").get<int>() + 3);
    EXPECT_NE(lines_of_type(lines({"--reps", "1", "--fault", "maths:no_skip"}), "loss"),
              lines_of_type(lines({"--reps", "1"}), "loss"));
}

TEST_F(ScoreProtocol, bad_texts_are_refused_by_element_and_name) {
    expect_refused(R"([{"name":"a","tokens":[1]},7])", "element 1: is 7, it must be an object");
    expect_refused(R"([{"name":"a","token":[1]}])", "element 0: unknown key 'token'");
    expect_refused(R"([{"name":"a"}])", "element 0: tokens is null, it must be a list");
    expect_refused(R"([{"name":3,"tokens":[1]}])", "name is 3, it must be a string");
    expect_refused(R"([{"name":"a","tokens":[1,-2]}])", "element 0 'a': token 1 is -2");
    expect_refused(R"([{"name":"a","tokens":[1.5]}])", "token 0 is 1.5");
    expect_refused(R"([{"name":"a","tokens":[99999999999]}])", "token 0 is 99999999999");
    expect_refused(R"([{"name":"a","tokens":[]}])", "element 0 'a': no tokens");
    expect_refused(R"([{"name":"a","tokens":[1]},{"name":"b","tokens":[1,4096]}])",
                   "element 1 'b': token 4096 at position 1 is outside");
    expect_refused(R"([{"name":"a","tokens":[1]},{"name":"a","tokens":[2]}])",
                   "elements 0 and 1 have the same name, 'a'");
    expect_refused(R"([{"name":"a","tokens":[1]},)" + std::string(300'000, '[') +
                       std::string(300'000, ']') + "]",
                   "nested deeper than 64 levels");
    expect_refused("[]", "no tokens");
    expect_refused("[{]", "not JSON at byte");
}

TEST_F(ScoreProtocol, several_texts_are_for_score_alone) {
    const auto file = folder_.write("texts.json", three_texts).string();
    const auto result =
        engine({"bench", "--model", fakes::small_bf16, "--tokens-file", file, "--prefill"});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("element 0 is an object, it must be an integer"));
}

}  // namespace
