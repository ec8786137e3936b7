// SPDX-License-Identifier: Apache-2.0
// Limits of the process and places that cannot be written: told by their own name, and never as a
// damage of the store.
#include <gtest/gtest.h>
#include <unistd.h>

#include <memory>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

bool has(const std::string& text, const char* part) {
    return text.find(part) != std::string::npos;
}

// What `command` does to a store under a limit of the shell's ulimit.
fakes::Result limited(const fakes::Tare& tare,
                      const std::string& limit,
                      const std::string& command) {
    return fakes::run({"/bin/sh", "-c",
                       "ulimit " + limit + " && exec " + fakes::Tare::binary() + " " + command +
                           " --store " + tare.store});
}

void expect_no_blame(const fakes::Result& result) {
    const std::string text = result.out + result.err;
    for (const char* blame : {"damaged", "Move it away", "permissions", "report it"})
        EXPECT_FALSE(has(text, blame)) << text;
}

const std::vector<std::string> commands = {"list",        "report",        "show",
                                           "store check", "store rebuild", "prune --keep 9"};

TEST(TareLimits, few_open_files_are_named_and_the_store_is_not_blamed) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    int told = 0;
    // How many a process starts with is its parent's affair: some of these limits stop the loader.
    for (int files = 4; files < 20; ++files) {
        for (const std::string& command : commands) {
            const std::string limit = "-n " + std::to_string(files);
            SCOPED_TRACE(limit + " " + command);
            const auto result = limited(tare, limit, command);
            if (has(result.err, "shared libraries")) continue;
            expect_no_blame(result);
            if (result.exit_code == 0) continue;
            EXPECT_EQ(result.exit_code, 4) << result.err;
            EXPECT_HAS(result.out + result.err, "Too many open files");
            EXPECT_HAS(result.out + result.err, "ulimit -n");
            ++told;
        }
    }
    EXPECT_GT(told, 0);
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

TEST(TareLimits, little_memory_is_named_and_the_store_is_not_blamed) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    if (limited(tare, "-v 400000", "list").exit_code != 0)
        GTEST_SKIP() << "a build that needs more address space than a limit can leave it";
    int told = 0;
    for (int kib = 10'000; kib < 24'000; kib += 1'000) {
        for (const std::string command : {"store rebuild", "report"}) {
            const std::string limit = "-v " + std::to_string(kib);
            SCOPED_TRACE(limit + " " + command);
            const auto result = limited(tare, limit, command);
            if (has(result.err, "shared libraries")) continue;  // the loader's own lack
            expect_no_blame(result);
            if (result.exit_code <= 0) continue;
            EXPECT_EQ(result.exit_code, 4) << result.err;
            EXPECT_HAS(result.err, "emory");
            ++told;
        }
    }
    EXPECT_GT(told, 0);
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

TEST(TareLimits, limit_of_file_size_is_told_and_ends_no_process_by_its_signal) {
    const fakes::Tare tare;
    const auto result =
        fakes::run({"/bin/sh", "-c",
                    "ulimit -f 1 && exec " + fakes::Tare::binary() + " run " + tare.scenario +
                        " --engine " + fakes::Tare::engine() + " --store " + tare.store});
    EXPECT_EQ(result.signal, 0);
    EXPECT_EQ(result.exit_code, 4) << result.err;
    EXPECT_HAS(result.err, "File too large");
    EXPECT_HAS(result.err, "ulimit -f");
    const std::string logits = (tare.folder().path() / "logits").string();
    const auto engine =
        fakes::run({"/bin/sh", "-c",
                    "ulimit -f 1 && exec " TARE_BUILD_DIR "/bin/tare-engine score --model " +
                        std::string(fakes::small_bf16) + " --tokens 1,2,3 --logits-out " + logits});
    EXPECT_EQ(engine.signal, 0);
    EXPECT_GT(engine.exit_code, 0);
    EXPECT_HAS(engine.err, "File too large");
    EXPECT_HAS(engine.err, logits);
    EXPECT_FALSE(fs::exists(logits));
}

