// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/builder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>

#include <nlohmann/json.hpp>
#include <thread>

#include "engine/format/sha256.h"
#include "scenarios/build/arms.h"
#include "scenarios/build/build_file.h"
#include "scenarios/plan/place.h"
#include "tests/scenarios/build/sample_repository.h"

namespace scenarios::build {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::StartsWith;

const plan::BuildRecipe copies = {.place = {},
                                  .command =
                                      "mkdir -p out && cp program.sh out/program && "
                                      "chmod +x out/program && echo built",
                                  .artefacts = {"out/program"},
                                  .inputs = {},
                                  .environment = {}};

std::string text_of(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

nlohmann::json json_of(const fs::path& file) {
    return nlohmann::json::parse(text_of(file));
}

class Builds : public testing::Test {
  protected:
    Builds() {
        repository_.write("program.sh", "#!/bin/sh\necho one\n");
        first_ = repository_.commit("first");
        repository_.write("program.sh", "#!/bin/sh\necho two\n");
        second_ = repository_.commit("second");
    }

    Builder builder() {
        return {*Git::enclosing(repository_.top()), cache_.path(), interrupt_,
                [this](const std::string& text) { said_ += text + "\n"; }};
    }

    std::vector<ReadyArm> ready(const std::vector<std::string>& texts, const AtHand& at_hand = {}) {
        std::vector<ArmSpec> specs;
        for (const std::string& text : texts) specs.push_back(parse_arm(text));
        return ready_arms(specs, {repository_.top(), cache_.path(), recipe_, at_hand}, interrupt_,
                          [this](const std::string& text) { said_ += text + "\n"; });
    }

    std::string refusal(const std::vector<std::string>& texts) {
        try {
            ready(texts);
        } catch (const ArmError& error) {
            return error.what();
        }
        return "";
    }

    bool has_worktrees() {
        repository_.git("worktree list >'" + (cache_.path() / "list").string() + "'");
        const std::string list = text_of(cache_.path() / "list");
        return std::count(list.begin(), list.end(), '\n') > 1;
    }

    tests::SampleRepository repository_;
    fakes::TemporaryFolder cache_;
    run::Interrupt interrupt_;
    std::optional<plan::BuildRecipe> recipe_ = copies;
    std::string first_, second_, said_;
};

TEST_F(Builds, a_commit_is_built_from_its_own_sources_and_leaves_no_worktree) {
    const Built built = builder().cached(first_, copies);
    EXPECT_EQ(text_of(built.program), "#!/bin/sh\necho one\n");
    EXPECT_EQ(text_of(repository_.top() / "program.sh"), "#!/bin/sh\necho two\n");
    EXPECT_FALSE(has_worktrees());
    EXPECT_EQ(text_of(built.program.parent_path() / "build.log"), "built\n");
}

TEST_F(Builds, the_receipt_names_commit_hash_and_toolchain) {
    const Built built = builder().cached(first_, copies);
    const auto receipt = json_of(built.program.parent_path() / build_file_name);
    EXPECT_EQ(receipt["commit"], first_);
    EXPECT_EQ(receipt["binary_sha256"], engine::format::sha256_file(built.program));
    EXPECT_EQ(receipt["program"], "program");
    EXPECT_EQ(receipt["dirty_diff_sha256"], nullptr);
    EXPECT_THAT(receipt["compiler"].get<std::string>(), HasSubstr("++"));
    EXPECT_EQ(receipt["targets"], nlohmann::json({"out/program"}));
}

TEST_F(Builds, what_the_build_says_of_itself_is_kept) {
    plan::BuildRecipe says = copies;
    says.command += " && echo '{\"flags\":\"-O3\",\"protocol\":1}' >out/build.json";
    const Built built = builder().cached(first_, says);
    const auto receipt = json_of(built.program.parent_path() / build_file_name);
    EXPECT_EQ(receipt["flags"], "-O3");
    EXPECT_EQ(receipt["protocol"], 1);
    EXPECT_EQ(receipt["commit"], first_);
}

TEST_F(Builds, the_second_time_comes_from_the_cache) {
    EXPECT_FALSE(builder().cached(first_, copies).from_cache);
    EXPECT_TRUE(builder().cached(first_, copies).from_cache);
    EXPECT_FALSE(builder().cached(second_, copies).from_cache);
}

TEST_F(Builds, another_command_environment_or_toolchain_is_another_build) {
    const fs::path one = builder().cached(first_, copies).program;
    plan::BuildRecipe other = copies;
    other.command += " && true";
    EXPECT_NE(builder().cached(first_, other).program, one);
    other = copies;
    other.environment = {{"CXXFLAGS", "-O3"}};
    EXPECT_NE(builder().cached(first_, other).program, one);
}

TEST_F(Builds, commits_with_equal_inputs_share_a_build) {
    plan::BuildRecipe by_input = copies;
    by_input.inputs = {"program.sh"};
    repository_.write("README", "changed");
    const std::string third = repository_.commit("third");
    const Built built = builder().cached(second_, by_input);
    const Built again = builder().cached(third, by_input);
    EXPECT_TRUE(again.from_cache);
    EXPECT_EQ(again.program, built.program);
    EXPECT_FALSE(builder().cached(first_, by_input).from_cache);
}

TEST_F(Builds, a_commit_that_does_not_build_says_where_the_log_is_and_is_tried_again) {
    plan::BuildRecipe breaks = copies;
    breaks.command = "echo reason; false";
    for (int turn = 0; turn < 2; ++turn) {
        try {
            builder().cached(first_, breaks);
            FAIL();
        } catch (const BuildFailed& error) {
            const std::string words = error.what();
            EXPECT_THAT(words, HasSubstr("exit code 1"));
            EXPECT_EQ(text_of(words.substr(words.find("log: ") + 5)), "reason\n");
        }
    }
    EXPECT_FALSE(has_worktrees());
}

TEST_F(Builds, a_build_that_leaves_no_artefact_or_never_ends_has_failed) {
    plan::BuildRecipe leaves_none = copies;
    leaves_none.command = "true";
    EXPECT_THROW(builder().cached(first_, leaves_none), BuildFailed);
    plan::BuildRecipe hangs = copies;
    hangs.command = "sleep 60";
    hangs.time_limit_s = 0.2;
    EXPECT_THROW(builder().cached(first_, hangs), BuildFailed);
}

TEST_F(Builds, an_interrupted_build_leaves_nothing_behind) {
    plan::BuildRecipe slow = copies;
    slow.command = "sleep 60";
    std::thread killer([] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        ::kill(::getpid(), SIGINT);
    });
    EXPECT_THROW(builder().cached(first_, slow), BuildInterrupted);
    killer.join();
    EXPECT_FALSE(has_worktrees());
}

TEST_F(Builds, a_killed_build_is_no_build_and_its_worktree_no_obstacle) {
    plan::BuildRecipe kills = copies;
    kills.command = "kill -9 $PPID; sleep 60";
    const pid_t child = ::fork();
    if (child == 0) {
        try {
            builder().cached(first_, kills);
        } catch (...) {
        }
        ::_exit(0);
    }
    int status = 0;
    ::waitpid(child, &status, 0);
    ASSERT_TRUE(WIFSIGNALED(status));
    kills.command = copies.command;
    EXPECT_EQ(text_of(builder().cached(first_, kills).program), "#!/bin/sh\necho one\n");
}

TEST_F(Builds, two_refs_become_two_programs) {
    const auto arms = ready({"HEAD~1", "main+args:x"});
    ASSERT_EQ(arms.size(), 2u);
    EXPECT_EQ(arms[0].name, "a");
    EXPECT_EQ(arms[0].commit, first_);
    EXPECT_EQ(text_of(arms[0].program), "#!/bin/sh\necho one\n");
    EXPECT_EQ(text_of(arms[1].program), "#!/bin/sh\necho two\n");
    EXPECT_THAT(arms[1].spec.arguments, testing::ElementsAre("x"));
}

TEST_F(Builds, a_ref_that_does_not_build_is_an_invalid_arm_beside_a_valid_one) {
    repository_.git("rm -q program.sh");
    repository_.commit("broken");
    const auto arms = ready({"HEAD~1", "HEAD"});
    EXPECT_EQ(arms[0].why_invalid, "");
    EXPECT_THAT(arms[1].why_invalid, HasSubstr("does not build"));
    EXPECT_TRUE(arms[1].program.empty());
}

TEST_F(Builds, a_ref_that_the_program_at_hand_was_built_from_is_not_built) {
    const AtHand clean{"/at/hand", second_, true};
    EXPECT_EQ(ready({"HEAD"}, clean)[0].program, "/at/hand");
    const AtHand dirty{"/at/hand", second_, false};
    EXPECT_NE(ready({"HEAD"}, dirty)[0].program, "/at/hand");
    EXPECT_NE(ready({"HEAD~1"}, clean)[0].program, "/at/hand");
    EXPECT_EQ(ready({"args:x"}, dirty)[0].program, "/at/hand");
}

TEST_F(Builds, a_ref_that_is_not_there_is_refused_before_anything_is_built) {
    EXPECT_THAT(refusal({"HEAD", "mian"}),
                testing::AllOf(HasSubstr("\"mian\" names no commit"), HasSubstr("main")));
    EXPECT_EQ(said_, "");
}

TEST_F(Builds, changes_that_are_not_committed_are_said_to_be_left_out) {
    repository_.write("program.sh", "#!/bin/sh\necho three\n");
    EXPECT_EQ(text_of(ready({"HEAD"})[0].program), "#!/bin/sh\necho two\n");
    EXPECT_THAT(said_, HasSubstr("not committed"));
    said_.clear();
    ready({"HEAD~1"});
    EXPECT_THAT(said_, testing::Not(HasSubstr("not committed")));
}

TEST_F(Builds, a_folder_is_what_tare_build_made) {
    fakes::TemporaryFolder out;
    builder().into(first_, copies, out.path());
    const auto arms = ready({"build:" + out.path().string()});
    EXPECT_EQ(arms[0].program, out.path() / "program");
    EXPECT_THAT(refusal({"build:/nonexistent"}), HasSubstr("no program in /nonexistent"));
}

TEST_F(Builds, without_a_recipe_the_message_names_tare_toml) {
    recipe_.reset();
    EXPECT_THAT(refusal({"HEAD"}), HasSubstr("tare.toml: not there"));
    repository_.write("tare.toml",
                      "[build]\ncommand = \"cp program.sh program\"\nartefact = \"program\"\n");
    EXPECT_EQ(text_of(ready({"HEAD~1"})[0].program), "#!/bin/sh\necho one\n");
}

TEST(BuildRecipe, every_key_is_checked) {
    const auto refusal = [](const std::string& text) -> std::string {
        try {
            plan::parse_project(text, "tare.toml");
        } catch (const plan::ScenarioError& error) {
            return error.what();
        }
        return "";
    };
    EXPECT_EQ(refusal("[build]\ncommand = \"make\"\nartefact = [\"a\", \"b/c\"]\n"), "");
    EXPECT_THAT(refusal("x = 1"), StartsWith("tare.toml:1:1: no [build]"));
    EXPECT_THAT(refusal("[build]\nartefact = \"a\""), HasSubstr("command is missing"));
    EXPECT_THAT(refusal("[build]\ncommand = \"make\""), HasSubstr("artefact is missing"));
    EXPECT_THAT(refusal("[build]\ncommand = \"make\"\nartefact = \"../a\""), HasSubstr("below"));
    EXPECT_THAT(refusal("[build]\ncommand = \"make\"\nartefact = \"/a\""), HasSubstr("below"));
    EXPECT_THAT(refusal("[build]\ncomand = \"make\""), HasSubstr("command"));
    EXPECT_THAT(refusal("[build]\ncommand = 3\nartefact = \"a\""), HasSubstr("tare.toml:2:11"));
}

}  // namespace
}  // namespace scenarios::build
