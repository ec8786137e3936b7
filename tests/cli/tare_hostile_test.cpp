// SPDX-License-Identifier: Apache-2.0
// Command lines and texts that mean harm: exit 2 with what, the value and the accepted form; no
// text of a library, no escape sequence on a terminal, nothing half written.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>

#include "tests/fakes/processes.h"
#include "tests/fakes/tare.h"

namespace {

using testing::AllOf;
using testing::HasSubstr;
using testing::Not;

const std::string escape = "\x1b[31m";

void expect_safe(const std::string& text) {
    for (const char c : text)
        EXPECT_TRUE(c == '\n' || static_cast<unsigned char>(c) >= 0x20) << text;
    EXPECT_THAT(text, Not(HasSubstr("\xff")));
    for (const char* library : {"filesystem error", "json.exception", "std::", "basic_string"})
        EXPECT_THAT(text, Not(HasSubstr(library)));
}

using Words = std::vector<std::string>;

struct Refused {
    Words command;
    Words said;
};

TEST(TareHostile, values_are_2_with_option_value_and_form) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const Words run = {"run", tare.scenario, "--engine", fakes::Tare::engine()};
    const std::string digits = "99999999999999999999", name(5000, 'x');
    const auto with = [&](Words more) {
        more.insert(more.begin(), run.begin(), run.end());
        return more;
    };
    const std::vector<Refused> all = {
        {with({"--seed", ""}), {"--seed is empty", "Seed of the order"}},
        {with({"--rounds", ""}), {"--rounds is empty"}},
        {with({"--format", ""}), {"--format is empty"}},
        {with({"--out", ""}), {"--out is empty"}},
        {with({"--scenarios", ""}), {"--scenarios is empty"}},
        {{"report", ""}, {"RUN is empty"}},
        {{"compare", "1", ""}, {"RUN_B is empty"}},
        {{"prune", "--keep", ""}, {"--keep is empty"}},
        {{"report", "--arm", ""}, {"--arm is empty"}},
        {with({"--rounds", "-1"}), {"--rounds", "-1", "0 to 1000"}},
        {with({"--rounds", digits}), {"--rounds", digits, "0 to 1000"}},
        {with({"--top", digits}), {"--top", digits, "0 to 1000000"}},
        {with({"--seed", "-1"}), {"--seed", "-1", "0 to 9223372036854775807"}},
        {{"prune", "--keep", digits}, {"--keep", digits, "0 to 1000000"}},
        {{"export", "--trial", digits}, {"--trial", digits, "1 to"}},
        {with({"--rounds", "2", "--rounds", "3"}), {"--rounds", "'2', '3'", "give it once"}},
        {with({"--format", "a" + escape, "--format", "b\n"}), {"'a\\u{1b}[31m', 'b\\n'"}},
        {with({"--format", escape}), {"--format", "\\u{1b}[31m", "markdown"}},
        {with({"--out", "/tmp/" + name}), {"--out", "File name too long"}},
        {{"report", escape + "\xff"}, {"\\u{1b}[31m\\xff"}},
        {{"report", "--no" + escape}, {"--no\\u{1b}[31m"}},
        {{escape + "\xff"}, {"unknown subcommand '\\u{1b}[31m\\xff'"}},
        {{"report", "--arm", escape}, {"\\u{1b}[31m"}},
        {{"report", std::string(130'000, 'x')}, {"bytes left out"}},
        {{"run", "/" + std::string(130'000, 'x')}, {"cannot be read"}},
        {{"stats", "x", "--margin", escape}, {"\\u{1b}[31m"}},
        {{"build", "HEAD", "--out", ""}, {"--out is empty"}},
        {{"ab", "HEAD", "HEAD", tare.scenario, "--budget", "1e999s"}, {"--budget 1e999s", "90s"}},
    };
    for (const auto& [command, said] : all) {
        Words argv = command;
        argv.insert(argv.begin(), fakes::Tare::binary());
        const auto result = fakes::run(argv, {.env = {{"TARE_STORE", tare.store}}});
        EXPECT_EQ(result.exit_code, 2) << testing::PrintToString(said) << result.err;
        for (const auto& part : said) EXPECT_THAT(result.err, HasSubstr(part));
        expect_safe(result.err);
        EXPECT_EQ(result.out, "") << result.err;
        EXPECT_LT(result.err.size(), 10'000u);
    }
    EXPECT_THAT(tare({"store", "check"}).out, HasSubstr("1 runs, 0 unreadable"));
}

TEST(TareHostile, empty_store_is_never_the_default_one) {
    const fakes::Tare tare;
    const auto result = fakes::run({fakes::Tare::binary(), "list", "--store", ""},
                                   {.env = {{"TARE_STORE", tare.store}}});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("--store is empty"));
}

TEST(TareHostile, place_of_the_store_harms_no_json_and_no_terminal) {
    const fakes::Tare tare;
    const std::string store = (tare.folder().path() / ("s" + escape + "\xff")).string();
    for (const Words& command :
         {Words{"doctor"}, {"doctor", "--format", "json"}, {"store", "check"}}) {
        Words argv = command;
        argv.insert(argv.begin(), fakes::Tare::binary());
        const auto result = fakes::run(argv, {.env = {{"TARE_STORE", store}}});
        expect_safe(result.out + result.err);
    }
}

TEST(TareHostile, out_is_a_pipe_a_folder_or_a_file_and_nothing_half_written_is_left) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const auto folder = tare.folder().path() / "out";
    std::filesystem::create_directories(folder / "sub");
    const std::string whole = tare({"report"}).out, pipe = (folder / "pipe").string();
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    const auto shell = [&](const std::string& script) {
        return fakes::run({"bash", "-c", script, fakes::Tare::binary(), tare.store, pipe},
                          {.timeout_s = 20});
    };
    const auto piped =
        shell("cat \"$2\" & \"$0\" report --store \"$1\" --out \"$2\"; code=$?; wait; exit $code");
    EXPECT_EQ(piped.exit_code, 0) << piped.err;
    EXPECT_EQ(piped.out, whole);
    EXPECT_TRUE(std::filesystem::is_fifo(pipe));
    const auto sub = tare({"report", "--out", (folder / "sub").string()});
    EXPECT_EQ(sub.exit_code, 2);
    EXPECT_THAT(sub.err, HasSubstr("Is a directory"));
    const std::string file = tare.folder().write("out/old", "old").string();
    EXPECT_EQ(tare({"report", "--out", file}).exit_code, 0);
    EXPECT_EQ(fakes::text_of(file), whole);
    EXPECT_EQ(tare({"report", "--out", "/dev/full"}).exit_code, 2);
    EXPECT_EQ(tare.run_fake("good", {"--out", (folder / "sub").string()}).exit_code, 2);
    std::size_t there = 0;
    for ([[maybe_unused]] const auto& entry : std::filesystem::directory_iterator(folder)) ++there;
    EXPECT_EQ(there, 3u);
}

TEST(TareHostile, out_that_is_the_store_is_2_and_the_store_stays) {
    const fakes::Tare tare;
    ASSERT_EQ(tare.run_fake("good").exit_code, 0);
    const std::string database = tare.store + "/tare.db";
    for (const Words& command : {Words{"report"}, {"export", "--mode", "timed"}}) {
        Words argv = command;
        argv.insert(argv.end(), {"--out", database});
        const auto result = tare(argv);
        EXPECT_EQ(result.exit_code, 2);
        EXPECT_THAT(result.err, HasSubstr("a database is there"));
    }
    EXPECT_EQ(tare.run_fake("good", {"--out", database}).exit_code, 2);
    EXPECT_THAT(tare({"store", "check"}).out, HasSubstr("1 runs, 0 unreadable, 0 damages"));
}

// What the program, its arguments and an engine say of themselves.
TEST(TareHostile, text_of_others_never_steers_the_terminal) {
    const fakes::Tare tare;
    const auto engine = tare.folder().write(
        "engine",
        "#!/bin/sh\nprintf '\\033[31mred\\377\\n' >&2\n"
        "printf '{\"type\":\"hello\",\"protocol\":1,\"build\":{\"compiler\":"
        "\"c\\\\u001b[31m\"},\"model\":{\"name\":\"m\\\\u001b[31m\"}}\\n'\nexit 1\n");
    std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
    const auto run = tare(
        {"run", tare.scenario, "--engine", engine.string(), "--engine-arg", escape + "\n\xff"});
    EXPECT_EQ(run.exit_code, 4);
    EXPECT_THAT(run.err, HasSubstr("\\u{1b}[31mred\\xff"));
    EXPECT_THAT(run.out, HasSubstr("m\\u{1b}[31m"));
    expect_safe(run.out + run.err);
    for (const Words& command : {Words{"list"},
                                 {"show"},
                                 {"show", "--format", "json"},
                                 {"list", "--format", "markdown"},
                                 {"report"},
                                 {"report", "--format", "markdown"},
                                 {"store", "check"}}) {
        const auto result = tare(command);
        EXPECT_EQ(result.exit_code, 0) << result.err;
        expect_safe(result.out + result.err);
    }
}

TEST(TareHostile, engine_that_refuses_stops_the_run_with_2_and_its_words) {
    const fakes::Tare tare;
    const auto result = tare({"run", tare.scenario, "--rounds", "9", "--quiet", "--engine",
                              TARE_BUILD_DIR "/bin/tare-engine", "--engine-arg", "--no-such-flag"});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, HasSubstr("the engine refuses what it is asked"));
    EXPECT_THAT(result.err, AllOf(HasSubstr("--no-such-flag"), HasSubstr("Run 1 keeps")));
    EXPECT_EQ(result.out, "");
    const auto list = tare({"list", "--format", "json"}).out;
    EXPECT_THAT(list, AllOf(HasSubstr("\"trials\":1"), HasSubstr("\"status\":\"failed\"")));
}

}  // namespace
