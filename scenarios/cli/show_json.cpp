// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/show_json.h"

#include <algorithm>

#include <nlohmann/json.hpp>

namespace scenarios::cli {

namespace {

using nlohmann::json;

template <class T>
json or_null(const std::optional<T>& value) {
    return value ? json(*value) : json();
}

json machine_json(const reports::Machine& machine) {
    return {{"machine_class", machine.machine_class}, {"hostname", machine.hostname},
            {"cpu_model", machine.cpu_model},         {"cores", machine.cores},
            {"memory_bytes", machine.memory_bytes},   {"kernel", machine.kernel},
            {"gpu_name", or_null(machine.gpu_name)},  {"gpu_uuid", or_null(machine.gpu_uuid)},
            {"driver", or_null(machine.driver)},      {"missing", machine.missing}};
}

json build_json(const reports::Build& build) {
    return {{"binary_path", build.binary_path},
            {"binary_sha256", build.binary_sha256},
            {"commit", or_null(build.commit)},
            {"dirty_diff_sha256", or_null(build.dirty_diff_sha256)},
            {"compiler", or_null(build.compiler)},
            {"flags", or_null(build.flags)},
            {"protocol", or_null(build.protocol)},
            {"missing", build.missing}};
}

json trial_json(const TrialOfArm& of) {
    const reports::Trial& trial = of.row->trial;
    return {{"trial", of.row->id},
            {"arm", of.arm},
            {"round", trial.round},
            {"position", trial.position},
            {"mode", reports::name(trial.mode)},
            {"planted", trial.planted},
            {"valid", trial.valid},
            {"void", !trial.voided.empty()},
            {"reason", trial.reason},
            {"exit_code", or_null(trial.exit_code)},
            {"signal", or_null(trial.signal)},
            {"timed_out", trial.timed_out},
            {"spawn_raw_ns", trial.spawn_raw_ns},
            {"exit_raw_ns", trial.exit_raw_ns > 0 ? json(trial.exit_raw_ns) : json()},
            {"start_real_ns", trial.start_real_ns}};
}

json arms_json(const reports::Report& report) {
    json arms = json::array();
    for (const reports::Report* of : arms_of(report)) {
        const reports::Arm& arm = of->arm;
        arms.push_back({{"name", arm.name},
                        {"about", arm.about},
                        {"args", arm.arguments},
                        {"command", arm.command},
                        {"environment", arm.environment},
                        {"valid", of->valid},
                        {"reasons", of->reasons}});
    }
    return arms;
}

}  // namespace

std::vector<TrialOfArm> trials_of(const reports::Report& report) {
    std::vector<TrialOfArm> out;
    for (const reports::Report* arm : arms_of(report))
        for (const reports::TrialRow& row : arm->trials) out.push_back({arm->arm.name, &row});
    std::sort(out.begin(), out.end(),
              [](const TrialOfArm& a, const TrialOfArm& b) { return a.row->id < b.row->id; });
    return out;
}

namespace {

json verdict_json(const reports::StoredVerdict& verdict) {
    json metrics = json::array();
    for (const reports::StoredMetricVerdict& m : verdict.metrics)
        metrics.push_back({{"a", m.a},
                           {"b", m.b},
                           {"name", m.name},
                           {"verdict", m.verdict},
                           {"ratio", or_null(m.ratio)},
                           {"lo", or_null(m.lo)},
                           {"hi", or_null(m.hi)},
                           {"level", or_null(m.level)},
                           {"margin", or_null(m.margin)},
                           {"rounds", or_null(m.rounds)},
                           {"reason", m.reason}});
    return {{"kind", verdict.kind},
            {"verdict", verdict.verdict},
            {"exit_code", verdict.exit_code},
            {"reasons", verdict.reasons},
            {"suite_version", verdict.suite_version},
            {"metrics", metrics}};
}

}  // namespace

std::string show_json(const reports::Report& report,
                      const std::optional<reports::StoredVerdict>& verdict) {
    json trials = json::array(), conditions = json::array();
    for (const TrialOfArm& of : trials_of(report)) trials.push_back(trial_json(of));
    for (const auto& condition : report.conditions)
        conditions.push_back(
            {{"name", condition.name}, {"median", condition.value}, {"unit", condition.unit}});
    const json whole = {
        {"schema", "tare.show/1"},
        {"run",
         {{"id", report.run.id},
          {"started_utc", report.run.started_utc},
          {"status", report.run.status},
          {"note", report.run.note},
          {"command_line", report.run.command_line},
          {"suite_commit", report.run.suite_commit},
          {"backend", report.run.backend}}},
        {"scenario",
         {{"name", report.scenario.name},
          {"sha256", report.scenario.sha256},
          {"prompt_sha256", report.scenario.prompt_sha256},
          {"resolved", json::parse(report.scenario.resolved_json, nullptr, false)}}},
        {"machine", machine_json(report.machine)},
        {"build", build_json(report.build)},
        {"model",
         {{"name", report.model.name},
          {"sha256", or_null(report.model.sha256)},
          {"missing", report.model.missing}}},
        {"plan", json::parse(report.plan.json, nullptr, false)},
        {"arm", {{"command", report.arm.command}, {"environment", report.arm.environment}}},
        {"arms", arms_json(report)},
        {"roof",
         {{"copy_bytes_per_s", or_null(report.roof.copy_bytes_per_s)},
          {"flops_per_s", or_null(report.roof.flops_per_s)},
          {"how", report.roof.how}}},
        {"trials", trials},
        {"conditions", conditions},
        {"verdict", verdict ? verdict_json(*verdict) : json()},
        {"valid", run_is_valid(report)},
        {"reasons", run_reasons(report)}};
    return whole.dump(-1, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace scenarios::cli
