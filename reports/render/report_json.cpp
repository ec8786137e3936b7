// SPDX-License-Identifier: Apache-2.0
// tare.report/1.
#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/render/json.h"

namespace reports::render {

using nlohmann::json;

json number(double value) {
    if (!std::isfinite(value)) return nullptr;
    if (value == std::round(value) && std::abs(value) < 9e15)
        return static_cast<std::int64_t>(value);
    return value;
}

void put(json& object, const std::string& name, const std::optional<double>& value) {
    object[name] = value ? number(*value) : json(nullptr);
}

void put(json& object, const std::string& name, const Figure& figure) {
    object[name] = figure ? number(figure->median) : json(nullptr);
    object[name + "_min"] = figure ? number(figure->min) : json(nullptr);
    object[name + "_max"] = figure ? number(figure->max) : json(nullptr);
}

namespace {

json text(const std::optional<std::string>& value) {
    return value ? json(*value) : json(nullptr);
}

json whole(const auto& value) {
    return value ? json(*value) : json(nullptr);
}

json build_json(const Build& build) {
    return {
        {"binary_path", build.binary_path},  {"binary_sha256", build.binary_sha256},
        {"commit", text(build.commit)},      {"dirty_diff_sha256", text(build.dirty_diff_sha256)},
        {"compiler", text(build.compiler)},  {"flags", text(build.flags)},
        {"protocol", whole(build.protocol)}, {"missing", build.missing}};
}

json machine_json(const Machine& machine) {
    return {{"machine_class", machine.machine_class}, {"hostname", machine.hostname},
            {"cpu_model", machine.cpu_model},         {"cores", machine.cores},
            {"memory_bytes", machine.memory_bytes},   {"kernel", machine.kernel},
            {"gpu_name", text(machine.gpu_name)},     {"gpu_uuid", text(machine.gpu_uuid)},
            {"driver", text(machine.driver)},         {"missing", machine.missing}};
}

json plan_json(const Plan& plan) {
    return {{"timed_rounds", plan.timed_rounds},
            {"profiled_rounds", plan.profiled_rounds},
            {"warm_up", plan.warm_up},
            {"reps", plan.reps},
            {"seed", plan.seed},
            {"time_limit_s", number(plan.time_limit_s)}};
}

void add_trials(const Report& report, json& list) {
    for (const TrialRow& row : report.trials) {
        const Trial& t = row.trial;
        list.push_back({{"id", row.id},
                        {"arm", report.arm.name},
                        {"round", t.round},
                        {"position", t.position},
                        {"mode", name(t.mode)},
                        {"planted", t.planted},
                        {"valid", t.valid},
                        {"void", !t.voided.empty()},
                        {"reason", t.reason.empty() ? json(nullptr) : json(t.reason)},
                        {"exit_code", whole(t.exit_code)},
                        {"signal", whole(t.signal)},
                        {"timed_out", t.timed_out}});
    }
}

// Of every loaded arm, in the order they ran.
json trials_json(const Report& report) {
    json list = json::array();
    for (const Report* arm : arms_of(report)) add_trials(*arm, list);
    std::sort(list.begin(), list.end(),
              [](const json& a, const json& b) { return a["id"] < b["id"]; });
    return list;
}

json conditions_json(const std::vector<Condition>& conditions) {
    json list = json::array();
    for (const Condition& c : conditions) {
        list.push_back({{"name", c.name}, {"value", number(c.value)}, {"unit", c.unit}});
    }
    return list;
}

json gap_json(const GapClasses& gap) {
    json object;
    put(object, "launch_ns", gap.launch_ns);
    put(object, "sync_ns", gap.sync_ns);
    put(object, "alloc_ns", gap.alloc_ns);
    put(object, "host_ns", gap.host_ns);
    put(object, "dispatch_ns", gap.dispatch_ns);
    put(object, "unsplit_ns", gap.unsplit_ns);
    return object;
}

json integrity_json(const Integrity& integrity) {
    json object;
    put(object, "unattributed_share", integrity.unattributed_share);
    put(object, "outside_share", integrity.outside_share);
    object["records_expected"] = whole(integrity.records_expected);
    object["records_seen"] = whole(integrity.records_seen);
    put(object, "gap_residual_share", integrity.gap_residual_share);
    put(object, "timer_disagreement_share", integrity.timer_disagreement_share);
    return object;
}

json phase_json(const PhaseRow& row) {
    json object = {{"phase", row.phase},
                   {"mode", name(row.mode)},
                   {"timer", row.timer.empty() ? json(nullptr) : json(row.timer)},
                   {"rounds", row.rounds},
                   {"gap", gap_json(row.gap)},
                   {"integrity", integrity_json(row.integrity)},
                   {"valid", row.valid},
                   {"reason", row.reason.empty() ? json(nullptr) : json(row.reason)}};
    put(object, "wall_ns", row.wall_ns);
    put(object, "busy_ns", row.busy_ns);
    put(object, "sum_ns", row.sum_ns);
    put(object, "gap_ns", row.gap_ns);
    put(object, "tokens_per_s", row.tokens_per_s);
    return object;
}

// Roles have neither path nor kernel.
json kernel_json(const KernelRow& row, bool is_role) {
    json object = {{"phase", row.phase}, {"role", row.role}};
    if (!is_role) {
        object["path"] = row.path;
        object["kernel"] = row.kernel;
        object["launch_shape"] = text(row.launch_shape);
        object["registers"] = whole(row.registers);
    }
    put(object, "calls", row.calls);
    put(object, "total_ns", row.total_ns);
    put(object, "share", row.share);
    put(object, "mean_ns", row.mean_ns);
    put(object, "p50_ns", row.p50_ns);
    put(object, "p99_ns", row.p99_ns);
    put(object, "min_ns", row.min_ns);
    put(object, "max_ns", row.max_ns);
    put(object, "bytes", row.bytes);
    put(object, "flops", row.flops);
    put(object, "gb_per_s", row.gb_per_s);
    put(object, "tflop_per_s", row.tflop_per_s);
    put(object, "roof_share", row.roof_share);
    object["roof_bound"] = row.roof_bound.empty() ? json(nullptr) : json(row.roof_bound);
    return object;
}

json kernels_json(const std::vector<KernelRow>& rows, bool are_roles = false) {
    json list = json::array();
    for (const KernelRow& row : rows) list.push_back(kernel_json(row, are_roles));
    return list;
}

json costs_json(const std::vector<ProfilingCost>& costs) {
    json object = json::object();
    for (const ProfilingCost& cost : costs) {
        json& one = object[cost.phase];
        put(one, "timed_wall_ns", cost.timed_wall_ns);
        put(one, "profiled_wall_ns", cost.profiled_wall_ns);
        put(one, "ratio", cost.ratio);
    }
    return object;
}

}  // namespace

json run_json(const Report& report) {
    json roof = {{"how", report.roof.how}};
    put(roof, "copy_bytes_per_s", report.roof.copy_bytes_per_s);
    put(roof, "flops_per_s", report.roof.flops_per_s);
    json object = {{"id", report.run.id},
                   {"started_utc", report.run.started_utc},
                   {"status", report.run.status},
                   {"note", report.run.note},
                   {"command_line", report.run.command_line},
                   {"suite_commit", report.run.suite_commit},
                   {"backend", report.run.backend},
                   {"valid", run_is_valid(report)},
                   {"reasons", run_reasons(report)},
                   {"scenario_sha256", report.scenario.sha256},
                   {"prompt_sha256", report.scenario.prompt_sha256},
                   {"model",
                    {{"name", report.model.name},
                     {"sha256", text(report.model.sha256)},
                     {"missing", report.model.missing}}},
                   {"build", build_json(report.build)},
                   {"machine", machine_json(report.machine)},
                   {"arm",
                    {{"name", report.arm.name},
                     {"command", report.arm.command},
                     {"environment", report.arm.environment}}},
                   {"arms", report.all_arms},
                   {"plan", plan_json(report.plan)},
                   {"roof", roof},
                   {"trials", trials_json(report)},
                   {"conditions", conditions_json(report.conditions)},
                   {"output_sha256", text(report.output_sha256)}};
    put(object, "cold_start_ns", report.cold_start_ns);
    return object;
}

namespace {

json counts_json(const std::vector<CountRow>& rows) {
    json list = json::array();
    for (const CountRow& row : rows) {
        list.push_back({{"name", row.name},
                        {"value", number(row.value)},
                        {"unit", row.unit},
                        {"exact", row.exact}});
    }
    return list;
}

json metrics_json(const std::vector<MetricRow>& rows) {
    json list = json::array();
    for (const MetricRow& row : rows) {
        json one = {{"name", row.name}, {"unit", row.unit}, {"direction", name(row.direction)}};
        put(one, "value", Figure(row.value));
        list.push_back(std::move(one));
    }
    return list;
}

json identities_json(const std::vector<IdentityRow>& rows) {
    json list = json::array();
    for (const IdentityRow& row : rows) {
        list.push_back({{"name", row.name},
                        {"expected", number(row.expected)},
                        {"seen", number(row.seen)},
                        {"must_hold", row.must_hold}});
    }
    return list;
}

json losses_json(const std::vector<LossRow>& rows) {
    json list = json::array();
    for (const LossRow& row : rows) {
        list.push_back({{"request", row.request},
                        {"name", row.name},
                        {"tokens", row.tokens},
                        {"nll_mean", number(row.nll_mean)},
                        {"nll_sum", number(row.nll_sum)},
                        {"sha256", row.sha256},
                        {"trials", row.trials}});
    }
    return list;
}

// What is measured of one arm: the keys a run with one arm has at its top.
json measured_json(const Report& report) {
    json phases = json::array();
    for (const PhaseRow& row : report.phases) phases.push_back(phase_json(row));
    json object = {{"phases", phases},
                   {"roles", kernels_json(report.roles, true)},
                   {"ops", kernels_json(report.ops)},
                   {"kernels", kernels_json(report.kernels)},
                   {"metrics", metrics_json(report.metrics)},
                   {"counts", counts_json(report.counts)},
                   {"identities", identities_json(report.identities)},
                   {"profiling_cost", costs_json(report.profiling_cost)},
                   {"losses", losses_json(report.losses)}};
    put(object, "loss_mean", report.mean_loss);
    return object;
}

json arm_json(const Report& report) {
    json object = measured_json(report);
    object["name"] = report.arm.name;
    object["about"] = report.arm.about;
    object["args"] = report.arm.arguments;
    object["command"] = report.arm.command;
    object["environment"] = report.arm.environment;
    object["valid"] = report.valid;
    object["reasons"] = report.reasons;
    object["trials"] = trials_json(report);
    object["conditions"] = conditions_json(report.conditions);
    object["output_sha256"] = text(report.output_sha256);
    put(object, "cold_start_ns", report.cold_start_ns);
    return object;
}

}  // namespace

std::string report_json(const Report& report) {
    json object = measured_json(report);
    object["schema"] = "tare.report/1";
    object["run"] = run_json(report);
    object["scenario"] = report.scenario.name;
    if (!report.other_arms.empty()) {
        for (const Report* arm : arms_of(report)) object["arms"].push_back(arm_json(*arm));
    }
    // Foreign text (a path, a stderr line) may hold bytes that are no UTF-8.
    return object.dump(2, ' ', false, json::error_handler_t::replace) + "\n";
}

}  // namespace reports::render
