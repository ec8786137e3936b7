// SPDX-License-Identifier: Apache-2.0
// A fake engine that speaks protocol 1, or breaks it the way $FAKE_ENGINE says. Only trials break
// (they have --tokens-file); the greeting and the roof are answered well. In a profiled trial it
// leaves a capture as $FAKE_CAPTURE says, without any probe. $FAKE_ENGINE_LOG names a file that
// gets one line per start, with the probe's variables as seen.
#include <fcntl.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <fmt/format.h>

#include "engine/format/sha256.h"
#include "tests/reports/ingest/synthetic.h"

namespace {

using Arguments = std::vector<std::string>;

std::string variable(const char* name, const char* otherwise = "") {
    const char* value = std::getenv(name);
    return value == nullptr || *value == '\0' ? otherwise : value;
}

bool has(const Arguments& arguments, const std::string& word) {
    for (const std::string& argument : arguments)
        if (argument == word) return true;
    return false;
}

std::string value_of(const Arguments& arguments, const std::string& option) {
    for (std::size_t i = 0; i + 1 < arguments.size(); ++i)
        if (arguments[i] == option) return arguments[i + 1];
    return "";
}

std::int64_t now_ns() {
    timespec now{};
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return now.tv_sec * 1'000'000'000 + now.tv_nsec;
}

void say(const std::string& line) {
    std::printf("%s\n", line.c_str());
    std::fflush(stdout);
}

[[noreturn]] void wait_for_ever() {
    for (;;) pause();
}

void log_start(const Arguments& arguments, bool trial) {
    const std::string file = variable("FAKE_ENGINE_LOG");
    if (file.empty()) return;
    std::ofstream log(file, std::ios::app);
    log << "trial=" << (trial ? "yes" : "no") << " probe=" << variable("NVTX_INJECTION64_PATH")
        << " cuda=" << variable("CUDA_INJECTION64_PATH") << " out=" << variable("TARE_PROBE_OUT")
        << " fault=" << variable("TARE_PROBE_FAULT") << " arm=" << variable("FAKE_ARM")
        << " arguments=";
    for (const std::string& argument : arguments) log << argument << ' ';
    log << "\n";
}

// What a process prints that keeps to no protocol, for as long as somebody reads.
[[noreturn]] void print_for_ever(int fd, const std::string& piece) {
    signal(SIGPIPE, SIG_DFL);
    for (;;)
        if (write(fd, piece.data(), piece.size()) < 0) _exit(1);
}

std::string repeated(const std::string& text, int times) {
    std::string out;
    for (int i = 0; i < times; ++i) out += text;
    return out;
}

std::string binary_piece() {
    std::string piece(65536, '\0');
    for (std::size_t i = 0; i < piece.size(); ++i) piece[i] = static_cast<char>(i * 37 + 11);
    return piece;
}

void leave_child_with_our_pipe() {
    if (fork() != 0) return;
    wait_for_ever();
}

// Before the first line.
void misbehave_at_start(const std::string& how) {
    if (how == "silent") std::exit(0);
    if (how == "exit3") {
        std::fputs("fake: no such thing\n", stderr);
        std::exit(3);
    }
    if (how == "child-holds-pipe") leave_child_with_our_pipe();
    if (how == "stderr-flood") {
        const std::string line = std::string(1023, 'e') + "\n";
        for (int i = 0; i < 100'000; ++i)
            if (write(2, line.data(), line.size()) < 0) break;
        std::fputs("fake: the last words\n", stderr);
    }
    if (how == "binary") {
        const std::string piece = binary_piece();
        std::fwrite(piece.data(), 1, piece.size(), stdout);
        std::exit(0);
    }
    if (how == "long-line") print_for_ever(1, std::string(65536, 'x'));
}

// After the hello line.
void misbehave_after_hello(const std::string& how) {
    if (how == "garbage") {
        say("}{ this is no line of protocol 1");
        std::exit(0);
    }
    if (how == "hang") wait_for_ever();
    if (how == "close-stdout") {
        close(1);
        wait_for_ever();
    }
    if (how == "slow") sleep(1);
    if (how == "flood-lines")
        print_for_ever(1, repeated("}{" + std::string(200, '.') + "\n", 1'000));
    if (how == "huge-numbers") {
        say(R"({"type":"rep","phase":"prefill","rep":1e400,"begin_ns":1,"end_ns":2,"tokens":1})");
        say(R"({"type":"rep","phase":"prefill","rep":0,"begin_ns":99999999999999999999999,)"
            R"("end_ns":2,"tokens":1,"ops":1})");
    }
    if (how == "wrong-types") {
        say(R"(["hello"])");
        say(R"({"type":7})");
        say(R"({"type":"rep","phase":["prefill"],"rep":"0"})");
        say(R"({"type":"output","request":0,"tokens":{"a":1},"margins":"x","sha256":3})");
    }
    if (how == "null-loss")
        say(R"({"type":"loss","request":0,"name":"a","tokens":1,"nll_sum":null,)"
            R"("nll_mean":null,"sha256":""})");
    if (how == "deep") say(std::string(500'000, '['));
}

std::string hello(const std::string& how, const std::string& moe) {
    const std::string head = how == "unknown-protocol" ? R"({"type":"hello","protocol":99)"
                                                       : R"({"type":"hello","protocol":1)";
    const std::string diff = variable("FAKE_DIRTY"),
                      dirty = diff.empty() ? "" : ",\"dirty_diff_sha256\":\"" + diff + "\"";
    return head + R"(,"build":{"release":"0","commit":")" + variable("FAKE_COMMIT", "fake") + "\"" +
           dirty +
           R"(,"compiler":"c++"},"model":{"name":"fake",)"
           R"("sha256":")" +
           variable("FAKE_MODEL_SHA256", "ab") +
           R"(","parameters":1,"formats":{}},"backend":"cpu","threads":1,)"
           R"("isa":"baseline","precision":"f32","clock":"monotonic_raw","faults":[],"moe":")" +
           moe + R"(","machine_roof":null})";
}

