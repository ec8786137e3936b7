// SPDX-License-Identifier: Apache-2.0
// The trials of a run as one trace: processes side by side, each at the time it ran.
#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include "reports/export/chrome_capture.h"
#include "reports/export/export.h"
#include "reports/export/open_capture.h"
#include "reports/export/raw_trial.h"
#include "reports/export/select.h"

namespace reports::exports {
namespace {

using nlohmann::json;

std::string program_name(const Report& report) {
    const std::string program =
        report.arm.command.empty() ? report.build.binary_path : report.arm.command[0];
    return std::filesystem::path(program).filename().string();
}

std::string text_of(const json& object) {
    return object.dump(-1, ' ', false, json::error_handler_t::replace);
}

json known(const std::optional<std::string>& value) {
    return value ? json(*value) : json(nullptr);
}

json loss_json(const probes::capture::Loss& loss) {
    return {{"dropped", loss.dropped},
            {"zero_stamps", loss.zero_stamps},
            {"negative", loss.negative},
            {"open_ranges", loss.open_ranges},
            {"unbalanced_pops", loss.unbalanced_pops},
            {"truncated_bytes", loss.truncated_bytes},
            {"ignored_payloads", loss.ignored_payloads},
            {"finished", loss.finished}};
}

// What is missing from a capture, in words; empty: nothing.
std::string lost_text(const CaptureSummary& summary) {
    const probes::capture::Loss& loss = summary.loss;
    std::string text;
    const auto add = [&](std::uint64_t count, const char* what) {
        if (count > 0) text += fmt::format("{}{} {}", text.empty() ? "" : ", ", count, what);
    };
    add(loss.dropped, "records dropped");
    add(static_cast<std::uint64_t>(summary.unplaced), "ranges without two stamps in order");
    add(loss.open_ranges, "ranges still open");
    add(loss.unbalanced_pops, "pops without a push");
    add(loss.truncated_bytes, "bytes cut off");
    add(loss.finished ? 0 : 1, "closing block missing");
    return text;
}

class TraceWriter {
  public:
    TraceWriter(const Store& store, const Report& report, const Sink& sink)
        : store_(store), report_(report), events_(sink) {}

    void write(const std::vector<TrialRow>& trials);

  private:
    void write_trial(const TrialRow& row);
    json write_processes(const TrialRow& row, std::uint32_t& main_pid);
    void write_lines(const TrialRow& row, std::uint32_t pid);
    void write_conditions(const TrialRow& row, std::uint32_t pid);
    void name_process(const TrialRow& row, std::uint32_t pid, std::size_t index);
    std::string other_data() const;

