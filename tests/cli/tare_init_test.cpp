// SPDX-License-Identifier: Apache-2.0
// tare init on a small project of somebody else's: from nothing to a workflow that goes red.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <map>
#include <regex>

#include <nlohmann/json.hpp>

#include "tests/cli/workflow_steps.h"
#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"
#include "tests/scenarios/build/sample_repository.h"

namespace {

namespace fs = std::filesystem;
using fakes::text_of;
using nlohmann::json;
using testing::HasSubstr;

const std::vector<std::string> written = {"tare.toml", "scenarios/app.toml",
                                          ".github/workflows/tare.yml"};

class TareInit : public testing::Test {
  protected:
    TareInit() {
        fs::copy(TARE_SOURCE_DIR "/tests/cli/sample_project", repository_.top(),
                 fs::copy_options::recursive);
        repository_.write(".gitignore", "/app\n");
        repository_.commit("the project");
    }

    fakes::Result tare(std::vector<std::string> words, const std::string& folder = "") const {
        words.insert(words.begin(), fakes::Tare::binary());
        return fakes::run(words,
                          {.env = {{"TARE_STORE", ""}},
                           .timeout_s = 300,
                           .directory = folder.empty() ? repository_.top().string() : folder});
    }

    // Text of a file of the repository changed.
    void change(const std::string& file, const std::string& from, const std::string& to) const {
        std::string text = text_of(repository_.top() / file);
        const auto at = text.find(from);
        ASSERT_NE(at, std::string::npos) << file << ": " << from;
        repository_.write(file, text.replace(at, from.size(), to));
    }

    // A margin that the noise of a shared machine does not reach, and half of what is planted.
    void make_tolerant() const {
        change("scenarios/app.toml", "margin = \"5%\"", "margin = \"25%\"");
    }

    void make_slow() const { change("work.h", "PASSES 1", "PASSES 2"); }

