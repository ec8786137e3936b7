// SPDX-License-Identifier: Apache-2.0
// Processes under test: how they end, what is kept, what environment they see.
#include <gtest/gtest.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "scenarios/run/clock.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"
#include "scenarios/run/proc_files.h"
#include "scenarios/run/process.h"
#include "scenarios/run/roof.h"
#include "scenarios/run/trial.h"
#include "tests/fakes/temporary.h"

namespace {

using namespace scenarios::run;

Exit shell(const std::string& script, const Watch& watch = {}) {
    return run_process({{"/bin/sh", "-c", script}, {"PATH=/usr/bin:/bin"}}, watch);
}

TEST(Process, lines_and_exit_code_arrive) {
    std::vector<std::string> lines;
    Watch watch;
    watch.on_line = [&](std::string_view line) { lines.emplace_back(line); };
    const Exit exit = shell("echo one; echo two; printf three; exit 3", watch);
    EXPECT_EQ(exit.end, End::exited);
    EXPECT_EQ(exit.exit_code, 3);
    EXPECT_EQ(exit.signal, std::nullopt);
    EXPECT_EQ(lines, (std::vector<std::string>{"one", "two"}));  // "three" is no complete line
    EXPECT_GT(exit.exit_raw_ns, exit.spawn_raw_ns);
}

TEST(Process, signal_is_not_an_exit_code) {
    const Exit exit = shell("kill -SEGV $$");
    EXPECT_EQ(exit.exit_code, std::nullopt);
    EXPECT_EQ(exit.signal, SIGSEGV);
    EXPECT_NE(describe_end(exit).find("signal 11"), std::string::npos) << describe_end(exit);
}

TEST(Process, program_that_is_not_there_is_said_so) {
    const Exit exit = run_process({{"/none/such"}, {}}, {});
    EXPECT_EQ(exit.end, End::not_started);
    EXPECT_NE(describe_end(exit).find("No such file"), std::string::npos);
}

TEST(Process, hang_is_killed_at_the_limit_with_its_children) {
    fakes::TemporaryFolder folder;
    const auto pid_file = folder.path() / "pid";
    Watch watch;
    watch.time_limit_s = 0.2;
    const Exit exit =
        shell("sleep 60 & echo $! > " + pid_file.string() + "; echo stuck >&2; wait", watch);
    EXPECT_EQ(exit.end, End::time_limit);
    EXPECT_EQ(exit.signal, SIGKILL);
    const std::string why = describe_end(exit);
    EXPECT_NE(why.find("0.2 s"), std::string::npos) << why;
    EXPECT_NE(why.find("stuck"), std::string::npos) << why;
    const pid_t child = std::stoi(read_text(pid_file).value());
    for (int i = 0; i < 100 && kill(child, 0) == 0; ++i) usleep(10'000);
    const auto stat = read_text("/proc/" + std::to_string(child) + "/stat");
    EXPECT_TRUE(!stat || stat->find(") Z") != std::string::npos) << "the child still runs";
}

TEST(Process, silence_is_killed_and_output_is_not) {
    Watch watch;
    watch.silence_limit_s = [] { return 0.3; };
    EXPECT_EQ(shell("sleep 60", watch).end, End::silent);
    EXPECT_EQ(shell("for i in 1 2 3 4 5; do echo $i >&2; sleep 0.1; done", watch).end, End::exited);
}

TEST(Process, background_child_that_keeps_stdout_open_does_not_hold_us_up) {
    const std::int64_t start = raw_now_ns();
    const Exit exit = shell("sleep 30 & exit 0");
    EXPECT_EQ(exit.exit_code, 0);
    EXPECT_LT(raw_now_ns() - start, 10'000'000'000);
}

TEST(Process, endless_output_is_killed) {
    const Exit exit = shell("yes garbage");
    EXPECT_EQ(exit.end, End::too_much_output);
    EXPECT_NE(describe_end(exit).find("64 MiB"), std::string::npos);
}

TEST(Process, only_the_tail_of_stderr_is_kept) {
    const Exit exit = shell("yes x | head -c 200000 >&2; echo end >&2");
    EXPECT_EQ(exit.stderr_tail.size(), stderr_tail_bytes);
    EXPECT_EQ(exit.stderr_tail.substr(exit.stderr_tail.size() - 4), "end\n");
}

TEST(Process, readable_stop_descriptor_stops_it) {
    int ends[2];
    ASSERT_EQ(pipe(ends), 0);
    ASSERT_EQ(write(ends[1], "!", 1), 1);
    Watch watch;
    watch.stop_fd = ends[0];
    EXPECT_EQ(shell("sleep 60", watch).end, End::stopped);
    close(ends[0]);
    close(ends[1]);
}

TEST(Process, ticks_come_while_it_runs) {
    int ticks = 0;
    Watch watch;
    watch.tick_ns = 50'000'000;
    watch.on_tick = [&](pid_t pid) { ticks += kill(pid, 0) == 0; };
    shell("sleep 0.3", watch);
    EXPECT_GE(ticks, 2);
    EXPECT_LE(ticks, 8);
}

TEST(Limits, silence_is_ten_warm_ups_and_at_least_five_seconds) {
    EXPECT_EQ(silence_limit_s(100'000'000), 5);
    EXPECT_EQ(silence_limit_s(2'000'000'000), 20);
}

bool has(const std::vector<std::string>& environment, const std::string& entry) {
    return std::find(environment.begin(), environment.end(), entry) != environment.end();
}

TEST(Environment, timed_trial_never_sees_the_probe) {
    const std::vector<std::string> caller = {"A=1", "NVTX_INJECTION64_PATH=/x",
                                             "CUDA_INJECTION64_PATH=/x", "TARE_PROBE_OUT=/y",
                                             "TARE_PROBE_FAULT=zero:2"};
    EXPECT_EQ(process_environment(caller, std::nullopt), (std::vector<std::string>{"A=1"}));
}

TEST(Environment, profiled_trial_sees_our_probe_and_not_the_callers) {
    const auto environment =
        process_environment({"A=1", "NVTX_INJECTION64_PATH=/theirs", "TARE_PROBE_FAULT=zero:2"},
                            Observer{"/ours.so", "/out"});
    EXPECT_TRUE(has(environment, "A=1"));
    EXPECT_TRUE(has(environment, "NVTX_INJECTION64_PATH=/ours.so"));
    EXPECT_TRUE(has(environment, "CUDA_INJECTION64_PATH=/ours.so"));
    EXPECT_TRUE(has(environment, "TARE_PROBE_OUT=/out"));
    EXPECT_TRUE(has(environment, "TARE_PROBE_FAULT=zero:2"));
    EXPECT_FALSE(has(environment, "NVTX_INJECTION64_PATH=/theirs"));
}

TEST(Environment, only_what_matters_is_recorded) {
    const auto matters =
        that_matters({"HOME=/h", "LD_PRELOAD=a.so", "OMP_NUM_THREADS=2", "SECRET=s"});
    EXPECT_EQ(matters, (std::map<std::string, std::string>{{"LD_PRELOAD", "a.so"},
                                                           {"OMP_NUM_THREADS", "2"}}));
}

TEST(Files, captures_go_to_their_places) {
    fakes::TemporaryFolder folder;
    folder.write("9.probe/host.123.capture", "own");
    folder.write("9.probe/host.456.capture", "child");
    collect_captures(folder.path() / "9.probe", 123, folder.path() / "9");
    EXPECT_EQ(read_text(folder.path() / "9.capture"), "own");
    EXPECT_EQ(read_text(folder.path() / "9.host.456.capture"), "child");
    EXPECT_FALSE(std::filesystem::exists(folder.path() / "9.probe"));
}

TEST(Files, file_that_cannot_be_written_is_named) {
    try {
        write_whole("/none/such/file", "x");
        FAIL() << "written";
    } catch (const FileError& error) {
        EXPECT_NE(std::string(error.what()).find("/none/such/file"), std::string::npos);
    }
}

TEST(Roof, unknown_figures_are_null_with_words) {
    const auto good =
        parse_roof(R"({"copy_bytes_per_s":2e10,"flops_per_s":5e10,"threads":2,"how":"gemm"})");
    EXPECT_EQ(good.copy_bytes_per_s, 2e10);
    EXPECT_EQ(good.how, "gemm");
    EXPECT_EQ(parse_roof(R"({"copy_bytes_per_s":0})").copy_bytes_per_s, std::nullopt);
    EXPECT_NE(parse_roof("garbage").how.find("not measured"), std::string::npos);
}

}  // namespace
