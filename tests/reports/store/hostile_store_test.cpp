// SPDX-License-Identifier: Apache-2.0
// Database files that are damaged, cut, foreign, in use or not files at all: told in words, and no
// byte of them changed that a person might want back.
#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <functional>
#include <random>
#include <thread>

#include "reports/queries/report_query.h"
#include "reports/store/impl.h"
#include "reports/store/leftovers.h"
#include "reports/store/migrate.h"
#include "reports/store/raw_files.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using reports::Store;
using reports::StoreError;
using testing::AllOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::Folder;
using tests::message_of;
namespace fs = std::filesystem;

// Everything a reader does.
void read_all(const fs::path& folder) {
    const Store store(folder, Store::Access::read_only);
    for (const auto& summary : store.list()) reports::load_report(store, summary.run.id);
    reports::store::database_problems(store);
    reports::store::raw_file_problems(store);
    reports::store::leftovers(store);
}

class hostile_store : public tests::ReportFixture {
  protected:
    // The bytes of a store with a run, closed and in one file.
    std::string whole_file() {
        fill();
        store_.impl().database.script("pragma wal_checkpoint(truncate)");
        return tests::read_file(folder_.path() / "tare.db");
    }

    Folder other_;
};

TEST_F(hostile_store, random_bytes_anywhere_are_told_or_harmless) {
    const std::string whole = whole_file();
    std::mt19937 random(7);
    int told = 0;
    for (int i = 0; i < 150; ++i) {
        std::string bytes = whole;
        // A few bytes, or a whole page.
        const std::size_t size = i % 3 == 0 ? 4096 : 1 + random() % 16;
        const std::size_t at = random() % (bytes.size() - size);
        for (std::size_t k = 0; k < size; ++k) bytes[at + k] = static_cast<char>(random());
        fs::remove_all(other_.path());
        fs::create_directories(other_.path());
        tests::write_file(other_.path() / "tare.db", bytes);
        try {
            read_all(other_.path());
        } catch (const StoreError& error) {
            EXPECT_THAT(error.what(), HasSubstr("tare.db"));
            ++told;
        }  // nothing else may be thrown
    }
    EXPECT_GT(told, 10);
}

TEST_F(hostile_store, cut_file_is_told_at_any_length) {
    const std::string whole = whole_file();
    for (std::size_t size = 1; size < whole.size(); size += whole.size() / 40) {
        fs::remove_all(other_.path());
        fs::create_directories(other_.path());
        tests::write_file(other_.path() / "tare.db", whole.substr(0, size));
        EXPECT_THAT(message_of([&] { read_all(other_.path()); }), HasSubstr("tare.db")) << size;
        EXPECT_TRUE(tests::read_file(other_.path() / "tare.db") == whole.substr(0, size)) << size;
    }
}

TEST_F(hostile_store, damage_is_found_by_the_check) {
    std::string bytes = whole_file();
    fill();
    const fs::path file = other_.path() / "tare.db";
    tests::write_file(file, bytes);
    EXPECT_THAT(reports::store::database_problems(Store(other_.path())), IsEmpty());
    {
        reports::store::Database database(file, reports::store::Database::Open::read_write, {});
        database.script("pragma foreign_keys = off; delete from arm");
    }
    EXPECT_THAT(reports::store::database_problems(Store(other_.path())),
                Contains(HasSubstr("refers to a row of arm that is not there")));
}