    tests::SampleRepository repository_;
};

TEST_F(TareInit, writes_what_works_and_a_slow_commit_is_a_regression) {
    const auto init = tare({"init"});
    ASSERT_EQ(init.exit_code, 0) << init.err;
    for (const std::string& file : written) {
        EXPECT_TRUE(fs::is_regular_file(repository_.top() / file)) << file;
        EXPECT_THAT(init.out, HasSubstr(file));
    }
    EXPECT_THAT(init.out, HasSubstr("built by `make`, the program is app"));
    make_tolerant();
    repository_.commit("measured with tare");
    const auto early = tare({"run", "app"});
    EXPECT_EQ(early.exit_code, 2) << "it is not built yet";
    EXPECT_THAT(early.err, HasSubstr("build it first"));
    ASSERT_EQ(fakes::run({"make", "-C", repository_.top().string()}).exit_code, 0);
    const auto run = tare({"run", "app", "--rounds", "2", "--format", "json"});
    ASSERT_EQ(run.exit_code, 0) << run.err;
    EXPECT_THAT(run.out, HasSubstr("items_per_s"));
    EXPECT_EQ(fakes::run({"git", "-C", repository_.top().string(), "status", "--porcelain"}).out,
              "");

    repository_.write("README", "nothing that is built\n");
    repository_.commit("unchanged");
    const auto same = tare({"ab", "HEAD~1", "HEAD", "app", "--quiet"});
    EXPECT_TRUE(same.exit_code == 0 || same.exit_code == 3) << same.out << same.err;
    make_slow();
    repository_.commit("slow");
    const auto slow = tare({"ab", "HEAD~1", "HEAD", "app", "--format", "json"});
    EXPECT_EQ(slow.exit_code, 1) << slow.out << slow.err;
    const json seen = json::parse(slow.out);
    EXPECT_EQ(seen["verdict"], "regressed");
    EXPECT_GT(seen["metrics"][0]["ratio"], 1.25);
    EXPECT_EQ(seen["arms"][1]["commit"],
              json(fakes::run({"git", "-C", repository_.top().string(), "rev-parse", "HEAD"})
                       .out.substr(0, 40)));
}

TEST_F(TareInit, gate_holds_exact_metrics_of_the_project) {
    ASSERT_EQ(tare({"init"}).exit_code, 0);
    ASSERT_EQ(fakes::run({"make", "-C", repository_.top().string()}).exit_code, 0);
    EXPECT_EQ(tare({"gate", "app"}).exit_code, 4) << "no baseline yet";
    ASSERT_EQ(tare({"gate", "app", "--accept", "--reason", "first baseline"}).exit_code, 0);
    EXPECT_EQ(tare({"gate", "app"}).exit_code, 0);
    change("app.c", "items = 60", "items = 61");
    ASSERT_EQ(fakes::run({"make", "-C", repository_.top().string()}).exit_code, 0);
    const auto other = tare({"gate", "app"});
    EXPECT_EQ(other.exit_code, 1) << other.out;
    EXPECT_THAT(other.out, HasSubstr("items: 60000000 items before, 61000000 items now"));
}

TEST_F(TareInit, files_that_are_there_are_named_and_left_and_nothing_is_written) {
    repository_.write("tare.toml", "mine");
    repository_.write(".github/workflows/tare.yml", "mine too");
    const auto seen = tare({"init"});
    EXPECT_EQ(seen.exit_code, 2);
    EXPECT_THAT(seen.err, HasSubstr("tare.toml, .github/workflows/tare.yml are there already"));
    EXPECT_EQ(text_of(repository_.top() / "tare.toml"), "mine");
    EXPECT_FALSE(fs::exists(repository_.top() / "scenarios"));
    ASSERT_EQ(tare({"init", "--force"}).exit_code, 0);
    EXPECT_THAT(text_of(repository_.top() / "tare.toml"), HasSubstr("[build]"));
}

TEST_F(TareInit, all_are_written_or_none) {
    repository_.write(".github", "a file where a folder has to be");
    repository_.write("tare.toml", "mine");
    const auto seen = tare({"init", "--force"});
    EXPECT_EQ(seen.exit_code, 2);
    EXPECT_THAT(seen.err, HasSubstr("Nothing was written"));
    EXPECT_EQ(text_of(repository_.top() / "tare.toml"), "mine");
    EXPECT_FALSE(fs::exists(repository_.top() / "scenarios"));
}

TEST_F(TareInit, outside_of_git_is_2_with_words) {
    const fakes::TemporaryFolder folder;
    for (const auto& seen : {tare({"init"}, folder.path().string()),
                             tare({"init", "--dir", folder.path().string()})}) {
        EXPECT_EQ(seen.exit_code, 2);
        EXPECT_THAT(seen.err, HasSubstr("not in a git checkout"));
    }
    EXPECT_EQ(tare({"init", "--dir", "nowhere"}).exit_code, 2);
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

TEST_F(TareInit, what_only_the_project_knows_is_refused_until_it_is_filled_in) {
    fs::remove(repository_.top() / "Makefile");
    const auto init = tare({"init"});
    ASSERT_EQ(init.exit_code, 0);
    EXPECT_THAT(init.out, HasSubstr("until then tare refuses it"));
    std::string scenario;
    for (const auto& entry : fs::directory_iterator(repository_.top() / "scenarios"))
        scenario = entry.path().stem().string();
    repository_.commit("not filled in");
    for (const auto& seen : {tare({"run", scenario}), tare({"ab", "HEAD", "HEAD", scenario}),
                             tare({"build", "HEAD", "--out", "out"})}) {
        EXPECT_EQ(seen.exit_code, 2) << seen.out;
        EXPECT_THAT(seen.err, HasSubstr("never filled in"));
    }
}

TEST_F(TareInit, build_files_say_how_a_commit_is_built) {
    const std::map<std::string, std::pair<std::string, std::string>> projects = {
        {"CMakeLists.txt",
         {"project(p)\nadd_executable(server main.c)\n", "artefact = \"build/server\""}},
        {"Makefile",
         {".PHONY: all\nall: bin/tool\nCC := gcc\nbin/tool: a.c\n\tcc\n",
          "artefact = \"bin/tool\""}},
        {"Cargo.toml", {"[package]\nname = \"quick\"\n", "artefact = \"target/release/quick\""}},
        {"pyproject.toml", {"[project.scripts]\ngo = \"pkg.cli:main\"\n", "zipapp build/app"}}};
    for (const auto& [file, project] : projects) {
        const tests::SampleRepository other;
        other.write(file, project.first);
        other.write("pkg/cli.py", "def main(): print('went')\n");
        const auto seen =
            tare({"init", "--suite", "https://example.org/tare"}, other.top().string());
        ASSERT_EQ(seen.exit_code, 0) << file << seen.err;
        EXPECT_THAT(text_of(other.top() / "tare.toml"), HasSubstr(project.second)) << file;
        EXPECT_THAT(text_of(other.top() / ".github/workflows/tare.yml"),
                    HasSubstr("TARE_REPOSITORY: \"https://example.org/tare\""));
    }
}

TEST_F(TareInit, python_project_is_built_into_one_file_that_runs) {
    const tests::SampleRepository other;
    other.write("pyproject.toml", "[project.scripts]\ngo = \"pkg.cli:main\"\n");
    other.write("pkg/cli.py", "def main():\n    print('went')\n");
    other.write("pkg/__init__.py", "");
    ASSERT_EQ(tare({"init"}, other.top().string()).exit_code, 0);
    other.commit("all");
    const auto built = tare({"build", "HEAD", "--out", "out"}, other.top().string());
    ASSERT_EQ(built.exit_code, 0) << built.err;
    const std::string program = built.out.substr(0, built.out.find('\n'));
    EXPECT_EQ(fakes::run({"python3", program}).out, "went\n");
    const auto run =
        tare({"run", "app", "--engine", program, "--rounds", "1"}, other.top().string());
    EXPECT_EQ(run.exit_code, 0) << run.err << run.out;
}

// The workflow as GitHub runs it, but for the machine.
class TareWorkflow : public TareInit {
  protected:
    TareWorkflow() {
        EXPECT_EQ(tare({"init"}).exit_code, 0);
        make_tolerant();
        repository_.commit("measured with tare");
        repository_.git("branch target");
        workflow_ = text_of(repository_.top() / ".github/workflows/tare.yml");
        fs::create_symlink(fakes::Tare::binary(), machine_.path() / "tare");
    }

    fakes::Result step(const std::string& name, const std::string& script = "") const {
        const auto file =
            machine_.write("step.sh", script.empty() ? tests::script_of(workflow_, name) : script);
        const std::string path = machine_.path().string();
        return fakes::run({"bash", "--noprofile", "--norc", "-eo", "pipefail", file.string()},
                          {.env = {{"PATH", path + ":" + std::getenv("PATH")},
                                   {"HOME", path},
                                   {"TARE_STORE", path + "/store"},
                                   {"GITHUB_STEP_SUMMARY", path + "/summary.md"},
                                   {"GITHUB_WORKSPACE", repository_.top().string()},
                                   {"RUNNER_TEMP", path},
                                   {"SCENARIO", "app"},
                                   {"BASE", "target"},
                                   {"TARE_HOME", path + "/suite"},
                                   {"TARE_REPOSITORY", repository_url_},
                                   {"TARE_REF", "HEAD"}},
                           .timeout_s = 300,
                           .directory = repository_.top().string()});
    }

    fakes::TemporaryFolder machine_;
    std::string workflow_, repository_url_ = "FILL IN: the URL";
};

TEST_F(TareWorkflow, is_well_formed) {
    EXPECT_EQ(tests::yaml_breach(workflow_), "");
    EXPECT_NE(tests::yaml_breach("a:\n\tb: 1\n"), "") << "the check itself can fail";
    EXPECT_NE(tests::yaml_breach("a:\n   b: 1\n"), "");
    EXPECT_NE(tests::yaml_breach("a: \"b\n"), "");
    EXPECT_NE(tests::yaml_breach("just words\n"), "");
    if (fakes::run({"python3", "-c", "import yaml"}).exit_code != 0) return;
    const auto seen = fakes::run(
        {"python3", "-c",
         "import json, sys, yaml; print(json.dumps(yaml.safe_load(sys.stdin), default=str))"},
        {.stdin_text = workflow_});
    ASSERT_EQ(seen.exit_code, 0) << seen.err;
    EXPECT_EQ(json::parse(seen.out)["jobs"]["tare"]["env"]["SCENARIO"], "app");
    EXPECT_EQ(json::parse(seen.out)["jobs"]["tare"]["steps"].size(), 7u);
}

// Those steps are run below; a command line of tare in another one would be run by nobody.
TEST_F(TareWorkflow, every_command_line_of_tare_is_in_a_step_that_is_tested) {
    static const std::regex command(R"((^|[ (])tare [a-z-])");
    static const std::regex no_command(R"(^ *#|::|name: |echo|FILL IN)");
    const auto count = [](const std::string& text) {
        const auto lines = tests::lines_of(text);
        return std::count_if(lines.begin(), lines.end(), [](const std::string& line) {
            return std::regex_search(line, command) && !std::regex_search(line, no_command);
        });
    };
    std::ptrdiff_t tested = 0;
    for (const char* name :
         {"tare", "Compare with the target branch", "Hold exact metrics against the baselines"})
        tested += count(tests::script_of(workflow_, name));
    EXPECT_EQ(count(workflow_), tested);
    EXPECT_GE(tested, 6);
}

TEST_F(TareWorkflow, slow_pull_request_is_red_with_a_summary_annotations_and_files) {
    make_slow();
    repository_.commit("slow");
    const auto seen = step("Compare with the target branch");
    EXPECT_EQ(seen.exit_code, 1) << seen.out << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("::error"));
    EXPECT_THAT(text_of(machine_.path() / "summary.md"), HasSubstr("REGRESSED"));
    EXPECT_THAT(text_of(repository_.top() / "comparison.xml"), HasSubstr("<testsuite"));
    EXPECT_THAT(text_of(repository_.top() / "comparison.html"), HasSubstr("</html>"));
}

TEST_F(TareWorkflow, pull_request_that_changes_nothing_is_green) {
    repository_.write("README", "words\n");
    repository_.commit("unchanged");
    const auto seen = step("Compare with the target branch");
    EXPECT_EQ(seen.exit_code, 0) << seen.out << seen.err;
}

TEST_F(TareWorkflow, what_does_not_build_or_is_not_filled_in_is_red) {
    repository_.write("app.c", "int main(void) { return\n");
    repository_.commit("broken");
    EXPECT_EQ(step("Compare with the target branch").exit_code, 4);
    const auto seen = step("tare");
    EXPECT_EQ(seen.exit_code, 2) << seen.out;
    EXPECT_THAT(seen.out, HasSubstr("write TARE_REPOSITORY"));
}

TEST_F(TareWorkflow, gate_step_builds_the_commit_and_is_red_when_an_exact_metric_changed) {
    const std::string gate = "Hold exact metrics against the baselines";
    ASSERT_EQ(fakes::run({"make", "-C", repository_.top().string()}).exit_code, 0);
    ASSERT_EQ(tare({"gate", "app", "--accept", "--reason", "first baseline"}).exit_code, 0);
    repository_.commit("a baseline");
    const auto green = step(gate);
    EXPECT_EQ(green.exit_code, 0) << green.out << green.err;
    change("app.c", "items = 60", "items = 61");
    repository_.commit("more items");
    fs::remove_all(machine_.path() / "tare-head");
    const auto red = step(gate);
    EXPECT_EQ(red.exit_code, 1) << red.out << red.err;
    EXPECT_THAT(red.out, HasSubstr("61000000"));
}

// The suite's own repository is played by one whose ci/tare hands on to the tare that is tested.
TEST_F(TareWorkflow, pinned_tare_is_cloned_and_called_tare) {
    const tests::SampleRepository suite;
    suite.write("ci/tare", "#!/bin/sh\nexec '" + fakes::Tare::binary() + "' \"$@\"\n");
    fs::permissions(suite.top() / "ci/tare", fs::perms::owner_all);
    suite.commit("suite");
    repository_url_ = suite.top().string();
    std::string script = tests::script_of(workflow_, "tare");
    for (auto at = script.find("/usr/local/bin"); at != std::string::npos;
         at = script.find("/usr/local/bin"))
        script.replace(at, 14, machine_.path().string() + "/bin");
    fs::create_directories(machine_.path() / "bin");
    const auto seen = step("", script);
    EXPECT_EQ(seen.exit_code, 0) << seen.err;
    EXPECT_THAT(seen.out, HasSubstr("tare 0."));
    EXPECT_TRUE(fs::exists(machine_.path() / "suite/ci/tare"));
    EXPECT_EQ(fakes::run({(machine_.path() / "bin/tare").string(), "--version"}).exit_code, 0);
}

}  // namespace
