// SPDX-License-Identifier: Apache-2.0
// One store, several processes; and stores that are not what they should be, from the command line.
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <memory>
#include <nlohmann/json.hpp>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"
#include "tests/scenarios/build/sample_repository.h"

namespace {

using nlohmann::json;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

json runs(const fakes::Tare& tare) {
    return json::parse(tare({"list", "--format", "json"}).out)["runs"];
}

TEST(TareStoreShared, eight_runs_at_once_make_one_store_and_are_all_stored) {
    const fakes::Tare tare;
    const std::vector<std::string> command = {
        fakes::Tare::binary(), "run", tare.scenario, "--engine", fakes::Tare::engine(),
        "--profiled-rounds",   "1",   "--store",     tare.store};
    std::vector<std::unique_ptr<fakes::Started>> started;
    for (int i = 0; i < 8; ++i)
        started.push_back(std::make_unique<fakes::Started>(
            command, std::vector<std::pair<std::string, std::string>>{{"FAKE_CAPTURE", "good"}},
            (tare.folder().path() / std::to_string(i)).string()));
    for (int i = 0; i < 8; ++i) {
        const int status = started[static_cast<std::size_t>(i)]->wait_for_end(60);
        EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 0)
            << fakes::text_of(tare.folder().path() / std::to_string(i));
    }
    ASSERT_EQ(runs(tare).size(), 8u);
    for (const json& run : runs(tare)) {
        EXPECT_EQ(run["status"], "finished");
        EXPECT_EQ(run["valid_trials"], 3);
    }
    EXPECT_HAS(tare({"store", "check"}).out, "8 runs, 0 unreadable, 0 damages, 0 leftovers");
}

// The store's write lock, held by this process.
class Lock {
  public:
    explicit Lock(const std::string& store) {
        sqlite3_open((store + "/tare.db").c_str(), &database_);
        EXPECT_EQ(sqlite3_exec(database_, "begin immediate", nullptr, nullptr, nullptr), SQLITE_OK);
    }

    ~Lock() { sqlite3_close(database_); }

    Lock(const Lock&) = delete;
    Lock& operator=(const Lock&) = delete;

  private:
    sqlite3* database_ = nullptr;
};

TEST(TareStoreShared, lock_that_is_held_for_long_is_told_while_waiting_and_at_the_end) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const Lock lock(tare.store);
    const auto result = tare.run_fake("good", {}, {{"TARE_STORE_WAIT", "1.5"}});
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_HAS(result.err,
               "another process is writing to the store; waiting for it, at most 1.5 s");
    EXPECT_HAS(result.err, "did not end in time");
    EXPECT_EQ(tare({"report"}).exit_code, 0);  // readers wait for nobody
    EXPECT_EQ(runs(tare).size(), 1u);
}

TEST(TareStoreShared, interrupt_ends_the_waiting) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const Lock lock(tare.store);
    const std::string output = (tare.folder().path() / "output").string();
    fakes::Started run({fakes::Tare::binary(), "run", tare.scenario, "--engine",
                        fakes::Tare::engine(), "--store", tare.store},
                       {}, output);
    for (int i = 0; i < 400; ++i, usleep(10'000))
        if (fakes::text_of(output).find("waiting for it") != std::string::npos) break;
    kill(run.pid(), SIGINT);
    const int status = run.wait_for_end(10);
    EXPECT_TRUE(WIFEXITED(status) && WEXITSTATUS(status) == 130) << fakes::text_of(output);
}

TEST(TareStoreShared, patience_that_is_no_number_is_2) {
    const fakes::Tare tare;
    for (const char* text : {"x", "-1", "1e9", "nan", "3s"}) {
        const auto result = tare.run_fake("good", {}, {{"TARE_STORE_WAIT", text}});
        EXPECT_EQ(result.exit_code, 2) << text;
        EXPECT_HAS(result.err, "TARE_STORE_WAIT");
    }
}

TEST(TareStoreDamaged, is_2_with_what_to_do_and_is_left_as_it_is) {
    const fakes::Tare tare;
    for (const std::string& content : {std::string("x"), std::string(9000, '.')}) {
        const auto file = tare.folder().write("store/tare.db", content);
        for (const std::vector<std::string>& command : {std::vector<std::string>{"list"},
                                                        {"report"},
                                                        {"store", "check"},
                                                        {"prune", "--keep", "1"}}) {
            const auto result = tare(command);
            EXPECT_EQ(result.exit_code, 2) << command[0];
            EXPECT_HAS(result.err, "Move it away");
        }
        EXPECT_EQ(tare.run_fake("good").exit_code, 2);
        EXPECT_EQ(fakes::text_of(file), content);
    }
}

TEST(TareStoreDamaged, row_that_refers_to_nothing_makes_the_check_4) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((tare.store + "/tare.db").c_str(), &database), SQLITE_OK);
    ASSERT_EQ(sqlite3_exec(database, "pragma foreign_keys = off; delete from round", nullptr,
                           nullptr, nullptr),
              SQLITE_OK);
    sqlite3_close(database);
    const auto result = tare({"store", "check"});
    EXPECT_EQ(result.exit_code, 4) << result.out;
    EXPECT_HAS(result.out, "refers to a row of round that is not there");
}