TEST_F(hostile_store, column_that_holds_no_json_is_told_by_its_name) {
    const auto run = fill();
    for (const auto& [statement, column] : std::vector<std::pair<std::string, std::string>>{
             {"update run set command_line = '{'", "command_line"},
             {"update arm set environment = '[1]'", "environment"},
             {"update output set tokens = '[\"x\"]'", "tokens"},
             {"update machine set missing = 'null'", "missing"}}) {
        reports::store::Database::Transaction transaction(store_.impl().database);
        store_.impl().database.script(statement);
        EXPECT_THAT(message_of([&] {
                        reports::store::Database& database = store_.impl().database;
                        database.script("commit");
                        try {
                            reports::load_report(store_, run);
                        } catch (...) {
                            database.script("begin immediate");
                            throw;
                        }
                        database.script("begin immediate");
                    }),
                    AllOf(HasSubstr("tare.db"), HasSubstr(column)))
            << statement;
        store_.impl().database.script(
            "update run set command_line = '[]'; update arm set environment = '{}';"
            "update output set tokens = '[1]'; update machine set missing = '{}'");
        transaction.commit();
    }
}

TEST_F(hostile_store, empty_file_beside_raw_files_is_a_lost_database) {
    tests::write_file(other_.path() / "tare.db", "");
    fs::create_directories(other_.path() / "raw/1");
    tests::write_file(other_.path() / "raw/1/1.lines.zst", "precious");
    for (const auto access : {Store::Access::read_write, Store::Access::read_only}) {
        EXPECT_THAT(message_of([&] { Store(other_.path(), access); }),
                    AllOf(HasSubstr("the database was lost"), HasSubstr("backup")));
    }
    fs::remove(other_.path() / "tare.db");
    EXPECT_THAT(message_of([&] { Store(other_.path()); }), HasSubstr("the database was lost"));
    EXPECT_EQ(tests::read_file(other_.path() / "raw/1/1.lines.zst"), "precious");
}

TEST_F(hostile_store, empty_file_alone_is_a_new_store) {
    tests::write_file(other_.path() / "tare.db", "");
    EXPECT_EQ(Store(other_.path()).list().size(), 0u);
}

TEST_F(hostile_store, pipe_and_folder_in_the_place_of_the_file_are_refused_at_once) {
    ASSERT_EQ(mkfifo((other_.path() / "tare.db").c_str(), 0600), 0);
    for (const auto access : {Store::Access::read_write, Store::Access::read_only})
        EXPECT_THAT(message_of([&] { Store(other_.path(), access); }), HasSubstr("a pipe"));
    fs::remove(other_.path() / "tare.db");
    fs::create_directories(other_.path() / "tare.db");
    for (const auto access : {Store::Access::read_write, Store::Access::read_only})
        EXPECT_THAT(message_of([&] { Store(other_.path(), access); }), HasSubstr("a folder"));
}

TEST_F(hostile_store, lock_that_is_held_is_waited_for_with_words_and_then_told) {
    const reports::store::Database::Transaction held(store_.impl().database);
    std::vector<double> told;
    const reports::Patience patience{.longest_s = 0.35, .waiting = [&](double waited_s) {
                                         told.push_back(waited_s);
                                         return true;
                                     }};
    Store second(folder_.path(), Store::Access::read_write, patience);
    EXPECT_THAT(message_of([&] {
                    second.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(),
                                     tests::a_plan());
                }),
                HasSubstr("another process is writing to it and did not end in time"));
    EXPECT_GE(told.size(), 3u);
    EXPECT_EQ(second.list().size(), 0u);  // nothing of it was kept
}

TEST_F(hostile_store, lock_that_is_given_back_in_time_is_no_error) {
    auto held = std::make_unique<reports::store::Database::Transaction>(store_.impl().database);
    Store second(folder_.path());
    std::thread holder([&] {
        std::this_thread::sleep_for(std::chrono::milliseconds(300));
        held.reset();
    });
    second.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), tests::a_plan());
    holder.join();
    EXPECT_EQ(second.list().size(), 1u);
}

TEST_F(hostile_store, waiting_ends_when_the_person_says_so) {
    const reports::store::Database::Transaction held(store_.impl().database);
    Store second(folder_.path(), Store::Access::read_write,
                 {.longest_s = 60, .waiting = [](double) { return false; }});
    const auto start = std::chrono::steady_clock::now();
    EXPECT_THAT(message_of([&] { second.finish_run(1, "failed", ""); }),
                HasSubstr("another process"));
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(5));
}

