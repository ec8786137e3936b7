// SPDX-License-Identifier: Apache-2.0
// A disk that is full at any byte of any stage: the message names the file and the lack of space,
// earlier runs are untouched, the store opens, and with space again the next run works.
#include <gtest/gtest.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cstdlib>
#include <nlohmann/json.hpp>

#include "tests/fakes/full_disk.h"
#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using fakes::FullDisk;
using nlohmann::json;
namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

constexpr std::int64_t endless = std::int64_t{1} << 50;

bool names_the_lack(const std::string& text) {
    return text.find("No space left") != std::string::npos ||
           text.find("no space is left") != std::string::npos;
}

class TareDiskFull : public testing::Test {
  protected:
    void SetUp() override {
        if (!fakes::preload_works) GTEST_SKIP() << "a library cannot be preloaded here";
        base_ = tare_.store + ".base";
        ASSERT_EQ(tare_.run_fake("good", {"--profiled-rounds", "1"}, {{"FAKE_CAPTURE", "good"}})
                      .exit_code,
                  0);
        before_ = report();
        fs::rename(tare_.store, base_);
    }

    std::string report() const { return tare_({"report", "1", "--format", "json"}).out; }

    // The store as it was with one run in it.
    void restore() const {
        fs::remove_all(tare_.store);
        fs::copy(base_, tare_.store, fs::copy_options::recursive);
    }

    fakes::Result run_on(const FullDisk& disk) const {
        auto env = disk.env();
        env.emplace_back("FAKE_CAPTURE", "good");
        return tare_.run_fake("good", {"--profiled-rounds", "1", "--quiet"}, env);
    }

    fakes::Result on(const FullDisk& disk, std::vector<std::string> arguments) const {
        return tare_(std::move(arguments), disk.env());
    }

    void expect_nothing_lost() const {
        const auto check = tare_({"store", "check"});
        EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
        EXPECT_HAS(check.out, "0 unreadable, 0 damages");
        EXPECT_EQ(report(), before_);
    }

    void expect_run_survives(const std::string& under, int steps) const;

    void expect_told(const fakes::Result& result) const {
        EXPECT_EQ(result.exit_code, 4) << result.out << result.err;
        EXPECT_TRUE(names_the_lack(result.err + result.out)) << result.err << result.out;
        EXPECT_HAS(result.err + result.out, tare_.store);
    }

    fakes::Tare tare_;
    std::string base_, before_;
};

// Bytes at which the disk is full, evenly over what a whole run writes, the first few one by one.
std::vector<std::int64_t> walk(std::int64_t total, int steps) {
    if (std::getenv("TARE_LONG_TESTS") != nullptr) steps *= 10;
    std::vector<std::int64_t> out = {0, 1};
    for (int i = 1; i < steps; ++i) out.push_back(total * i / steps + i % 7);
    return out;
}