TEST(TareLimits, prune_of_an_empty_name_deletes_nothing_and_is_2) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    for (const std::vector<std::string>& command :
         {std::vector<std::string>{"prune", ""}, {"prune", "", "--raw-only"}, {"prune", "1", ""}}) {
        const auto result = tare(command);
        EXPECT_EQ(result.exit_code, 2) << result.out;
        EXPECT_HAS(result.err, "RUN is empty");
    }
    EXPECT_HAS(tare({"store", "check"}).out, "1 runs, 0 unreadable, 0 damages");
    EXPECT_TRUE(fs::exists(tare.store + "/raw/1/1.lines.zst"));
}

TEST(TareUnwritable, path_below_a_file_and_in_proc_is_2_with_the_systems_words) {
    const fakes::Tare tare;
    const std::string below = tare.folder().write("file", "x").string() + "/store";
    for (const auto& [store, words] :
         {std::pair<std::string, std::string>{below, "Not a directory"},
          {"/proc/tare-store", "No such file or directory"}}) {
        const auto result = fakes::run({fakes::Tare::binary(), "run", tare.scenario, "--engine",
                                        fakes::Tare::engine(), "--store", store});
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_HAS(result.err, store);
        EXPECT_HAS(result.err, words);
        EXPECT_HAS(result.err, "--store DIR");
    }
}

// Mounts over `store` or a folder of it, read-only, in a namespace of its own.
fakes::Result on_read_only(const fakes::Tare& tare,
                           const std::string& folder,
                           const std::string& command) {
    const std::string unshare = geteuid() == 0 ? "unshare -m" : "unshare -rm";
    return fakes::run({"/bin/sh", "-c",
                       "exec " + unshare + " /bin/sh -c 'mount --bind " + folder + " " + folder +
                           " && mount -o remount,ro,bind " + folder + " || exit 77; exec " +
                           fakes::Tare::binary() + " " + command + " --store " + tare.store + "'"});
}

TEST(TareUnwritable, read_only_file_system_is_told_and_still_read) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const auto listed = on_read_only(tare, tare.store, "list");
    if (listed.exit_code == 77 || listed.exit_code == 1) GTEST_SKIP() << "no mount: " << listed.err;
    EXPECT_EQ(listed.exit_code, 0) << listed.err;
    const std::string run = "run " + tare.scenario + " --engine " + fakes::Tare::engine();
    const auto whole = on_read_only(tare, tare.store, run);
    EXPECT_EQ(whole.exit_code, 2) << whole.err;
    EXPECT_HAS(whole.err, tare.store);
    EXPECT_HAS(whole.err, "--store DIR");
    expect_no_blame(whole);
    const auto raw = on_read_only(tare, tare.store + "/raw", run);
    EXPECT_EQ(raw.exit_code, 4) << raw.err;
    EXPECT_HAS(raw.err, tare.store + "/raw");
    EXPECT_HAS(raw.err, "Read-only file system");
    EXPECT_EQ(tare({"store", "check"}).exit_code, 0);
}

TEST(TareStoreShared, lists_and_runs_at_once_on_no_store_yet_all_work) {
    const fakes::Tare tare;
    std::vector<std::unique_ptr<fakes::Started>> started;
    const auto output = [&](int i) { return (tare.folder().path() / std::to_string(i)).string(); };
    for (int i = 0; i < 8; ++i) {
        std::vector<std::string> command = {fakes::Tare::binary(), "list", "--store", tare.store};
        if (i % 2 == 0)
            command = {fakes::Tare::binary(), "run",     tare.scenario, "--engine",
                       fakes::Tare::engine(), "--store", tare.store};
        started.push_back(std::make_unique<fakes::Started>(
            command, std::vector<std::pair<std::string, std::string>>{}, output(i)));
    }
    for (int i = 0; i < 8; ++i) {
        const int status = started[static_cast<std::size_t>(i)]->wait_for_end(60);
        ASSERT_TRUE(WIFEXITED(status)) << fakes::text_of(output(i));
        const bool too_early = i % 2 == 1 && has(fakes::text_of(output(i)), "no store here yet");
        EXPECT_EQ(WEXITSTATUS(status), too_early ? 2 : 0) << fakes::text_of(output(i));
    }
    EXPECT_HAS(tare({"store", "check"}).out, "4 runs, 0 unreadable, 0 damages, 0 leftovers");
}

}  // namespace
