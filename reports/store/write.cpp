// SPDX-License-Identifier: Apache-2.0
// Store: rows written while a run goes on. Each call is one transaction.
#include <fmt/format.h>
#include <unistd.h>

#include <nlohmann/json.hpp>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/process.h"
#include "reports/store/read.h"

namespace reports {
namespace {

using nlohmann::json;
using store::Database;
using store::nullable;

// Foreign text (a path, an argument) may hold bytes that are no UTF-8.
std::string text_of(const json& value) {
    return value.dump(-1, ' ', false, json::error_handler_t::replace);
}

json optional_json(const auto& value) {
    return value ? json(*value) : json(nullptr);
}

// Equal facts are one row; the JSON dump sorts its keys.
std::int64_t machine_id(Database& database, const Machine& m) {
    const json facts = {{"machine_class", m.machine_class},
                        {"hostname", m.hostname},
                        {"cpu_model", m.cpu_model},
                        {"cores", m.cores},
                        {"memory_bytes", m.memory_bytes},
                        {"kernel", m.kernel},
                        {"gpu_name", optional_json(m.gpu_name)},
                        {"gpu_uuid", optional_json(m.gpu_uuid)},
                        {"driver", optional_json(m.driver)},
                        {"missing", m.missing}};
    return database.insert_returning_id(
        store::embedded("store/statements/machine.sql"),
        {text_of(facts), m.machine_class, m.hostname, m.cpu_model, std::int64_t{m.cores},
         m.memory_bytes, m.kernel, nullable(m.gpu_name), nullable(m.gpu_uuid), nullable(m.driver),
         text_of(m.missing)});
}

std::int64_t build_id(Database& database, const Build& b) {
    const json facts = {{"binary_path", b.binary_path},
                        {"binary_sha256", b.binary_sha256},
                        {"commit", optional_json(b.commit)},
                        {"dirty_diff_sha256", optional_json(b.dirty_diff_sha256)},
                        {"compiler", optional_json(b.compiler)},
                        {"flags", optional_json(b.flags)},
                        {"protocol", optional_json(b.protocol)},
                        {"missing", b.missing}};
    return database.insert_returning_id(
        store::embedded("store/statements/build.sql"),
        {text_of(facts), b.binary_path, b.binary_sha256, nullable(b.commit),
         nullable(b.dirty_diff_sha256), nullable(b.compiler), nullable(b.flags),
         nullable(b.protocol), text_of(b.missing)});
}

std::int64_t model_id(Database& database, const Model& m) {
    const json facts = {
        {"name", m.name}, {"sha256", optional_json(m.sha256)}, {"missing", m.missing}};
    return database.insert_returning_id(
        store::embedded("store/statements/model.sql"),
        {text_of(facts), m.name, nullable(m.sha256), text_of(m.missing)});
}

std::int64_t scenario_id(Database& database, const Scenario& s) {
    return database.insert_returning_id(store::embedded("store/statements/scenario.sql"),
                                        {s.sha256, s.name, s.resolved_json, s.prompt_sha256});
}

namespace fs = std::filesystem;

// Raw files that lie there already belong to a run this file has lost (an older backup was put
// back): they are moved aside, not mixed with those to come.
void make_raw_folder(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error)) {
        fs::path aside = folder.string() + ".lost";
        for (int i = 2; fs::exists(aside, error); ++i) {
            aside = fmt::format("{}.lost{}", folder.string(), i);
        }
        fs::rename(folder, aside, error);
    }
    if (!error) fs::create_directories(folder, error);
    if (error) {
        throw StoreError(
            fmt::format("{}: cannot create the folder for raw files ({}); free space or "
                        "fix the permissions",
                        folder.string(), error.message()));
    }
}

// As a reader sees it: a run whose process is gone is no longer running.
std::string status_of(const Database& database, Id run) {
    store::Statement row = database.prepare(store::embedded("queries/run.sql"));
    if (!row.bind({run}).step())
        throw StoreError(fmt::format("{}: there is no run {}", database.file().string(), run));
    return store::read_run(database, row).status;
}

}  // namespace

