// SPDX-License-Identifier: Apache-2.0
// tare when nothing takes what it prints: never 0, never a store that is harmed.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/tare.h"

namespace {

using testing::HasSubstr;
using testing::Not;

const std::vector<std::string> commands_that_print = {"--help",        "--version",
                                                      "run --help",    "store check --help",
                                                      "report",        "report --format html",
                                                      "list",          "list --format json",
                                                      "show",          "show --format json",
                                                      "compare 1 1",   "export --trial 1",
                                                      "store path",    "store check",
                                                      "store rebuild", "prune --keep 9",
                                                      "doctor"};

class TareOutput : public testing::Test {
  protected:
    TareOutput() {
        EXPECT_EQ(tare_.run_fake("good").exit_code, 0);
        csv_ = tare_.folder().write("rounds.csv", "a,b\n1,1\n2,2\n").string();
    }

    ~TareOutput() override {
        const auto check = tare_({"store", "check"});
        EXPECT_EQ(check.exit_code, 0) << check.out << check.err;
    }

    // `tare` in a command for bash stands for the program, with the store of this test.
    fakes::Result shell(const std::string& command) const {
        return fakes::run(
            {"bash", "-c", "tare() { " + fakes::Tare::binary() + " \"$@\"; }; " + command},
            {.env = {{"TARE_STORE", tare_.store}}});
    }

    std::vector<std::string> commands() const {
        auto all = commands_that_print;
        all.push_back("stats " + csv_);
        return all;
    }

    std::string run_command() const {
        return "tare run " + tare_.scenario + " --quiet --engine " + fakes::Tare::engine();
    }

    fakes::Tare tare_;
    std::string csv_;
};

TEST_F(TareOutput, that_nothing_took_is_exit_code_4_with_the_reason) {
    for (const auto& command : commands()) {
        const auto full = shell("tare " + command + " >/dev/full");
        EXPECT_EQ(full.exit_code, 4) << command;
        EXPECT_THAT(full.err, HasSubstr("stdout: No space left on device")) << command;
        const auto closed = shell("tare " + command + " >&-");
        EXPECT_EQ(closed.exit_code, 4) << command;
        EXPECT_THAT(closed.err, HasSubstr("stdout: closed")) << command;
    }
}

// Without stderr a file of the store would become descriptor 2, and messages would go into it.
TEST_F(TareOutput, is_whole_when_only_the_other_descriptors_are_closed) {
    for (const auto& command : commands()) {
        const auto open = shell("tare " + command), closed = shell("tare " + command + " <&- 2>&-");
        EXPECT_EQ(closed.exit_code, 0) << command;
        EXPECT_EQ(open.out.empty(), closed.out.empty()) << command;
    }
}

TEST_F(TareOutput, to_descriptors_that_are_all_closed_is_lost_and_goes_into_no_file) {
    for (const auto& command : commands())
        EXPECT_EQ(shell("tare " + command + " <&- >&- 2>&-").exit_code, 4) << command;
    EXPECT_EQ(shell(run_command() + " <&- >&- 2>&-").exit_code, 4);
    EXPECT_THAT(shell("tare store check").out, HasSubstr("2 runs, 0 unreadable, 0 damages"));
}

TEST_F(TareOutput, whose_reader_goes_away_ends_the_program_quietly_without_a_signal) {
    for (const auto& command : commands()) {
        const auto gone = shell("{ sleep 0.05; tare " + command +
                                "; echo $? >&2; } | true; exit ${PIPESTATUS[0]}");
        EXPECT_EQ(gone.err, "4\n") << command;
    }
}

TEST_F(TareOutput, of_a_run_that_is_lost_leaves_the_run_and_says_so) {
    const auto full = shell(run_command() + " >/dev/full");
    EXPECT_EQ(full.exit_code, 4);
    EXPECT_THAT(full.err, HasSubstr("stdout: No space left on device"));
    EXPECT_THAT(full.err, HasSubstr("run 2 is stored; `tare report 2` shows it"));
    const auto closed = shell(run_command() + " >&-");
    EXPECT_EQ(closed.exit_code, 4);
    EXPECT_THAT(closed.err, HasSubstr("run 3 is stored"));
    const auto place = shell(run_command() + " --out /dev/full");
    EXPECT_EQ(place.exit_code, 2);
    EXPECT_THAT(place.err, HasSubstr("/dev/full: cannot be written"));
    EXPECT_THAT(place.err, HasSubstr("run 4 is stored"));
    const auto ab = shell("tare ab env:X=1 env:X=1 " + tare_.scenario + " --quiet --rounds 2 " +
                          "--profiled-rounds 0 --engine " + fakes::Tare::engine() + " >/dev/full");
    EXPECT_EQ(ab.exit_code, 4);
    EXPECT_THAT(ab.err, HasSubstr("run 5 is stored; `tare compare 5` shows it"));
    for (const char* run : {"2", "3", "4", "5"}) EXPECT_EQ(tare_({"report", run}).exit_code, 0);
}

}  // namespace
