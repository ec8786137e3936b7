// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/ab_stored.h"

#include <algorithm>
#include <filesystem>
#include <stdexcept>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "engine/format/sha256.h"
#include "scenarios/build/arm_spec.h"
#include "scenarios/cli/measuring.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/run/command.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/plan_record.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

using nlohmann::json;

// Of a run that cannot go on: what differs, and both values.
[[noreturn]] void refuse(const reports::Report& stored,
                         const std::string& what,
                         const std::string& then,
                         const std::string& now,
                         const std::string& todo = "put it back, or start a new comparison") {
    throw UsageError(
        fmt::format("run {} cannot go on: {} is not what was measured: {} then, {} "
                    "now; {}",
                    stored.run.id, what, then, now, todo));
}

void need_equal(const reports::Report& stored,
                const std::string& what,
                const std::string& then,
                const std::string& now) {
    if (then != now) refuse(stored, what, then.empty() ? "none" : then, now.empty() ? "none" : now);
}

// Each key whose values differ: "reps: 1 then, 2 now".
void need_equal_keys(const reports::Report& stored,
                     const std::string& what,
                     const json& then,
                     const json& now) {
    const auto value = [](const json& object, const std::string& key) {
        const auto found = object.find(key);
        return found == object.end() ? std::string("none")
                                     : found->dump(-1, ' ', false, json::error_handler_t::replace);
    };
    json keys = then;
    keys.update(now);
    for (const auto& [key, ignored] : keys.items())
        need_equal(stored, what + " " + key, value(then, key), value(now, key));
}

json plan_of(const reports::Report& stored) {
    json plan = json::parse(stored.plan.json, nullptr, false);
    for (const char* key : {"looks", "metrics", "scenario_file", "directory", "threads",
                            "engine_arguments", "environment", "order"})
        if (!plan.is_object() || !plan.contains(key))
            throw UsageError(fmt::format(
                "run {} cannot go on: its plan has no \"{}\"; it was begun by a tare that stored "
                "less, so start a new comparison",
                stored.run.id, key));
    // Arms follow the plan one by one.
    if (plan.contains("arms") && plan["arms"].size() == stored.all_arms.size()) return plan;
    throw UsageError(
        fmt::format("run {} cannot go on: it was cut off before all of its arms were stored, and "
                    "nothing was measured; start a new comparison",
                    stored.run.id));
}

void check_places(const reports::Report& stored, const json& plan) {
    const reports::Machine machine = run::observe_machine();
    need_equal(stored, "the machine class", stored.machine.machine_class, machine.machine_class);
    need_equal(stored, "the host", stored.machine.hostname, machine.hostname);
    need_equal(stored, "the commit of tare", stored.run.suite_commit, suite_commit());
    const std::string then = plan["directory"], now = fs::current_path().string();
    if (then != now)
        refuse(stored, "the working directory (relative paths mean other files)", then, now,
               fmt::format("cd {}", then));
}

plan::Scenario scenario_of(const reports::Report& stored, const json& plan, bool has_own_arms) {
    MeasuringOptions options;
    options.backend = stored.run.backend;
    options.reps = stored.plan.reps;
    plan::Scenario scenario = load_scenario_file(plan["scenario_file"].get<std::string>(), options);
    if (!has_own_arms) scenario.arms.clear();
    if (plan::identity(scenario) == stored.scenario.sha256) return scenario;
    need_equal_keys(stored, "the scenario's", json::parse(stored.scenario.resolved_json),
                    json::parse(plan::canonical_json(scenario)));
    need_equal(stored, "the scenario (sha256)", stored.scenario.sha256, plan::identity(scenario));
    return scenario;
}

// What the arm adds to the scenario's words: as written, or as the scenario has it.
plan::Arm words_of(const reports::Arm& arm, const plan::Scenario& scenario) {
    if (!arm.spec.empty()) {
        const build::ArmSpec spec = build::parse_arm(arm.spec);
        return {arm.name, spec.arguments, spec.environment, {}};
    }
    const auto same = std::find_if(scenario.arms.begin(), scenario.arms.end(),
                                   [&](const plan::Arm& one) { return one.name == arm.name; });
    return same == scenario.arms.end() ? plan::Arm{arm.name, {}, {}, {}} : *same;
}

void check_program(const reports::Report& stored, const reports::Report& arm) {
    if (!arm.arm.why_invalid.empty()) return;  // takes part in no round
    const std::string& program = arm.arm.command.at(0);
    std::error_code error;
    const std::string now =
        fs::is_regular_file(program, error) ? engine::format::sha256_file(program) : std::string();
    if (arm.build.binary_sha256 != now)
        refuse(stored, fmt::format("arm {}'s program {} (sha256)", arm.arm.name, program),
               arm.build.binary_sha256, now.empty() ? "no such file" : now);
}

void set_metrics(const json& plan, run::Options& options) {
    for (const auto& [name, metric] : plan["metrics"].items())
        options.metrics.push_back({name, metric.at("margin").get<double>()});
}

void set_arms(const reports::Report& stored, run::Options& options) {
    for (const reports::Report* of : reports::arms_of(stored)) {
        check_program(stored, *of);
        options.arms.push_back({.words = words_of(of->arm, options.scenario),
                                .engine = of->arm.command.at(0),
                                .spec = of->arm.spec,
                                .why_invalid = of->arm.why_invalid});
    }
    options.engine = options.arms.at(0).engine;
}