TEST_F(hostile_store, made_by_many_processes_at_once_is_one_store) {
    std::vector<pid_t> children;
    for (int i = 0; i < 8; ++i) {
        const pid_t child = fork();
        if (child == 0) {
            try {
                Store store(other_.path() / "new");
                store.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(),
                                tests::a_plan());
                _exit(0);
            } catch (const std::exception& error) {
                std::fprintf(stderr, "%s\n", error.what());
                _exit(1);
            }
        }
        children.push_back(child);
    }
    for (const pid_t child : children) {
        int status = 0;
        waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
    EXPECT_EQ(Store(other_.path() / "new").list().size(), 8u);
}

TEST_F(hostile_store, raw_files_that_are_gone_or_changed_are_told_and_the_run_is_reported) {
    const auto run = fill();
    EXPECT_THAT(reports::store::raw_file_problems(store_), IsEmpty());
    fs::remove(store_.raw_folder(run) / "1.lines.zst");
    tests::write_file(store_.raw_folder(run) / "2.lines.zst", "cut");
    const auto problems = reports::store::raw_file_problems(store_);
    ASSERT_EQ(problems.size(), 2u);
    EXPECT_THAT(problems[0].text, AllOf(HasSubstr("trial 1: "), HasSubstr("is gone")));
    EXPECT_THAT(problems[1].text, AllOf(HasSubstr("trial 2: "), HasSubstr("has 3 bytes")));
    EXPECT_EQ(reports::load_report(store_, run).kernels.size(), 4u);
    fs::remove_all(store_.folder() / "raw");
    EXPECT_EQ(reports::load_report(store_, run).kernels.size(), 4u);
}

TEST_F(hostile_store, raw_file_of_the_same_size_and_other_content_is_told_with_both_hashes) {
    const auto run = fill();
    const fs::path file = store_.raw_folder(run) / "1.lines.zst";
    const std::string stored = reports::store::raw_sha256(file);
    std::string content = tests::read_file(file);
    content.back() ^= 1;
    tests::write_file(file, content);
    const auto problems = reports::store::raw_file_problems(store_);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_EQ(problems[0].file, file);
    EXPECT_THAT(problems[0].text,
                AllOf(HasSubstr("trial 1: " + file.string()),
                      HasSubstr("sha256 " + reports::store::raw_sha256(file)),
                      HasSubstr(stored + " was stored"), HasSubstr("from a copy")));
    // Stored before hashes were: size is all there is to compare.
    store_.impl().database.script("update raw_file set sha256 = null");
    EXPECT_THAT(reports::store::raw_file_problems(store_), IsEmpty());
}

TEST_F(hostile_store, raw_file_beside_the_listed_ones_is_told) {
    const auto run = fill();
    const fs::path folder = store_.raw_folder(run);
    for (const char* name : {"1.lines", "1.stderr.zst", "3.host.77.capture"}) {
        tests::write_file(folder / name, "planted");
        const auto problems = reports::store::raw_file_problems(store_);
        ASSERT_EQ(problems.size(), 1u) << name;
        EXPECT_THAT(problems[0].text, AllOf(HasSubstr((folder / name).string() + " is not listed"),
                                            HasSubstr("take it away")));
        fs::remove(folder / name);
    }
    // Nothing reads these, and a trial without listed files was not ingested.
    for (const char* name : {"prompt.json", "1.notes", "9.lines", "1.lines.zst.tmp"})
        tests::write_file(folder / name, "harmless");
    EXPECT_THAT(reports::store::raw_file_problems(store_), IsEmpty());
    // Stores without hashes do not list captures of other processes.
    store_.impl().database.script("update raw_file set sha256 = null");
    tests::write_file(folder / "3.host.77.capture", "older");
    EXPECT_THAT(reports::store::raw_file_problems(store_), IsEmpty());
    tests::write_file(folder / "3.capture", "planted");
    EXPECT_EQ(reports::store::raw_file_problems(store_).size(), 1u);
}

