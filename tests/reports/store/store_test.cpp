// SPDX-License-Identifier: Apache-2.0
// What a store keeps of a run, and what it says when it cannot.
#include "reports/store/store.h"

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include <chrono>
#include <functional>

#include "reports/store/impl.h"
#include "reports/store/migrate.h"
#include "tests/reports/store/fixture.h"

namespace {

using reports::Id;
using reports::Store;
using testing::AllOf;
using testing::HasSubstr;
using tests::Folder;
using tests::message_of;
namespace fs = std::filesystem;

Id fill(Store& store, const std::string& status = "finished") {
    const Id run =
        store.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), tests::a_plan());
    const Id arm = store.add_arm(run, tests::an_arm(), tests::a_build(), tests::a_model());
    const Id good = store.begin_trial(run, arm, tests::a_trial());
    store.finish_trial(good, tests::a_trial());
    store.begin_trial(run, arm, tests::a_trial(reports::Mode::profiled, 1));
    store.finish_run(run, status, "");
    return run;
}

std::int64_t rows(const Store& store, const std::string& table) {
    auto row = store.impl().database.prepare("select count(*) as n from " + table);
    row.step();
    return row.need_integer("n");
}

TEST(store, lists_a_run_with_its_valid_trials) {
    Folder folder;
    Store store(folder.path() / "deep/store");
    const Id run = fill(store);
    const auto runs = store.list();
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].run.id, run);
    EXPECT_EQ(runs[0].run.status, "finished");
    EXPECT_EQ(runs[0].run.note, "first");
    EXPECT_EQ(runs[0].run.command_line, tests::a_run().command_line);
    EXPECT_EQ(runs[0].scenario, "prefill-4k");
    EXPECT_EQ(runs[0].commit, "c0ffee");
    EXPECT_EQ(runs[0].trials, 2);
    EXPECT_EQ(runs[0].valid_trials, 1);  // the second was never finished
}

TEST(store, keeps_equal_machines_builds_models_and_scenarios_once) {
    Folder folder;
    Store store(folder.path());
    fill(store);
    fill(store);
    for (const char* table : {"machine", "build", "model", "scenario"}) {
        EXPECT_EQ(rows(store, table), 1) << table;
    }
    EXPECT_EQ(rows(store, "run"), 2);
}

TEST(store, makes_a_new_machine_row_when_the_driver_changes) {
    Folder folder;
    Store store(folder.path());
    fill(store);
    auto machine = tests::a_machine();
    machine.driver = "580.1";
    store.begin_run(tests::a_run(), tests::a_scenario(), machine, tests::a_plan());
    EXPECT_EQ(rows(store, "machine"), 2);
}

TEST(store, resolves_latest_and_refuses_what_is_not_there) {
    Folder folder;
    Store store(folder.path());
    EXPECT_THAT(message_of([&] { store.resolve_run({}); }), HasSubstr("no run in this store yet"));
    fill(store);
    const Id second = fill(store);
    EXPECT_EQ(store.resolve_run(std::nullopt), second);
    EXPECT_EQ(store.resolve_run("latest"), second);
    EXPECT_EQ(store.resolve_run("1"), 1);
    EXPECT_THAT(message_of([&] { store.resolve_run("77"); }), HasSubstr("no run 77"));
    EXPECT_THAT(message_of([&] { store.resolve_run("1x"); }), HasSubstr("'1x' is not a run"));
}

TEST(store, shows_a_running_run_of_a_dead_process_as_interrupted) {
    Folder folder;
    if (const pid_t child = fork(); child == 0) {
        Store store(folder.path());
        store.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), tests::a_plan());
        _exit(0);  // no destructors: as killed
    } else {
        waitpid(child, nullptr, 0);
    }
    Store store(folder.path());
    store.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(), tests::a_plan());
    const auto runs = store.list();
    ASSERT_EQ(runs.size(), 2u);
    EXPECT_EQ(runs[0].run.status, "running");
    EXPECT_EQ(runs[1].run.status, "interrupted");
}

TEST(store, run_that_was_cut_off_is_taken_over_once) {
    Folder folder;
    Store store(folder.path());
    const Id cut_off = fill(store, "interrupted"), finished = fill(store);
    store.resume_run(cut_off);
    EXPECT_EQ(store.list()[1].run.status, "running");
    EXPECT_THROW(store.resume_run(cut_off), reports::NotCutOff);
    EXPECT_THROW(store.resume_run(finished), reports::NotCutOff);
    EXPECT_THROW(store.resume_run(99), reports::StoreError);
    store.finish_run(cut_off, "failed", "the disk was full");
    store.resume_run(cut_off);
}