// Where a prompt from a seed was written, beside the run's raw files, or the file it is.
std::string prompt_in(const std::vector<std::string>& command) {
    const auto option = std::find(command.begin(), command.end(), "--tokens-file");
    return command.end() - option < 2 ? "" : *(option + 1);
}

constexpr const char* replaced_bytes = "\xef\xbf\xbd";  // stand in the store for what is no UTF-8

void check_commands(const reports::Report& stored, const run::Options& options) {
    const auto arms = reports::arms_of(stored);
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const reports::Arm& arm = arms[i]->arm;
        const std::string then = fmt::format("{}", fmt::join(arm.command, " "));
        const auto now = run::bench_command(options, options.arms[i], prompt_in(arm.command));
        need_equal(stored, fmt::format("the command of arm {}", arm.name), then,
                   fmt::format("{}", fmt::join(now, " ")));
        if (then.find(replaced_bytes) != std::string::npos)
            throw UsageError(fmt::format(
                "run {} cannot go on: the command of arm {} holds bytes that are no UTF-8, which "
                "the store does not keep; start a new comparison",
                stored.run.id, arm.name));
    }
}

// Where the store lies changes no trial.
json that_trials_see(json environment) {
    environment.erase("TARE_STORE");
    environment.erase("TARE_STORE_WAIT");
    return environment;
}

// The plan as this tare would make it.
void check_plan(const reports::Report& stored,
                const json& plan,
                const run::Options& options,
                const run::RoundsPlan& rounds) {
    const json now = json::parse(run::comparison_plan_record(options, rounds).json);
    need_equal_keys(stored, "in the environment,", that_trials_see(plan["environment"]),
                    that_trials_see(now["environment"]));
    if (plan["order"] == now["order"]) return;
    std::size_t at = 0;
    while (at < std::min(plan["order"].size(), now["order"].size()) &&
           plan["order"][at] == now["order"][at])
        ++at;
    const auto turn = [at](const json& order) {
        return at < order.size() ? order[at].dump() : std::string("none");
    };
    refuse(stored, fmt::format("turn {} of the order drawn from seed {}", at, stored.plan.seed),
           turn(plan["order"]), turn(now["order"]), "start a new comparison");
}

bool has_arms_of_scenario(const reports::Report& stored) {
    const auto arms = reports::arms_of(stored);
    return std::all_of(arms.begin(), arms.end(),
                       [](const reports::Report* of) { return of->arm.spec.empty(); });
}

StoredComparison recreate_from(const reports::Report& stored,
                               const json& plan,
                               const Context& context) {
    StoredComparison out;
    out.rounds = {.looks = plan["looks"].get<std::vector<int>>(),
                  .profiled_rounds = stored.plan.profiled_rounds};
    run::Options& options = out.options;
    options.scenario = scenario_of(stored, plan, has_arms_of_scenario(stored));
    options.probe = find_probe(context, out.rounds.profiled_rounds);
    options.engine_arguments = plan["engine_arguments"].get<std::vector<std::string>>();
    if (!plan["threads"].is_null()) options.threads = plan["threads"].get<int>();
    options.timed_rounds = out.rounds.looks.back();
    options.profiled_rounds = out.rounds.profiled_rounds;
    options.seed = stored.plan.seed;
    options.command_line = stored.run.command_line;
    options.suite_commit = stored.run.suite_commit;
    options.kind = stored.run.kind;
    set_metrics(plan, options);
    set_arms(stored, options);
    check_commands(stored, options);
    check_plan(stored, plan, options, out.rounds);
    return out;
}

}  // namespace

StoredComparison recreate(const reports::Report& stored, const Context& context) {
    try {
        const json plan = plan_of(stored);
        check_places(stored, plan);
        return recreate_from(stored, plan, context);
    } catch (const json::exception& error) {
        throw reports::StoreError(
            fmt::format("the plan of run {} is damaged: {}", stored.run.id, error.what()));
    }
}

void check_greetings(const reports::Report& stored,
                     const run::Options& options,
                     const run::Preflight& preflight) {
    const auto arms = reports::arms_of(stored);
    for (std::size_t i = 0; i < arms.size(); ++i) {
        const std::string name = arms[i]->arm.name;
        if (!arms[i]->arm.why_invalid.empty()) continue;
        if (!options.arms[i].why_invalid.empty())
            throw std::runtime_error(fmt::format(
                "run {} cannot go on now: arm {} was measured, and cannot be started: {}. The run "
                "is as it was",
                stored.run.id, name, options.arms[i].why_invalid));
        const auto& hello = preflight.greetings.at(i).hello;
        if (!hello) continue;  // then it would have a why_invalid
        need_equal(stored, fmt::format("the model that arm {} reads (sha256)", name),
                   arms[i]->model.sha256.value_or(""), hello->model_sha256.value_or(""));
        if (hello->prompt_sha256)
            need_equal(stored, fmt::format("the prompt that arm {} reads (sha256)", name),
                       stored.scenario.prompt_sha256, *hello->prompt_sha256);
    }
}

}  // namespace scenarios::cli