Id Store::begin_run(const Run& run,
                    const Scenario& scenario,
                    const Machine& machine,
                    const Plan& plan) {
    Database& database = impl_->database;
    Database::Transaction transaction(database);
    const std::int64_t pid = getpid();
    database.run(store::embedded("store/statements/run.sql"),
                 {scenario_id(database, scenario), machine_id(database, machine), run.started_utc,
                  text_of(run.command_line), run.suite_commit, run.backend, run.note, pid,
                  nullable(store::process_start_ticks(pid)), run.kind});
    const Id id = database.last_id();
    database.run(store::embedded("store/statements/plan.sql"),
                 {id, std::int64_t{plan.timed_rounds}, std::int64_t{plan.profiled_rounds},
                  std::int64_t{plan.warm_up}, std::int64_t{plan.reps},
                  static_cast<std::int64_t>(plan.seed), plan.time_limit_s, plan.json});
    make_raw_folder(raw_folder(id));
    transaction.commit();
    return id;
}

Id Store::add_arm(Id run, const Arm& arm, const Build& build, const std::optional<Model>& model) {
    Database& database = impl_->database;
    Database::Transaction transaction(database);
    std::optional<std::int64_t> model_row;
    if (model) model_row = model_id(database, *model);
    database.run(
        store::embedded("store/statements/arm.sql"),
        {run, arm.name, text_of(arm.command), text_of(arm.environment), build_id(database, build),
         nullable(model_row), text_of(arm.arguments), arm.about, arm.spec, arm.why_invalid});
    const Id id = database.last_id();
    transaction.commit();
    return id;
}

Id Store::begin_trial(Id run, Id arm, const Trial& trial) {
    Database& database = impl_->database;
    Database::Transaction transaction(database);
    const std::int64_t round = database.insert_returning_id(
        store::embedded("store/statements/round.sql"), {run, std::int64_t{trial.round}});
    database.run(
        store::embedded("store/statements/trial.sql"),
        {round, arm, std::int64_t{trial.position}, std::string(name(trial.mode)),
         std::int64_t{trial.planted}, std::string("the trial did not end: the runner was stopped"),
         trial.spawn_raw_ns, trial.start_real_ns});
    const Id id = database.last_id();
    transaction.commit();
    return id;
}

void Store::finish_trial(Id trial, const Trial& outcome) {
    Database::Transaction transaction(impl_->database);
    impl_->database.run(
        store::embedded("store/statements/finish_trial.sql"),
        {trial, std::int64_t{outcome.planted}, std::int64_t{outcome.valid}, outcome.reason,
         nullable(outcome.exit_code), nullable(outcome.signal), std::int64_t{outcome.timed_out},
         outcome.spawn_raw_ns, outcome.exit_raw_ns, outcome.start_real_ns, outcome.voided});
    if (impl_->database.changes() == 0) {
        throw StoreError(fmt::format("{}: there is no trial {} to finish",
                                     impl_->database.file().string(), trial));
    }
    transaction.commit();
}

void Store::finish_run(Id run, const std::string& status, const std::string& note) {
    Database::Transaction transaction(impl_->database);
    impl_->database.run(store::embedded("store/statements/finish_run.sql"), {run, status, note});
    transaction.commit();
}

void Store::resume_run(Id run) {
    Database& database = impl_->database;
    Database::Transaction transaction(database);
    const std::string status = status_of(database, run);
    if (status == "running" || status == "finished")
        throw NotCutOff(fmt::format("{}: run {} {}", database.file().string(), run,
                                    status == "running" ? "is going on in another process"
                                                        : "is finished; nothing to resume"));
    const std::int64_t pid = getpid();
    database.run(store::embedded("store/statements/resume_run.sql"),
                 {run, pid, nullable(store::process_start_ticks(pid))});
    transaction.commit();
}

void Store::void_rounds(Id run, int first, int last, const std::string& why) {
    Database::Transaction transaction(impl_->database);
    impl_->database.run(store::embedded("store/statements/void_rounds.sql"),
                        {run, std::int64_t{first}, std::int64_t{last}, why});
    transaction.commit();
}

void Store::set_roof(Id run, const Roof& roof) {
    Database::Transaction transaction(impl_->database);
    impl_->database.run(
        store::embedded("store/statements/roof.sql"),
        {run, nullable(roof.copy_bytes_per_s), nullable(roof.flops_per_s), roof.how});
    transaction.commit();
}

}  // namespace reports
