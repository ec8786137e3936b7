// SPDX-License-Identifier: Apache-2.0
// Ctrl-C, SIGTERM and SIGKILL at random moments of a run: no earlier run is lost, the store checks
// clean, nothing keeps running, what is left over is found and removed, the next run works.
#include <gtest/gtest.h>

#include <chrono>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

// What is killed, and how.
enum class Blow { interrupt_group, terminate, kill_tare, kill_engine };

int moments(int usual, int in_long_form) {
    return std::getenv("TARE_LONG_TESTS") != nullptr ? in_long_form : usual;
}

class TareKilled : public testing::Test {
  protected:
    std::vector<std::string> command() const {
        return {fakes::Tare::binary(), "run", tare_.scenario, "--engine", engine_,
                "--profiled-rounds",   "1",   "--store",      tare_.store};
    }

    std::vector<std::pair<std::string, std::string>> env() const {
        return {{"FAKE_CAPTURE", "good"}, {"FAKE_ENGINE_LOG", tare_.log()}};
    }

    // Runs to the end. Returns the seconds it took.
    double whole_run() {
        const auto start = std::chrono::steady_clock::now();
        fakes::Started run(command(), env(), output());
        const int status = run.wait_for_end(60);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0) << fakes::text_of(output());
        return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    }

    std::string output() const { return (tare_.folder().path() / "output").string(); }

    json runs() const {
        const auto result = tare_({"list", "--format", "json"});
        EXPECT_EQ(result.exit_code, 0) << result.err;
        return json::parse(result.out)["runs"];
    }

    std::string report(int run) const {
        return tare_({"report", std::to_string(run), "--format", "json"}).out;
    }

    void strike(Blow blow, double after_s) {
        fakes::Started run(command(), env(), output());
        usleep(static_cast<useconds_t>(after_s * 1e6));
        if (blow == Blow::interrupt_group) kill(-run.pid(), SIGINT);
        if (blow == Blow::terminate) kill(run.pid(), SIGTERM);
        if (blow == Blow::kill_tare) kill(run.pid(), SIGKILL);
        if (blow == Blow::kill_engine)
            if (const pid_t engine = fakes::child_of(run.pid()); engine > 0) kill(engine, SIGKILL);
        const int status = run.wait_for_end(30);
        ASSERT_NE(status, -1) << "tare hangs after the blow";
        expect_end(blow, status);
    }

    // A blow that comes before the first thing tare does, or after the last, has no effect of its
    // own.
    void expect_end(Blow blow, int status) const {
        const std::string said = fakes::text_of(output());
        if (WIFSIGNALED(status)) {
            const int expected = blow == Blow::kill_tare   ? SIGKILL
                                 : blow == Blow::terminate ? SIGTERM
                                                           : SIGINT;
            EXPECT_EQ(WTERMSIG(status), expected) << said;
            if (blow != Blow::kill_tare) {
                EXPECT_TRUE(said.find("trial 1") == std::string::npos ||
                            said.find(" took ") != std::string::npos)
                    << said;
            }
            return;
        }
        const int code = WEXITSTATUS(status);
        const int of_the_blow = blow == Blow::kill_engine ? 4 : 130;
        EXPECT_TRUE(code == 0 || code == of_the_blow) << code << said;
        // A blow that comes while the report is made finds the run whole.
        if (code == 130 && said.find("trial 2") != std::string::npos) {
            EXPECT_TRUE(said.find("keeps its") != std::string::npos ||
                        said.find(" took ") != std::string::npos)
                << said;
        }
    }

    // Every run that was listed is listed still, and those that were over say the same.
    void expect_nothing_lost(const json& before) {
        const json now = runs();
        ASSERT_GE(now.size(), before.size());
        for (std::size_t i = 0; i < before.size(); ++i)
            EXPECT_EQ(now[now.size() - 1 - i], before[before.size() - 1 - i]);
    }

    void expect_clean() {
        EXPECT_EQ(fakes::processes_of(engine_, tare_.folder().path().string()), 0);
        const auto check = tare_({"store", "check"});
        EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
        EXPECT_HAS(check.out, "0 unreadable, 0 damages");
    }

    void expect_no_leftovers_after_prune() {
        const auto prune = tare_({"prune", "--leftovers"});
        EXPECT_EQ(prune.exit_code, 0) << prune.err;
        EXPECT_HAS(tare_({"store", "check"}).out, " 0 leftovers");
        for (const auto& entry : std::filesystem::recursive_directory_iterator(tare_.store)) {
            const std::string extension = entry.path().extension().string();
            EXPECT_TRUE(extension != ".tmp" && extension != ".probe") << entry.path();
        }
    }

    void strike_at_random(int times) {
        double longest_s = whole_run();
        longest_s = std::max(longest_s, whole_run()) * 1.1;
        const std::string first = report(1);
        std::mt19937 random(20261130);
        std::uniform_real_distribution<double> moment(0, longest_s);
        for (int i = 0; i < times; ++i) {
            const json before = runs();
            const auto blow = static_cast<Blow>(random() % 4);
            const double after_s = moment(random);
            SCOPED_TRACE("blow " + std::to_string(static_cast<int>(blow)) + " after " +
                         std::to_string(after_s) + " s, number " + std::to_string(i));
            strike(blow, after_s);
            expect_nothing_lost(before);
            if (i % 40 == 39) expect_clean();
            if (HasFailure()) return;
        }
        expect_clean();
        whole_run();
        EXPECT_EQ(report(1), first);
        expect_no_leftovers_after_prune();
        EXPECT_EQ(tare_({"store", "rebuild"}).exit_code, 0);
        EXPECT_EQ(report(1), first);
        expect_clean();
    }

    fakes::Tare tare_;
    std::string engine_ = fakes::Tare::engine();
};

TEST_F(TareKilled, at_any_moment_loses_no_earlier_run) {
    strike_at_random(moments(194, 1000));
}

TEST_F(TareKilled, with_the_real_engine_loses_no_earlier_run) {
    engine_ = TARE_BUILD_DIR "/bin/tare-engine";
    tare_.set("model", "\"" TARE_SOURCE_DIR "/scenarios/models/small-bf16\"");
    strike_at_random(moments(6, 100));
}

TEST_F(TareKilled, leftovers_are_listed_with_what_removes_them) {
    whole_run();
    const std::filesystem::path raw = tare_.store + "/raw";
    tare_.folder().write("store/raw/1/1.lines.zst.tmp", "half");
    tare_.folder().write("store/raw/1/1.probe/host.7.capture", "half");
    tare_.folder().write("store/raw/77/1.lines", "of no run");
    tare_.folder().write("store/tare.db.backup-v1.tmp", "half");
    const auto check = tare_({"store", "check"});
    EXPECT_EQ(check.exit_code, 0) << check.out;
    EXPECT_HAS(check.out, "4 leftovers");
    EXPECT_HAS(check.out,
               "1.lines.zst.tmp: left by a run that was cut off; `tare prune --leftovers`");
    const auto dry = tare_({"prune", "--leftovers", "--dry-run"});
    EXPECT_HAS(dry.out, "would delete");
    EXPECT_TRUE(std::filesystem::exists(raw / "77"));
    EXPECT_EQ(tare_({"prune", "--leftovers"}).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(raw / "77"));
    EXPECT_TRUE(std::filesystem::exists(raw / "1/1.lines.zst"));
    EXPECT_HAS(tare_({"store", "check"}).out, " 0 leftovers");
}

}  // namespace
