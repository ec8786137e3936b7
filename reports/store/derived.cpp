// SPDX-License-Identifier: Apache-2.0
// Writes the derived rows of a trial.
#include "reports/store/derived.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/read.h"

namespace reports::store {
namespace {

std::optional<std::int64_t> wide(const std::optional<int>& value) {
    if (!value) return std::nullopt;
    return *value;
}

void write_samples(Database& database, Id trial, const Derived& derived) {
    Statement sample = database.prepare(embedded("store/statements/sample.sql"));
    for (const Sample& s : derived.samples) {
        sample.run({trial, s.metric, nullable(s.phase), nullable(wide(s.rep)), s.value});
    }
    Statement said = database.prepare(embedded("store/statements/command_sample.sql"));
    for (const CommandSample& s : derived.command_samples) {
        said.run(
            {trial, s.name, s.unit, std::string(name(s.direction)), std::int64_t{s.rep}, s.value});
    }
    Statement condition = database.prepare(embedded("store/statements/condition.sql"));
    for (const Condition& c : derived.conditions) {
        condition.run({trial, c.raw_ns, c.name, c.value, c.unit});
    }
}

void write_phases(Database& database, Id trial, const Derived& derived) {
    Statement row = database.prepare(embedded("store/statements/phase_stat.sql"));
    for (const PhaseStat& p : derived.phases) {
        row.run({trial, p.phase, std::int64_t{p.rep}, nullable(p.wall_ns), nullable(p.tokens),
                 nullable(p.range_ns), nullable(p.busy_ns), nullable(p.sum_ns), nullable(p.gap_ns),
                 nullable(p.gap.launch_ns), nullable(p.gap.sync_ns), nullable(p.gap.alloc_ns),
                 nullable(p.gap.host_ns), nullable(p.gap.dispatch_ns), nullable(p.gap.unsplit_ns),
                 nullable(p.outside_ns), nullable(p.records_expected), nullable(p.records_seen)});
    }
    if (const auto& capture = derived.capture) {
        database.run(embedded("store/statements/capture_stat.sql"),
                     {trial, capture->records, capture->kernel_ns, capture->unattributed_ns});
    }
}

void write_kernels(Database& database, Id trial, const Derived& derived) {
    Statement path = database.prepare(embedded("store/statements/range_path.sql"));
    Statement kernel = database.prepare(embedded("store/statements/kernel.sql"));
    Statement row = database.prepare(embedded("store/statements/kernel_stat.sql"));
    for (const KernelStat& k : derived.kernels) {
        path.run({k.path, k.phase, k.family});
        kernel.run({k.kernel});
        row.run({trial, std::int64_t{k.rep}, k.path, k.kernel, k.role, nullable(k.launch_shape),
                 nullable(wide(k.registers)), k.calls, k.total_ns, k.min_ns, k.max_ns,
                 k.histogram.encode(), nullable(k.bytes), nullable(k.flops)});
    }
}

void write_checks(Database& database, Id trial, const Derived& derived) {
    Statement loss = database.prepare(embedded("store/statements/loss.sql"));
    for (const LossCount& l : derived.losses) loss.run({trial, l.kind, l.count});
    Statement identity = database.prepare(embedded("store/statements/identity.sql"));
    for (const IdentityCheck& i : derived.identities) {
        identity.run(
            {trial, nullable(i.phase), i.name, i.expected, i.seen, std::int64_t{i.must_hold}});
    }
    Statement count = database.prepare(embedded("store/statements/count.sql"));
    for (const Count& c : derived.counts) {
        count.run({trial, nullable(c.phase), c.name, c.value, c.unit, std::int64_t{c.exact}});
    }
}

void write_outputs(Database& database, Id trial, const Derived& derived) {
    Statement row = database.prepare(embedded("store/statements/output.sql"));
    for (const Output& o : derived.outputs) {
        row.run({trial, std::int64_t{o.request}, nlohmann::json(o.tokens).dump(),
                 nlohmann::json(o.margins).dump(), o.sha256});
    }
    Statement loss = database.prepare(embedded("store/statements/text_loss.sql"));
    for (const TextLoss& l : derived.text_losses) {
        loss.run(
            {trial, std::int64_t{l.request}, l.name, l.tokens, l.nll_sum, l.nll_mean, l.sha256});
    }
}

std::string joined(const std::vector<std::string>& lines) {
    return fmt::format("{}", fmt::join(lines, "\n"));
}

}  // namespace

TrialFacts trial_facts(const Store& store, Id trial) {
    Statement row = store.impl().database.prepare(embedded("store/statements/trial_facts.sql"));
    if (!row.bind({trial}).step()) {
        throw StoreError(
            fmt::format("{}: there is no trial {}", store.impl().database.file().string(), trial));
    }
    return {.run = row.need_integer("run"),
            .mode = mode_from(row.need_text("mode")).value_or(Mode::timed),
            .process_valid = row.need_integer("process_valid") != 0,
            .process_reason = row.need_text("process_reason"),
            .spawn_raw_ns = row.need_integer("spawn_raw_ns"),
            .exit_raw_ns = row.need_integer("exit_raw_ns"),
            .command = need_texts(store.impl().database, row, "command"),
            .commit = row.text("commit_hash"),
            .model_sha256 = row.text("model_sha256"),
            .prompt_sha256 = row.need_text("prompt_sha256"),
            .is_command = row.text("workload") == "command"};
}

std::vector<Id> all_trials(const Store& store) {
    Statement row = store.impl().database.prepare(embedded("store/statements/all_trials.sql"));
    std::vector<Id> trials;
    while (row.step()) trials.push_back(row.need_integer("id"));
    return trials;
}

void replace_derived(Store& store, Id trial, const Derived& derived) {
    const TrialFacts facts = trial_facts(store, trial);
    std::vector<std::string> reasons = derived.reasons;
    if (!facts.process_valid) reasons.insert(reasons.begin(), facts.process_reason);
    Database& database = store.impl().database;
    Database::Transaction transaction(database);
    for (const char* table : derived_tables) {
        database.run(fmt::format("delete from {} where trial = ?1", table), {trial});
    }
    database.run(
        embedded("store/statements/judge_trial.sql"),
        {trial, std::int64_t{reasons.empty()}, joined(reasons), std::int64_t{derived.planted},
         nullable(wide(derived.protocol)), nullable(derived.timer)});
    write_samples(database, trial, derived);
    write_phases(database, trial, derived);
    write_kernels(database, trial, derived);
    write_checks(database, trial, derived);
    write_outputs(database, trial, derived);
    transaction.commit();
}

void replace_raw_files(Store& store, Id trial, const std::vector<RawFile>& files) {
    Database& database = store.impl().database;
    Database::Transaction transaction(database);
    database.run(embedded("store/statements/delete_trial_raw_files.sql"), {trial});
    Statement row = database.prepare(embedded("store/statements/raw_file.sql"));
    for (const RawFile& file : files) {
        row.run({trial, file.kind, file.path, file.stored_bytes, file.content_bytes,
                 nullable(file.sha256)});
    }
    transaction.commit();
}

}  // namespace reports::store