TEST(store, void_rounds_of_a_run_count_neither_there_nor_elsewhere) {
    Folder folder;
    Store store(folder.path());
    const Id run = fill(store), other = fill(store);
    store.void_rounds(run, 1, 1, "cut off");
    EXPECT_EQ(store.list()[1].void_trials, 1);
    EXPECT_EQ(store.list()[1].valid_trials, 1);
    store.void_rounds(run, 0, 1, "cut off again");
    EXPECT_EQ(store.list()[1].void_trials, 2);
    EXPECT_EQ(store.list()[1].valid_trials, 0);
    EXPECT_EQ(store.list()[0].run.id, other);
    EXPECT_EQ(store.list()[0].void_trials, 0);
    auto row =
        store.impl().database.prepare("select min(voided) as why from trial where voided <> ''");
    row.step();
    EXPECT_EQ(row.need_text("why"), "cut off") << "the first reason stays";
}

TEST(store, prunes_raw_files_alone_or_with_their_run) {
    Folder folder;
    Store store(folder.path());
    const Id run = fill(store);
    tests::write_file(store.raw_folder(run) / "1.lines", std::string(1000, 'x'));
    EXPECT_EQ(store.prune({run}, true), 1000);
    EXPECT_FALSE(fs::exists(store.raw_folder(run)));
    EXPECT_EQ(rows(store, "trial"), 2);
    EXPECT_EQ(store.prune({run}, false), 0);
    for (const char* table : {"run", "plan", "arm", "round", "trial"}) {
        EXPECT_EQ(rows(store, table), 0) << table;
    }
    EXPECT_THAT(message_of([&] { store.prune({run}, false); }), HasSubstr("no run 1"));
}

TEST(store, reads_while_another_process_writes) {
    Folder folder;
    Store writer(folder.path());
    fill(writer);
    reports::store::Database::Transaction transaction(writer.impl().database);
    const Store reader(folder.path(), Store::Access::read_only);
    EXPECT_EQ(reader.list().size(), 1u);
}

TEST(store, says_that_another_process_holds_the_lock) {
    Folder folder;
    Store holder(folder.path());
    reports::store::Database::Transaction transaction(holder.impl().database);
    auto database = reports::store::open_database(
        folder.path(), reports::store::shipped_migrations(), {.patience = {.longest_s = 0.05}});
    EXPECT_THAT(message_of([&] { reports::store::Database::Transaction second(database); }),
                AllOf(HasSubstr("tare.db"), HasSubstr("another process is writing")));
}

TEST(store, refuses_a_corrupt_file_and_leaves_it_alone) {
    Folder folder;
    const std::string junk = "this is not a database, it is a letter to a friend of long standing";
    tests::write_file(folder.path() / "tare.db", junk + std::string(4096, '.'));
    const auto before = tests::read_file(folder.path() / "tare.db");
    EXPECT_THAT(message_of([&] { Store store(folder.path()); }),
                AllOf(HasSubstr("tare.db"), HasSubstr("Move it away")));
    EXPECT_THAT(message_of([&] { Store store(folder.path(), Store::Access::read_only); }),
                HasSubstr("Move it away"));
    EXPECT_EQ(tests::read_file(folder.path() / "tare.db"), before);
}

TEST(store, says_that_reading_a_damaged_page_failed) {
    Folder folder;
    {
        Store store(folder.path());
        fill(store);
    }
    auto bytes = tests::read_file(folder.path() / "tare.db");
    for (std::size_t i = 4096; i < bytes.size(); ++i) bytes[i] = '\x5a';
    tests::write_file(folder.path() / "tare.db", bytes);
    EXPECT_THAT(message_of([&] {
                    Store store(folder.path());
                    store.list();
                }),
                HasSubstr("Move it away"));
}

TEST(store, refuses_the_database_of_another_program) {
    Folder folder;
    {
        reports::store::Database other(folder.path() / "tare.db",
                                       reports::store::Database::Open::create, {});
        other.script("create table friend (name text)");
    }
    EXPECT_THAT(message_of([&] { Store store(folder.path()); }),
                HasSubstr("SQLite file of another program"));
}

