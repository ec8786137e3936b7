// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/trial.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include <fmt/format.h>

#include "engine/format/printable.h"
#include "scenarios/run/conditions.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"

namespace scenarios::run {

namespace fs = std::filesystem;

namespace {

// The last two lines of the process's stderr that are not empty, cut to fit into a sentence: the
// last alone is often only the advice behind what went wrong.
std::string last_words(const std::string& stderr_tail) {
    constexpr std::size_t longest = 300;
    std::string words;
    std::size_t end = stderr_tail.size();
    for (int lines = 0; lines < 2 && end > 0;) {
        const auto newline = stderr_tail.rfind('\n', end - 1);
        const auto start = newline == std::string::npos ? 0 : newline + 1;
        const std::string line = stderr_tail.substr(start, std::min(longest, end - start));
        end = newline == std::string::npos ? 0 : newline;
        if (line.find_first_not_of(" \t\r") == std::string::npos) continue;
        words = line + (words.empty() ? "" : " | " + words);
        ++lines;
    }
    if (words.empty()) return "it said nothing on stderr";
    return "its last words: " + engine::format::printable(words.substr(0, longest));
}

std::string wrong_prompt(const std::optional<Hello>& hello, const std::string& prompt_sha256) {
    if (!hello || !hello->prompt_sha256 || *hello->prompt_sha256 == prompt_sha256) return "";
    return fmt::format(
        "the engine read another prompt than the plan's: sha256 {}, the plan has {}; "
        "was the file changed while the run went on?",
        *hello->prompt_sha256, prompt_sha256);
}

std::optional<Observer> observer_of(const TrialSetting& setting,
                                    reports::Mode mode,
                                    const fs::path& stem) {
    if (mode != reports::Mode::profiled) return std::nullopt;
    const Observer observer{setting.probe, stem.string() + ".probe"};
    make_folder(observer.capture_folder);
    return observer;
}

void take_over(const Exit& exit, reports::Trial& trial) {
    trial.exit_code = exit.exit_code;
    trial.signal = exit.signal;
    trial.timed_out = exit.end == End::time_limit || exit.end == End::silent;
    trial.spawn_raw_ns = exit.spawn_raw_ns;
    trial.exit_raw_ns = exit.exit_raw_ns;
    trial.start_real_ns = exit.start_real_ns;
}

}  // namespace

double silence_limit_s(std::int64_t warm_up_ns) {
    return std::max(5.0, 10 * static_cast<double>(warm_up_ns) * 1e-9);
}

std::string describe_end(const Exit& exit) {
    switch (exit.end) {
        case End::not_started:
            return fmt::format("the process could not be started: {}", exit.error);
        case End::time_limit:
            return fmt::format(
                "still running after {:.3g} s, the plan's time limit, and killed; {}", exit.limit_s,
                last_words(exit.stderr_tail));
        case End::silent:
            return fmt::format(
                "no output for {:.3g} s (10 times its warm-up, at least 5 s) and "
                "killed; {}",
                exit.limit_s, last_words(exit.stderr_tail));
        case End::too_much_output:
            return fmt::format("printed more than {} MiB on stdout and was killed",
                               stdout_limit_bytes >> 20);
        case End::stopped:
            return "interrupted before it ended";
        case End::exited:
            break;
    }
    if (exit.signal)
        return fmt::format("ended by signal {} ({}); {}", *exit.signal, strsignal(*exit.signal),
                           last_words(exit.stderr_tail));
    if (exit.exit_code.value_or(0) != 0)
        return fmt::format("exit code {}; {}", *exit.exit_code, last_words(exit.stderr_tail));
    return "";
}

namespace {

// The engine's lines say what it read and when its first measured rep began; a command's stdout may
// hold anything.
void hear_engine(Watch& watch,
                 std::optional<std::int64_t> warm_up_ns,
                 TrialResult& result,
                 std::int64_t& first_rep_ns) {
    watch.silence_limit_s = [warm_up_ns] { return warm_up_ns ? silence_limit_s(*warm_up_ns) : 0; };
    watch.on_line = [&](std::string_view line) {
        if (!result.hello) result.hello = parse_hello(line);
        if (first_rep_ns == 0) first_rep_ns = parse_rep_begin(line).value_or(0);
    };
}

// What the process left in place of a file would be waited for, or fill the disk, when it is read.
std::string take_results(const fs::path& file) {
    std::error_code error;
    const auto type = fs::symlink_status(file, error).type();
    if (type == fs::file_type::not_found) return "";
    if (type != fs::file_type::regular) {
        fs::remove(file, error);
        return fmt::format("what it left as ${} is no file; append lines to it as it stands",
                           result_file_variable);
    }
    const auto bytes = fs::file_size(file, error);
    if (bytes <= static_cast<std::uintmax_t>(stdout_limit_bytes)) return "";
    fs::remove(file, error);
    return fmt::format("it wrote {} bytes to ${}, more than {} MiB; write fewer metric lines",
                       bytes, result_file_variable, stdout_limit_bytes >> 20);
}

std::map<std::string, std::string> environment_of(const TrialSetting& setting,
                                                  const fs::path& stem) {
    auto environment = setting.environment;
    if (setting.is_command) environment[result_file_variable] = stem.string() + ".results";
    return environment;
}

}  // namespace

TrialResult run_trial(const TrialSetting& setting,
                      const reports::Trial& turn,
                      const fs::path& stem,
                      std::optional<std::int64_t> warm_up_ns,
                      const Interrupt& interrupt) {
    TrialResult result;
    result.trial = turn;
    const bool profiled = turn.mode == reports::Mode::profiled;
    const auto observer = observer_of(setting, turn.mode, stem);
    result.trial.planted =
        setting.planted || (profiled && std::getenv("TARE_PROBE_FAULT") != nullptr);

    RawFile lines(stem.string() + (setting.is_command ? ".stdout" : ".lines"));
    RawFile conditions(stem.string() + ".conditions");
    Sampler sampler;
    std::int64_t first_rep_ns = 0;
    Watch watch;
    watch.time_limit_s = setting.time_limit_s;
    watch.stop_fd = interrupt.fd();
    watch.on_out = [&](std::string_view chunk) { lines.append(chunk); };
    if (!setting.is_command) hear_engine(watch, warm_up_ns, result, first_rep_ns);
    watch.tick_ns = sample_every_ns;
    watch.on_tick = [&](pid_t pid) {
        for (const auto& condition : sampler.sample(pid))
            conditions.append(condition_line(condition));
    };
    const Exit exit = run_process(
        {setting.argv,
         process_environment(own_environment(), observer, environment_of(setting, stem)),
         setting.directory},
        watch);

    write_whole(stem.string() + ".stderr", exit.stderr_tail);
    if (observer) collect_captures(observer->capture_folder, exit.pid, stem);
    take_over(exit, result.trial);
    result.interrupted = exit.end == End::stopped;
    result.trial.reason = describe_end(exit);
    const std::string no_results =
        setting.is_command ? take_results(stem.string() + ".results") : "";
    if (result.trial.reason.empty()) result.trial.reason = no_results;
    if (result.trial.reason.empty())
        result.trial.reason = wrong_prompt(result.hello, setting.prompt_sha256);
    result.trial.valid = result.trial.reason.empty();
    if (first_rep_ns > exit.spawn_raw_ns) result.warm_up_ns = first_rep_ns - exit.spawn_raw_ns;
    return result;
}

}  // namespace scenarios::run