TEST_F(hostile_store, raw_file_that_is_no_file_or_cannot_be_read_is_told_at_once) {
    const auto run = fill();
    const fs::path file = store_.raw_folder(run) / "1.lines.zst";
    fs::remove(file);
    ASSERT_EQ(mkfifo(file.c_str(), 0600), 0);
    EXPECT_THAT(reports::store::raw_file_problems(store_).at(0).text,
                HasSubstr("is no regular file"));
    fs::remove(file);
    fs::create_symlink(file, file);
    const auto problems = reports::store::raw_file_problems(store_, 1);
    ASSERT_EQ(problems.size(), 1u);
    EXPECT_TRUE(problems[0].unreadable);
    EXPECT_THAT(problems[0].text, HasSubstr("cannot be read: Too many levels of symbolic links"));
    EXPECT_THAT(reports::store::raw_file_problems(store_, 2), IsEmpty());
}

TEST_F(hostile_store, raw_files_of_a_lost_run_are_moved_aside_and_never_mixed) {
    fs::create_directories(store_.raw_folder(1));
    tests::write_file(store_.raw_folder(1) / "1.lines.zst", "of a run that is not in the file");
    EXPECT_EQ(
        store_.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), tests::a_plan()),
        1);
    EXPECT_TRUE(fs::is_empty(store_.raw_folder(1)));
    EXPECT_TRUE(fs::exists(store_.folder() / "raw/1.lost/1.lines.zst"));
    EXPECT_THAT(reports::store::leftovers(store_), Contains(store_.folder() / "raw/1.lost"));
}

// A file of the first released schema, with a run in it: every step after it keeps the run.
TEST(older_store, of_the_first_release_is_migrated_with_its_runs) {
    Folder folder;
    auto steps = reports::store::shipped_migrations();
    ASSERT_GE(steps.size(), 4u);
    {
        auto database = reports::store::open_database(folder.path(), std::span(steps).first(3), {});
        database.script(
            "insert into scenario values (1, 's', 'old', '{}', 'p');"
            "insert into machine values (1, '{}', 'm', 'h', 'c', 1, 1, 'k', null, null, null, "
            "'{}');"
            "insert into build values (1, '{}', 'b', 's', null, null, null, null, null, '{}');"
            "insert into run values (1, 1, 1, '2026-01-01T00:00:00Z', '[]', 'c', 'cpu', "
            "'finished', "
            "'', 1, 1);"
            "insert into plan values (1, 1, 0, 1, 1, 1, 60, '{}');"
            "insert into arm values (1, 1, 'a', '[]', '{}', 1, null);"
            "insert into round values (1, 1, 0);"
            "insert into trial values (1, 1, 1, 0, 'timed', 0, 1, '', 1, '', 0, null, 0, 1, 2, 3, "
            "1, "
            "'monotonic_raw');"
            "insert into phase_stat (trial, phase, rep, wall_ns, tokens) values (1, 'prefill', 0, "
            "1000, 3);"
            "insert into identity (trial, phase, name, expected, seen) values (1, 'prefill', "
            "'ops', "
            "3, 4);");
    }
    Store store(folder.path());
    const auto report = reports::load_report(store, 1);
    EXPECT_EQ(report.scenario.name, "old");
    EXPECT_EQ(report.arm.name, "a");
    EXPECT_TRUE(report.arm.arguments.empty());
    ASSERT_EQ(report.phases.size(), 1u);
    EXPECT_EQ(report.phases[0].wall_ns->median, 1000);
    ASSERT_EQ(report.identities.size(), 1u);
    EXPECT_TRUE(report.identities[0].must_hold);
    EXPECT_FALSE(report.valid);
    EXPECT_TRUE(fs::exists(folder.path() / "tare.db.backup-v3"));
}

}  // namespace