std::int64_t asked_wall_ns() {
    return std::stoll(variable("FAKE_WALL_NS", "1000000"));
}

// As long as the time that is asked for, and every op in it in proportion.
tests::PhaseSpec phase_at(std::int64_t begin_ns) {
    tests::PhaseSpec phase = tests::a_phase();
    const auto stretched = [usual_ns = phase.duration_ns](std::int64_t ns) {
        return ns * asked_wall_ns() / usual_ns;
    };
    for (tests::OpSpec& op : phase.ops) {
        op.start_ns = stretched(op.start_ns);
        op.end_ns = stretched(op.end_ns);
    }
    phase.duration_ns = asked_wall_ns();
    phase.start_ns = begin_ns;
    return phase;
}

void write_file(const std::string& file, const std::string& content) {
    std::ofstream(file, std::ios::binary) << content;
}

void leave_capture(std::int64_t begin_ns) {
    const std::string folder = variable("TARE_PROBE_OUT"), how = variable("FAKE_CAPTURE", "none");
    if (folder.empty() || how == "none") return;
    const auto named = [&](pid_t pid) { return fmt::format("{}/host.{}.capture", folder, pid); };
    const std::string own = named(getpid());
    if (how == "empty") return write_file(own, "");
    if (how == "foreign") return write_file(own, "a letter to a friend of long standing\n");
    if (how == "other-process")
        return tests::write_capture(named(1), {phase_at(begin_ns)}, begin_ns);
    if (how == "pipe") {
        [[maybe_unused]] const int made = mkfifo(own.c_str(), 0600);
        return;
    }
    if (how == "other-time") return tests::write_capture(own, {phase_at(begin_ns)}, 1'000);
    tests::write_capture(own, {phase_at(begin_ns)}, begin_ns);
    if (how == "two") tests::write_capture(named(1), {phase_at(begin_ns)}, begin_ns);
    std::ifstream in(own, std::ios::binary);
    std::string bytes{std::istreambuf_iterator<char>(in), {}};
    if (how == "truncated") bytes.resize(bytes.size() * 2 / 3);
    if (how == "corrupt")
        for (std::size_t i = bytes.size() / 2; i < bytes.size(); i += 7) bytes[i] ^= 0x5a;
    if (how == "truncated" || how == "corrupt") write_file(own, bytes);
}

// $FAKE_CRASH_ONCE names a file that goes away with the one crash, in the arm $FAKE_CRASH_ARM.
bool crashes_this_once(const std::string& arm) {
    const std::string file = variable("FAKE_CRASH_ONCE");
    return !file.empty() && arm == variable("FAKE_CRASH_ARM") && unlink(file.c_str()) == 0;
}

// Trials that were started so far, this one too, counted from 1 over all arms in the log.
int this_start() {
    std::ifstream log(variable("FAKE_ENGINE_LOG"));
    int starts = 0;
    for (std::string line; std::getline(log, line);)
        starts += line.find("trial=yes") != std::string::npos;
    return starts;
}

// Line `number` of a file, from 1.
std::string line_of(const std::string& file, int number) {
    std::ifstream in(file);
    std::string line;
    for (int i = 0; i < number; ++i) std::getline(in, line);
    return line;
}

// The line of $FAKE_TIMES that this start stands at; else $FAKE_WALL_NS (1 ms) with up to 0.1 % of
// noise that differs from process to process; none with $FAKE_NOISE = 0.
std::int64_t wall_ns() {
    const std::string times = variable("FAKE_TIMES");
    if (!times.empty()) return std::stoll(line_of(times, this_start()));
    const std::int64_t wall = asked_wall_ns();
    if (variable("FAKE_NOISE") == "0") return wall;
    const auto noise =
        static_cast<std::int64_t>(static_cast<unsigned>(getpid()) * 2654435761U % 1000);
    return wall + wall * noise / 1'000'000;
}

// Whether the variable `name` is the number of this start.
bool is_the_start(const char* name) {
    const std::string start = variable(name);
    return !start.empty() && this_start() == std::stoi(start);
}

// $FAKE_ENGINE_FROM: the first start that breaks; those before it are good.
bool is_late_enough() {
    return this_start() >= std::stoi(variable("FAKE_ENGINE_FROM", "0"));
}

// At the start $FAKE_STOP_START, tare gets the signal $FAKE_STOP_SIGNAL, and this trial never ends.
void stop_tare() {
    if (!is_the_start("FAKE_STOP_START")) return;
    kill(getppid(), std::stoi(variable("FAKE_STOP_SIGNAL")));
    wait_for_ever();
}

int bench(const Arguments& arguments, const std::string& how) {
    const std::string moe = has(arguments, "--moe") ? value_of(arguments, "--moe") : "gather";
    const int rows_done = moe == "dense" ? 96 : 12;
    misbehave_at_start(how);
    say(hello(how, how == "other-moe" ? "dense" : moe));
    misbehave_after_hello(how);
    stop_tare();
    const std::int64_t begin_ns = now_ns();
    try {
        leave_capture(begin_ns);
    } catch (const std::exception&) {
        // No space for it: like the probe, this engine goes on.
    }
    say(fmt::format(R"({{"type":"rep","phase":"prefill","rep":0,"begin_ns":{},"end_ns":{},)"
                    R"("tokens":3,"ops":{}}})",
                    begin_ns, begin_ns + wall_ns(), variable("FAKE_OPS", "4")));
    if (how == "crash" || crashes_this_once(moe) || is_the_start("FAKE_CRASH_START")) {
        signal(SIGSEGV, SIG_DFL);
        raise(SIGSEGV);
    }
    say(fmt::format(R"({{"type":"counters","phase":"prefill","rep":0,"ops_planned":4,)"
                    R"("expert_rows_asked":12,"expert_rows_planned":{},"expert_rows_done":{},)"
                    R"("experts_hit":3}})",
                    rows_done, how == "wrong-rows" ? rows_done - 1 : rows_done));
    const std::vector<std::int32_t> tokens = {std::stoi(variable("FAKE_TOKEN", "7"))};
    say(fmt::format(
        R"({{"type":"output","request":0,"tokens":[{}],"margins":[1.5],"sha256":"{}"}})", tokens[0],
        engine::format::token_ids_sha256(tokens)));
    say(R"({"type":"memory","planned_bytes":10,"used_bytes":10,"scratch_planned_bytes":4,)"
        R"("scratch_used_bytes":4,"state_bytes":1,"weights_bytes":5,"peak_bytes":20})");
    if (how == "no-end") return 0;
    say(fmt::format(R"({{"type":"end","first_token_ns":{}}})", now_ns()));
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments arguments(argv + 1, argv + argc);
    if (has(arguments, "roof")) {
        say(R"({"copy_bytes_per_s":2e10,"flops_per_s":5e10,"threads":1,"how":"made up by a fake"})");
        return 0;
    }
    const bool trial = has(arguments, "--tokens-file");
    log_start(arguments, trial);
    return bench(arguments, trial && is_late_enough() ? variable("FAKE_ENGINE", "good") : "good");
}