    const Store& store_;
    const Report& report_;
    ChromeEvents events_;
    Pids pids_;
    json trials_ = json::array();
    int processes_ = 0;
};

void TraceWriter::name_process(const TrialRow& row, std::uint32_t pid, std::size_t index) {
    const Track track{pid, pid};
    const Report& arm = arm_of(report_, row.id);
    const std::string of_arm = report_.other_arms.empty() ? "" : " · arm " + arm.arm.name;
    events_.name_process(
        track,
        fmt::format("{}{}{} · trial {} · {}{}{}", program_name(arm),
                    index == 0 ? "" : fmt::format(" (child process {})", index), of_arm, row.id,
                    name(row.trial.mode), row.trial.planted ? " · planted fault" : "",
                    row.trial.valid ? "" : " · INVALID"));
    events_.order_process(track, processes_++);
}

// One entry for each capture of the trial.
json TraceWriter::write_processes(const TrialRow& row, std::uint32_t& main_pid) {
    json list = json::array();
    const auto captures = captures_of(store_, report_.run.id, row);
    for (std::size_t i = 0; i < captures.size(); ++i) {
        const CaptureSummary summary = with_capture(
            captures[i], [&](const auto& file) { return write_capture(file, pids_, events_); });
        if (i == 0) main_pid = summary.pid;
        name_process(row, summary.pid, i);
        const std::string lost = lost_text(summary);
        if (!lost.empty()) {
            events_.instant({summary.pid, summary.pid}, ChromeEvents::Scope::process, "loss",
                            "the capture is incomplete: " + lost,
                            std::max(summary.last_ns, row.trial.exit_raw_ns), {});
        }
        list.push_back({{"pid", summary.pid},
                        {"ranges", summary.ranges},
                        {"markers", summary.markers},
                        {"not_shown", summary.unplaced},
                        {"loss", loss_json(summary.loss)},
                        {"lost", lost.empty() ? json(nullptr) : json(lost)},
                        {"fault", summary.fault.empty() ? json(nullptr) : json(summary.fault)}});
    }
    if (captures.empty()) {
        main_pid = pids_.claim(static_cast<std::uint32_t>(row.id));
        name_process(row, main_pid, 0);
    }
    return list;
}

// Rows of their own, so that a phase shows also where nothing was profiled.
void TraceWriter::write_lines(const TrialRow& row, std::uint32_t pid) {
    const Track track{pid, pid};
    const auto lines = lines_of(store_, report_.run.id, row.id);
    events_.async_slice(track, "process", "process", 1, row.trial.spawn_raw_ns,
                        row.trial.exit_raw_ns,
                        text_of({{"trial", row.id}, {"mode", name(row.trial.mode)}}));
    std::map<std::string, std::uint64_t> rows;
    for (const ingest::RepLine& rep : lines.reps) {
        if (rep.begin_ns <= 0 || rep.end_ns < rep.begin_ns) continue;
        const std::uint64_t number = rows.try_emplace(rep.phase, rows.size() + 1).first->second;
        const double seconds = static_cast<double>(rep.end_ns - rep.begin_ns) * 1e-9;
        const json tokens_per_s =
            seconds > 0 ? json(static_cast<double>(rep.tokens) / seconds) : json(nullptr);
        events_.async_slice(track, "timer", rep.phase + " by the engine's timer", number,
                            rep.begin_ns, rep.end_ns,
                            text_of({{"rep", rep.rep},
                                     {"tokens", rep.tokens},
                                     {"ops", rep.ops},
                                     {"tokens_per_s", tokens_per_s}}));
    }
    if (lines.first_token_ns && *lines.first_token_ns > 0) {
        events_.instant(track, ChromeEvents::Scope::process, "timer", "first token",
                        *lines.first_token_ns, {});
    }
}

void TraceWriter::write_conditions(const TrialRow& row, std::uint32_t pid) {
    for (const Condition& one : conditions_of(store_, report_.run.id, row.id)) {
        if (one.raw_ns > 0) events_.counter({pid, pid}, one.name, one.unit, one.raw_ns, one.value);
    }
}

void TraceWriter::write_trial(const TrialRow& row) {
    std::uint32_t pid = 0;
    const json processes = write_processes(row, pid);
    write_lines(row, pid);
    write_conditions(row, pid);
    trials_.push_back(
        {{"trial", row.id},
         {"mode", name(row.trial.mode)},
         {"round", row.trial.round},
         {"valid", row.trial.valid},
         {"reason", row.trial.reason.empty() ? json(nullptr) : json(row.trial.reason)},
         {"planted", row.trial.planted},
         {"start_raw_ns", row.trial.spawn_raw_ns},
         {"start_real_ns", row.trial.start_real_ns},
         {"pid", pid},
         {"processes", processes}});
}

std::string TraceWriter::other_data() const {
    const Report& r = report_;
    return text_of({{"schema", "tare.chrome-trace/1"},
                    {"run", r.run.id},
                    {"started_utc", r.run.started_utc},
                    {"valid", run_is_valid(r)},
                    {"reasons", run_reasons(r)},
                    {"scenario", r.scenario.name},
                    {"scenario_sha256", r.scenario.sha256},
                    {"prompt_sha256", r.scenario.prompt_sha256},
                    {"model", r.model.name},
                    {"model_sha256", known(r.model.sha256)},
                    {"backend", r.run.backend},
                    {"machine_class", r.machine.machine_class},
                    {"cpu_model", r.machine.cpu_model},
                    {"hostname", r.machine.hostname},
                    {"commit", known(r.build.commit)},
                    {"dirty_diff_sha256", known(r.build.dirty_diff_sha256)},
                    {"binary_sha256", r.build.binary_sha256},
                    {"suite_commit", r.run.suite_commit},
                    {"clock", "CLOCK_MONOTONIC_RAW; ts and dur in microseconds"},
                    {"trials", trials_}});
}

void TraceWriter::write(const std::vector<TrialRow>& trials) {
    events_.start();
    for (const TrialRow& row : trials) write_trial(row);
    events_.finish(other_data());
}

}  // namespace

void chrome_trace(const Store& store,
                  const Report& report,
                  const std::vector<TrialRow>& trials,
                  const Sink& sink) {
    TraceWriter(store, report, sink).write(trials);
}

}  // namespace reports::exports