TEST(store, cannot_be_made_where_a_file_is_in_the_way) {
    Folder folder;
    tests::write_file(folder.path() / "file", "x");
    EXPECT_THAT(message_of([&] { Store store(folder.path() / "file/store"); }),
                AllOf(HasSubstr("cannot create the store's folder"), HasSubstr("--store DIR")));
    EXPECT_THAT(message_of([&] { Store store(folder.path() / "file"); }),
                HasSubstr("cannot create the store's folder"));
}

TEST(store, read_only_says_that_nothing_was_measured_yet) {
    Folder folder;
    EXPECT_THAT(message_of([&] { Store store(folder.path(), Store::Access::read_only); }),
                AllOf(HasSubstr("no store here yet"), HasSubstr("tare run")));
    EXPECT_FALSE(fs::exists(folder.path() / "tare.db"));
}

TEST(store, full_disk_keeps_what_was_there_before) {
    Folder folder;
    Store store(folder.path());
    fill(store);
    store.impl().database.script("pragma max_page_count = 1");  // as small as it is now
    auto run = tests::a_run();
    run.note = std::string(1'000'000, 'n');
    EXPECT_THAT(message_of([&] {
                    store.begin_run(run, tests::a_scenario(), tests::a_machine(), tests::a_plan());
                }),
                AllOf(HasSubstr("full"), HasSubstr("tare prune")));
    EXPECT_EQ(store.list().size(), 1u);
}

// Root may write everywhere, so the test's body runs in a child without privileges.
int as_nobody(const std::function<bool()>& body) {
    const pid_t child = fork();
    if (child == 0) {
        if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) _exit(2);
        _exit(body() ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

TEST(store, read_only_folder_can_be_listed_but_not_written) {
    Folder folder;
    {
        Store store(folder.path());
        fill(store);
    }
    chmod((folder.path() / "tare.db").c_str(), 0444);
    chmod(folder.path().c_str(), 0555);
    EXPECT_EQ(as_nobody([&] {
                  return Store(folder.path(), Store::Access::read_only).list().size() == 1;
              }),
              0);
    EXPECT_EQ(as_nobody([&] {
                  const auto text =
                      message_of([&] { fill(*std::make_unique<Store>(folder.path())); });
                  return text.find("may only be read") != std::string::npos;
              }),
              0);
    chmod(folder.path().c_str(), 0755);
}

TEST(store, folder_is_the_option_then_the_environment_then_the_checkout) {
    Folder folder;
    const auto here = fs::current_path();
    fs::create_directories(folder.path() / "checkout/.git");
    fs::create_directories(folder.path() / "checkout/sub/dir");
    unsetenv("TARE_STORE");
    fs::current_path(folder.path() / "checkout/sub/dir");
    EXPECT_EQ(reports::store_folder({}), fs::canonical(folder.path() / "checkout") / ".tare");
    fs::current_path(folder.path());
    setenv("XDG_DATA_HOME", "/data", 1);
    EXPECT_EQ(reports::store_folder({}), "/data/tare");
    setenv("TARE_STORE", "/from/environment", 1);
    EXPECT_EQ(reports::store_folder({}), "/from/environment");
    EXPECT_EQ(reports::store_folder("/from/option"), "/from/option");
    unsetenv("TARE_STORE");
    unsetenv("XDG_DATA_HOME");
    fs::current_path(here);
}

std::string text_in(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), {}};
}

TEST(store, new_one_in_a_checkout_keeps_itself_out_of_git) {
    Folder folder;
    fs::create_directories(folder.path() / "checkout/.git");
    const fs::path own = folder.path() / "checkout/.tare";
    Store{own};
    EXPECT_EQ(text_in(own / ".gitignore"), "*\n");
    for (const std::string other : {"checkout/results", "elsewhere/.tare"}) {
        Store{folder.path() / other};
        EXPECT_FALSE(fs::exists(folder.path() / other / ".gitignore")) << other;
    }
}

TEST(store, rules_that_somebody_wrote_stay) {
    Folder folder;
    fs::create_directories(folder.path() / "a/.git");
    fs::create_directories(folder.path() / "a/.tare");
    std::ofstream(folder.path() / "a/.tare/.gitignore") << "raw\n";
    Store{folder.path() / "a/.tare/"};
    EXPECT_EQ(text_in(folder.path() / "a/.tare/.gitignore"), "raw\n");
    // Taken away from a store that is there: somebody wants it in git.
    fs::remove(folder.path() / "a/.tare/.gitignore");
    Store{folder.path() / "a/.tare"};
    EXPECT_FALSE(fs::exists(folder.path() / "a/.tare/.gitignore"));
}

}  // namespace