// Walks over all bytes that a run writes below `under`, with one run stored before.
void TareDiskFull::expect_run_survives(const std::string& under, int steps) const {
    restore();
    const FullDisk roomy(under, endless);
    ASSERT_EQ(run_on(roomy).exit_code, 0);
    ASSERT_GT(roomy.wanted(), 2'000);
    int told = 0;
    for (const std::int64_t after : walk(roomy.wanted(), steps)) {
        SCOPED_TRACE(std::to_string(after) + " of " + std::to_string(roomy.wanted()) + " bytes");
        restore();
        const FullDisk disk(under, after);
        const auto result = run_on(disk);
        // Once all is in the log, what follows can wait for space: the run is whole.
        if (result.exit_code == 0) {
            EXPECT_EQ(tare_({"report", "2"}).exit_code, 0);
        } else {
            expect_told(result);
            ++told;
        }
        expect_nothing_lost();
        if (HasFailure()) return;
    }
    EXPECT_GT(told, steps / 2);
    // With space again it goes on as if nothing had been.
    EXPECT_EQ(tare_.run_fake("good").exit_code, 0);
    EXPECT_EQ(tare_({"prune", "--leftovers"}).exit_code, 0);
    EXPECT_HAS(tare_({"store", "check"}).out, " 0 leftovers");
}

TEST_F(TareDiskFull, at_any_byte_of_a_run_loses_nothing_that_was_there) {
    expect_run_survives(tare_.store, 16);
}

TEST_F(TareDiskFull, at_any_byte_of_its_raw_files_loses_nothing_that_was_there) {
    expect_run_survives(tare_.store + "/raw", 10);
}

TEST_F(TareDiskFull, at_any_byte_of_making_a_store_leaves_one_that_can_be_made) {
    const FullDisk roomy(tare_.store, endless);
    ASSERT_EQ(run_on(roomy).exit_code, 0);
    for (const std::int64_t after : {0, 1, 4096, 10'000, 60'000}) {
        SCOPED_TRACE(after);
        fs::remove_all(tare_.store);
        const FullDisk disk(tare_.store, after);
        const auto result = run_on(disk);
        EXPECT_TRUE(result.exit_code == 2 || result.exit_code == 4) << result.err;
        EXPECT_TRUE(names_the_lack(result.err)) << result.err;
        EXPECT_EQ(tare_.run_fake("good").exit_code, 0);
        EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
    }
}

TEST_F(TareDiskFull, rebuild_and_prune_lose_nothing_else) {
    for (const std::vector<std::string>& command : {std::vector<std::string>{"store", "rebuild"},
                                                    {"prune", "2"},
                                                    {"prune", "2", "--raw-only"}}) {
        restore();
        ASSERT_EQ(tare_.run_fake("good").exit_code, 0);
        const fs::path kept = tare_.store + ".two";
        fs::remove_all(kept);
        fs::copy(tare_.store, kept, fs::copy_options::recursive);
        const FullDisk roomy(tare_.store, endless);
        ASSERT_EQ(on(roomy, command).exit_code, 0);
        for (const std::int64_t after : walk(roomy.wanted(), 5)) {
            SCOPED_TRACE(command[0] + " " + command[1] + " " + std::to_string(after));
            fs::remove_all(tare_.store);
            fs::copy(kept, tare_.store, fs::copy_options::recursive);
            const FullDisk disk(tare_.store, after);
            const auto result = on(disk, command);
            if (disk.was_full() && result.exit_code != 0) expect_told(result);
            EXPECT_EQ(report(), before_);
            // What was to go may be half gone, which is told; with space it goes.
            if (result.exit_code != 0 && command[0] == "prune") {
                EXPECT_EQ(tare_(command).exit_code, 0);
            }
            expect_nothing_lost();
            if (HasFailure()) return;
        }
    }
}

// The probe writes inside the engine's process: it counts the loss, the engine goes on.
TEST_F(TareDiskFull, of_the_capture_is_a_counted_loss_and_harms_no_engine) {
    const std::string scenario =
        tare_.folder()
            .write("real.toml", "name = \"real\"\nmodel = \"" TARE_SOURCE_DIR
                                "/scenarios/models/small-bf16\"\nworkload = \"decode\"\n"
                                "decode_tokens = 4\n[prompt]\nseed = 1\ncount = 16\n")
            .string();
    const auto profiled = [&](const FullDisk& disk) {
        return on(disk, {"run", scenario, "--rounds", "0", "--profiled-rounds", "1", "--quiet"});
    };
    const std::string folder = fs::path(tare_.store + "/raw/1/1.probe").string();
    const FullDisk roomy(folder, endless);
    ASSERT_EQ(profiled(roomy).exit_code, 0);
    ASSERT_GT(roomy.wanted(), 1'000);
    for (const std::int64_t after : {std::int64_t{0}, roomy.wanted() / 2}) {
        SCOPED_TRACE(after);
        fs::remove_all(tare_.store);
        const FullDisk disk(folder, after);
        const auto result = profiled(disk);
        EXPECT_EQ(result.exit_code, 4) << result.out;
        const json shown = json::parse(tare_({"show", "--format", "json"}).out);
        ASSERT_EQ(shown["trials"].size(), 1u);
        const json& trial = shown["trials"][0];
        EXPECT_EQ(trial["exit_code"], 0) << trial;  // the engine's own
        EXPECT_EQ(trial["valid"], false);
        const std::string reason = trial["reason"];
        EXPECT_TRUE(reason.find("loss") != std::string::npos ||
                    reason.find("no capture") != std::string::npos)
            << reason;
    }
}

// A store of the schema before this build's, made by the released steps.
void make_old_store(const std::string& folder) {
    fs::create_directories(folder);
    sqlite3* database = nullptr;
    ASSERT_EQ(sqlite3_open((folder + "/tare.db").c_str(), &database), SQLITE_OK);
    sqlite3_exec(database, "pragma synchronous = off", nullptr, nullptr, nullptr);
    for (const char* step : {"001_run", "002_measured", "003_views"}) {
        const std::string sql =
            fakes::text_of(std::string(TARE_SOURCE_DIR "/reports/schema/") + step + ".sql");
        ASSERT_EQ(sqlite3_exec(database, sql.c_str(), nullptr, nullptr, nullptr), SQLITE_OK)
            << step;
    }
    ASSERT_EQ(
        sqlite3_exec(database,
                     "pragma application_id = 1952543333; pragma user_version = 3;"
                     "insert into scenario values (1, 's', 'old', '{}', 'p');"
                     "insert into machine values (1, '{}', 'm', 'h', 'c', 1, 1, 'k', null, "
                     "null, null, '{}');"
                     "insert into run values (1, 1, 1, '2026-01-01T00:00:00Z', '[]', 'c', 'cpu', "
                     "'finished', '', 1, 1);"
                     "insert into plan values (1, 1, 0, 1, 1, 1, 60, '{}');",
                     nullptr, nullptr, nullptr),
        SQLITE_OK)
        << sqlite3_errmsg(database);
    sqlite3_close(database);
}

TEST_F(TareDiskFull, at_any_byte_of_a_migration_leaves_the_older_file) {
    const auto migrated = [&](const FullDisk& disk) {
        fs::remove_all(tare_.store);
        make_old_store(tare_.store);
        return on(disk, {"list", "--format", "json"});
    };
    const FullDisk roomy(tare_.store, endless);
    ASSERT_EQ(json::parse(migrated(roomy).out)["runs"].size(), 1u);
    ASSERT_GT(roomy.wanted(), 10'000);
    for (const std::int64_t after : walk(roomy.wanted(), 8)) {
        SCOPED_TRACE(after);
        const FullDisk disk(tare_.store, after);
        const auto result = migrated(disk);
        if (result.exit_code != 0) {
            EXPECT_TRUE(names_the_lack(result.err)) << result.err;
        }
        const auto again = tare_({"list", "--format", "json"});
        ASSERT_EQ(again.exit_code, 0) << again.err;
        EXPECT_EQ(json::parse(again.out)["runs"][0]["scenario"], "old");
        EXPECT_EQ(tare_({"store", "check"}).exit_code, 0);
    }
}

TEST_F(TareDiskFull, stdout_that_is_full_is_4_and_says_where_the_figures_are) {
    restore();
    for (const std::string command : {"report", "list", "show", "compare 1 1", "store check",
                                      "store path", "store rebuild", "prune --keep 9", "doctor"}) {
        const auto result = fakes::run(
            {"/bin/sh", "-c",
             fakes::Tare::binary() + " " + command + " --store " + tare_.store + " > /dev/full"});
        EXPECT_EQ(result.exit_code, 4) << command;
        EXPECT_HAS(result.err, "stdout: No space left");
    }
    expect_nothing_lost();
}

TEST_F(TareDiskFull, run_whose_report_cannot_be_printed_is_stored) {
    restore();
    const auto result =
        fakes::run({"/bin/sh", "-c",
                    fakes::Tare::binary() + " run " + tare_.scenario + " --engine " +
                        fakes::Tare::engine() + " --store " + tare_.store + " > /dev/full"});
    EXPECT_EQ(result.exit_code, 4);
    EXPECT_HAS(result.err, "stdout: No space left");
    EXPECT_EQ(json::parse(tare_({"list", "--format", "json"}).out)["runs"][0]["status"],
              "finished");
    expect_nothing_lost();
}

TEST_F(TareDiskFull, place_of_out_is_the_users_to_mend) {
    restore();
    const std::string folder = (tare_.folder().path() / "out").string();
    fs::create_directories(folder);
    const FullDisk disk(folder, 10);
    const auto result = on(disk, {"report", "--out", folder + "/report.txt"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_HAS(result.err, folder + "/report.txt");
    EXPECT_TRUE(names_the_lack(result.err)) << result.err;
    EXPECT_TRUE(fs::is_empty(folder));
    expect_nothing_lost();
}

// A file system of its own in a mount namespace: as root, or in a user namespace.
TEST_F(TareDiskFull, real_file_system_that_is_full_is_told_and_recovers) {
    const std::string unshare = geteuid() == 0 ? "unshare -m" : "unshare -rm";
    if (fakes::run({"/bin/sh", "-c", unshare + " mount -t tmpfs none /mnt"}).exit_code != 0)
        GTEST_SKIP() << "no mount namespace here: " << unshare << " mount -t tmpfs fails";
    restore();
    const std::string script = R"sh(
        set -e
        mkdir "$STORE.disk"
        mount -t tmpfs -o size=1m none "$STORE.disk"
        cp -r "$STORE" "$STORE.disk/store"
        cat /dev/zero > "$STORE.disk/filler" 2>/dev/null || true
        set +e
        "$@" --store "$STORE.disk/store"; echo "full: $?"
        "$TARE" report 1 --format json --store "$STORE.disk/store" > "$STORE.seen"; echo "report: $?"
        rm "$STORE.disk/filler"
        "$@" --store "$STORE.disk/store" > /dev/null; echo "space: $?"
        "$TARE" store check --store "$STORE.disk/store"
    )sh";
    std::vector<std::string> command = {"/bin/sh",
                                        "-c",
                                        "exec " + unshare + " /bin/sh -c \"$0\" \"$@\"",
                                        script,
                                        "sh",
                                        fakes::Tare::binary(),
                                        "run",
                                        tare_.scenario,
                                        "--engine",
                                        fakes::Tare::engine(),
                                        "--quiet"};
    const auto result =
        fakes::run(command, {.env = {{"STORE", tare_.store}, {"TARE", fakes::Tare::binary()}}});
    EXPECT_TRUE(result.out.find("full: 4") != std::string::npos ||
                result.out.find("full: 2") != std::string::npos)
        << result.out << result.err;
    EXPECT_TRUE(names_the_lack(result.err)) << result.err;
    EXPECT_HAS(result.out, "report: 0");
    EXPECT_HAS(result.out, "space: 0");
    EXPECT_HAS(result.out, "0 unreadable, 0 damages");
    EXPECT_EQ(fakes::text_of(tare_.store + ".seen"), before_);
}

}  // namespace
