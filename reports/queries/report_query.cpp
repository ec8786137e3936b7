// SPDX-License-Identifier: Apache-2.0
// A Report from one query per table, and the judgement on the run as a whole.
#include "reports/queries/report_query.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <iterator>

#include "engine/format/sha256.h"
#include "reports/queries/kernel_rows.h"
#include "reports/queries/phase_rows.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/read.h"

namespace reports {
namespace {

using store::Statement;

int small(const Statement& row, const char* column) {
    return static_cast<int>(row.need_integer(column));
}

Machine read_machine(const store::Database& database, const Statement& row) {
    return {.machine_class = row.need_text("machine_class"),
            .hostname = row.need_text("hostname"),
            .cpu_model = row.need_text("cpu_model"),
            .cores = small(row, "cores"),
            .memory_bytes = row.need_integer("memory_bytes"),
            .kernel = row.need_text("kernel"),
            .gpu_name = row.text("gpu_name"),
            .gpu_uuid = row.text("gpu_uuid"),
            .driver = row.text("driver"),
            .missing = store::need_text_map(database, row, "machine_missing")};
}

void load_run(const store::Database& database, Id id, Report& out) {
    Statement row = database.prepare(store::embedded("queries/run.sql"));
    if (!row.bind({id}).step()) {
        throw StoreError(fmt::format("{}: there is no run {}; tare list shows those there are",
                                     database.file().string(), id));
    }
    out.run = store::read_run(database, row);
    out.scenario = {.name = row.need_text("scenario_name"),
                    .resolved_json = row.need_text("resolved_json"),
                    .sha256 = row.need_text("scenario_sha256"),
                    .prompt_sha256 = row.need_text("prompt_sha256")};
    out.machine = read_machine(database, row);
    out.plan = {.timed_rounds = small(row, "timed_rounds"),
                .profiled_rounds = small(row, "profiled_rounds"),
                .warm_up = small(row, "warm_up"),
                .reps = small(row, "reps"),
                .seed = static_cast<std::uint64_t>(row.need_integer("seed")),
                .time_limit_s = row.need_real("time_limit_s"),
                .json = row.need_text("plan_json")};
    out.roof = {.copy_bytes_per_s = row.real("copy_bytes_per_s"),
                .flops_per_s = row.real("flops_per_s"),
                .how = row.text("how").value_or("")};
}

void read_arm(const store::Database& database, const Statement& row, Report& out) {
    out.arm = {.name = row.need_text("name"),
               .command = store::need_texts(database, row, "command"),
               .environment = store::need_text_map(database, row, "environment"),
               .arguments = store::need_texts(database, row, "arguments"),
               .about = row.need_text("about"),
               .spec = row.need_text("spec"),
               .why_invalid = row.need_text("why_invalid")};
    out.build = {.binary_path = row.need_text("binary_path"),
                 .binary_sha256 = row.need_text("binary_sha256"),
                 .commit = row.text("commit_hash"),
                 .dirty_diff_sha256 = row.text("dirty_diff_sha256"),
                 .compiler = row.text("compiler"),
                 .flags = row.text("flags"),
                 .missing = store::need_text_map(database, row, "build_missing")};
    if (const auto protocol = row.integer("protocol")) {
        out.build.protocol = static_cast<int>(*protocol);
    }
    if (const auto name = row.text("model_name")) {
        out.model = {.name = *name,
                     .sha256 = row.text("model_sha256"),
                     .missing = store::need_text_map(database, row, "model_missing")};
    }
}

// Returns the clock of the processes' own stamps.
std::string load_trials(const store::Database& database, Id arm, Report& out) {
    std::string timer;
    Statement row = database.prepare(store::embedded("queries/trial.sql"));
    row.bind({arm});
    while (row.step()) {
        Trial trial{.round = small(row, "round"),
                    .position = small(row, "position"),
                    .mode = mode_from(row.need_text("mode")).value_or(Mode::timed),
                    .planted = row.need_integer("planted") != 0,
                    .valid = row.need_integer("valid") != 0,
                    .reason = row.need_text("reason"),
                    .voided = row.need_text("voided"),
                    .timed_out = row.need_integer("timed_out") != 0,
                    .spawn_raw_ns = row.need_integer("spawn_raw_ns"),
                    .exit_raw_ns = row.need_integer("exit_raw_ns"),
                    .start_real_ns = row.need_integer("start_real_ns")};
        if (const auto code = row.integer("exit_code")) trial.exit_code = static_cast<int>(*code);
        if (const auto signal = row.integer("signal")) trial.signal = static_cast<int>(*signal);
        if (!trial.voided.empty()) {  // for every reader: no number of it is used
            trial.valid = false;
            trial.reason = trial.voided;
        }
        timer = row.text("timer").value_or(timer);
        out.trials.push_back({.id = row.need_integer("id"),
                              .trial = std::move(trial),
                              .is_over = row.need_integer("is_over") != 0});
    }
    return timer;
}

std::string qualified(const Statement& row) {
    const auto phase = row.text("phase");
    return phase ? *phase + "." + row.need_text("name") : row.need_text("name");
}

void load_counts(const store::Database& database, Id arm, Report& out) {
    Statement count = database.prepare(store::embedded("queries/count.sql"));
    count.bind({arm});
    while (count.step()) {
        out.counts.push_back({.name = qualified(count),
                              .value = count.need_real("value"),
                              .unit = count.need_text("unit"),
                              .exact = count.need_integer("exact") != 0});
    }
    Statement identity = database.prepare(store::embedded("queries/identity.sql"));
    identity.bind({arm});
    while (identity.step()) {
        out.identities.push_back({.name = qualified(identity),
                                  .expected = identity.need_real("expected"),
                                  .seen = identity.need_real("seen"),
                                  .must_hold = identity.need_integer("must_hold") != 0});
    }
}

void load_observations(const store::Database& database, Id arm, Report& out) {
    Statement condition = database.prepare(store::embedded("queries/condition.sql"));
    condition.bind({arm});
    while (condition.step()) {
        out.conditions.push_back({.name = condition.need_text("name"),
                                  .value = condition.need_real("value"),
                                  .unit = condition.need_text("unit")});
    }
    Statement metric = database.prepare(store::embedded("queries/metric.sql"));
    metric.bind({arm});
    while (metric.step()) {
        const std::string name = metric.need_text("name");
        const Spread value{.median = metric.need_real("median"),
                           .min = metric.need_real("least"),
                           .max = metric.need_real("most"),
                           .n = small(metric, "n")};
        if (name == "cold_start_ns") {
            out.cold_start_ns = value;
        } else if (name != "peak_bytes") {  // of an engine: it stands among the counts
            out.metrics.push_back(
                {name, metric.need_text("unit"),
                 direction_from(metric.need_text("direction")).value_or(Direction::none), value});
        }
    }
}

// Of all ids in the order of their requests. With two answers to one request there is no such
// thing.
std::optional<std::string> output_sha256(const std::vector<OutputRow>& outputs) {
    if (outputs.empty()) return std::nullopt;
    if (outputs.size() == 1) return outputs[0].sha256;
    std::vector<std::byte> bytes;
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        if (i > 0 && outputs[i].request == outputs[i - 1].request) return std::nullopt;
        for (const std::int64_t token : outputs[i].tokens) {
            for (int shift = 0; shift < 32; shift += 8) {
                bytes.push_back(static_cast<std::byte>(static_cast<std::uint64_t>(token) >> shift));
            }
        }
    }
    return engine::format::sha256_hex(bytes);
}

void load_outputs(const store::Database& database, Id arm, Report& out) {
    Statement row = database.prepare(store::embedded("queries/output.sql"));
    row.bind({arm});
    while (row.step()) {
        out.outputs.push_back({.request = small(row, "request"),
                               .tokens = store::need_integers(database, row, "tokens"),
                               .margins = store::need_numbers(database, row, "margins"),
                               .sha256 = row.need_text("sha256"),
                               .trials = small(row, "trials")});
    }
    out.output_sha256 = output_sha256(out.outputs);
}

void load_losses(const store::Database& database, Id arm, Report& out) {
    Statement row = database.prepare(store::embedded("queries/text_loss.sql"));
    row.bind({arm});
    double sum = 0;
    while (row.step()) {
        out.losses.push_back({.request = small(row, "request"),
                              .name = row.need_text("name"),
                              .tokens = row.need_integer("tokens"),
                              .nll_sum = row.need_real("nll_sum"),
                              .nll_mean = row.need_real("nll_mean"),
                              .sha256 = row.need_text("sha256"),
                              .trials = small(row, "trials")});
        sum += out.losses.back().nll_mean;
    }
    if (!out.losses.empty()) out.mean_loss = sum / static_cast<double>(out.losses.size());
}

void need_rounds(const char* mode_name, int planned, int valid, Report& out) {
    if (valid >= planned) return;
    out.valid = false;
    out.reasons.push_back(
        fmt::format("{} of {} planned {} rounds are valid", valid, planned, mode_name));
}

// The run is valid when it has the planned number of valid trials and every identity holds. Trials
// that are not are named in any case.
void judge(Report& out) {
    int timed = 0, profiled = 0;
    for (const TrialRow& row : out.trials) {
        if (!row.trial.voided.empty()) continue;
        if (row.trial.valid) ++(row.trial.mode == Mode::timed ? timed : profiled);
        if (row.trial.valid || row.trial.reason.empty()) continue;
        std::string reason = row.trial.reason;
        std::replace(reason.begin(), reason.end(), '\n', ';');
        out.reasons.push_back(fmt::format("trial {} ({}, round {}): {}", row.id,
                                          name(row.trial.mode), row.trial.round, reason));
    }
    need_rounds("timed", out.plan.timed_rounds, timed, out);
    need_rounds("profiled", out.plan.profiled_rounds, profiled, out);
    for (const IdentityRow& identity : out.identities) {
        if (identity.expected == identity.seen || !identity.must_hold) continue;
        out.valid = false;
        out.reasons.push_back(fmt::format("identity {}: {} expected, {} seen (must be equal)",
                                          identity.name, identity.expected, identity.seen));
    }
}

// `out` has the run and the arm.
void load_measured(const Store& store, Id arm, Report& out) {
    const store::Database& database = store.impl().database;
    database.prepare(store::embedded("store/statements/show_no_arm.sql")).run({});
    database.prepare(store::embedded("store/statements/show_arm.sql")).run({arm});
    const std::string timer = load_trials(database, arm, out);
    out.phases = load_phase_rows(store, arm, out.trials, timer);
    KernelRows rows = load_kernel_rows(store, arm);
    out.roles = std::move(rows.roles);
    out.ops = std::move(rows.ops);
    out.kernels = std::move(rows.kernels);
    load_counts(database, arm, out);
    load_observations(database, arm, out);
    load_outputs(database, arm, out);
    load_losses(database, arm, out);
    out.profiling_cost = load_profiling_cost(store, arm);
    judge(out);
}

// Every arm of a run, in order; one without an arm for a run that ended before its first.
std::vector<Report> load_arms(const Store& store, Id run, const std::optional<std::string>& only) {
    const store::Database& database = store.impl().database;
    const store::Database::Snapshot snapshot(database);
    Report common;
    load_run(database, run, common);
    std::vector<Report> arms;
    std::vector<Id> ids;
    Statement row = database.prepare(store::embedded("queries/arm.sql"));
    row.bind({run});
    while (row.step()) {
        common.all_arms.push_back(row.need_text("name"));
        if (only && common.all_arms.back() != *only) continue;
        arms.push_back(common);
        ids.push_back(row.need_integer("id"));
        read_arm(database, row, arms.back());
    }
    if (only && arms.empty()) {
        throw NoSuchArm(fmt::format("run {} has no arm '{}'; its arms: {}", run, *only,
                                    fmt::join(common.all_arms, ", ")));
    }
    if (arms.empty()) judge(arms.emplace_back(common));
    for (std::size_t i = 0; i < ids.size(); ++i) {
        arms[i].all_arms = common.all_arms;
        arms[i].arm_id = ids[i];
        load_measured(store, ids[i], arms[i]);
    }
    return arms;
}

}  // namespace

Report load_report(const Store& store, Id run) {
    std::vector<Report> arms = load_arms(store, run, std::nullopt);
    Report out = std::move(arms.front());
    out.other_arms.assign(std::make_move_iterator(arms.begin() + 1),
                          std::make_move_iterator(arms.end()));
    return out;
}

Report load_arm_report(const Store& store, Id run, const std::string& arm) {
    return std::move(load_arms(store, run, arm).front());
}

}  // namespace reports