TEST(TareStoreDamaged, raw_files_that_vanished_are_told_and_the_run_still_reports) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const std::string before = tare({"report", "--format", "json"}).out;
    std::filesystem::remove(tare.store + "/raw/1/1.lines.zst");
    const auto check = tare({"store", "check"});
    EXPECT_EQ(check.exit_code, 4);
    EXPECT_HAS(check.out, "1.lines.zst is gone");
    EXPECT_HAS(check.out, " 1 raw files gone or different");
    std::filesystem::remove_all(tare.store + "/raw");
    EXPECT_EQ(tare({"report", "--format", "json"}).out, before);
    // What was pruned is not missed.
    EXPECT_EQ(tare({"prune", "1", "--raw-only"}).exit_code, 0);
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

TEST(TareStoreDamaged, raw_files_of_other_content_are_4_in_check_and_export_and_kept_by_rebuild) {
    const fakes::Tare tare;
    ASSERT_EQ(
        tare.run_fake("good", {"--profiled-rounds", "1"}, {{"FAKE_CAPTURE", "two"}}).exit_code, 0);
    ASSERT_EQ(tare({"store", "check"}).exit_code, 0);
    const std::string before = tare({"report", "--format", "json"}).out;
    std::filesystem::path file;  // of the profiled trial, whichever it is
    for (const auto& entry : std::filesystem::directory_iterator(tare.store + "/raw/1"))
        if (entry.path().string().ends_with(".host.1.capture.zst")) file = entry.path();
    std::string content = fakes::text_of(file);
    content.at(content.size() / 2) ^= 1;
    tare.folder().write("store/raw/1/" + file.filename().string(), content);
    const std::string other = file.filename().string().front() == '1' ? "2" : "1";
    const auto plain = tare.folder().write("store/raw/1/" + other + ".lines", "planted");
    const auto check = tare({"store", "check"});
    EXPECT_EQ(check.exit_code, 4);
    EXPECT_HAS(check.out, file.string() + " has sha256 ");
    EXPECT_HAS(check.out, plain.string() + " is not listed");
    EXPECT_HAS(check.out, " 2 raw files gone or different");
    const auto trace = tare({"export"});
    EXPECT_EQ(trace.exit_code, 4);
    EXPECT_HAS(trace.err, file.string() + " has sha256 ");
    EXPECT_EQ(trace.out, "");
    const auto rebuilt = tare({"store", "rebuild"});
    EXPECT_EQ(rebuilt.exit_code, 0) << rebuilt.err;
    EXPECT_HAS(rebuilt.out, file.string() + " has sha256 ");
    EXPECT_HAS(rebuilt.out, plain.string() + " is not listed");
    EXPECT_HAS(rebuilt.out, "of 1 trials made again");
    EXPECT_EQ(tare({"report", "--format", "json"}).out, before);
}

TEST(TareStoreInCheckout, leaves_a_clean_tree_clean) {
    const fakes::Tare tare;
    const tests::SampleRepository repository;
    repository.write("a.txt", "a");
    repository.commit("first");
    const fakes::RunOptions here{.env = {{"TARE_STORE", ""}},
                                 .directory = repository.top().string()};
    const auto seen = fakes::run(
        {fakes::Tare::binary(), "run", tare.scenario, "--engine", fakes::Tare::engine()}, here);
    EXPECT_EQ(seen.exit_code, 0) << seen.err;
    ASSERT_TRUE(std::filesystem::exists(repository.top() / ".tare/tare.db")) << seen.err;
    EXPECT_EQ(fakes::run({"git", "status", "--porcelain"}, here).out, "");
}

}  // namespace
