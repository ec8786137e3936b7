// SPDX-License-Identifier: Apache-2.0
// tare doctor: what this machine can do, and what would fix the rest.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "scenarios/cli/capability.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/table.h"
#include "scenarios/run/paths.h"

namespace scenarios::cli {

const char* name(Status status) {
    switch (status) {
        case Status::ok:
            return "ok";
        case Status::limited:
            return "limited";
        case Status::missing:
            return "missing";
    }
    return "";
}

namespace {

struct DoctorOptions {
    std::string engine, scenarios, store, format = "table";
};

std::string as_table(const Capabilities& all, int exit_code) {
    std::vector<Row> rows = {{"capability", "status", "seen", "lets you"}};
    for (const Capability& one : all)
        rows.push_back({one.name, name(one.status), one.seen, one.enables});
    std::string text = aligned(rows), fixes;
    for (const Capability& one : all)
        if (!one.fix.empty()) fixes += fmt::format("  {}: {}\n", one.name, one.fix);
    if (!fixes.empty()) text += "\nWhat would fix the rest\n" + fixes;
    return text + (exit_code == ExitCode::pass ? "\nThe CPU product works here.\n"
                                               : "\nThe CPU product does not work here.\n");
}

std::string as_json(const Capabilities& all, int exit_code) {
    nlohmann::json list = nlohmann::json::array();
    for (const Capability& one : all)
        list.push_back({{"name", one.name},
                        {"status", name(one.status)},
                        {"seen", one.seen},
                        {"enables", one.enables},
                        {"fix", one.fix.empty() ? nlohmann::json() : nlohmann::json(one.fix)},
                        {"needed", one.needed}});
    const nlohmann::json whole = {
        {"schema", "tare.doctor/1"}, {"capabilities", list}, {"exit_code", exit_code}};
    return whole.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
}

int doctor(const DoctorOptions& options, const Context& context) {
    const Surroundings where{.executable = context.executable,
                             .engine = options.engine.empty()
                                           ? run::engine_beside(context.executable)
                                           : std::filesystem::absolute(options.engine),
                             .scenarios = given(options.scenarios),
                             .store = options.store};
    Capabilities all;
    for (const auto look : {host_capabilities, cuda_capabilities, tare_capabilities})
        for (Capability& one : look(where)) all.push_back(std::move(one));
    const bool works = std::none_of(all.begin(), all.end(), [](const Capability& one) {
        return one.needed && one.status == Status::missing;
    });
    const int exit_code = works ? ExitCode::pass : ExitCode::invalid;
    write_output(options.format == "json" ? as_json(all, exit_code) : as_table(all, exit_code), "");
    return exit_code;
}

}  // namespace

void add_doctor(CLI::App& app, Context& context) {
    auto options = std::make_shared<DoctorOptions>();
    CLI::App* command =
        app.add_subcommand("doctor", "What this machine can do, and what would fix the rest");
    command
        ->add_option("--engine", options->engine, "The engine (default: tare-engine beside tare)")
        ->type_name("PATH");
    command->add_option("--scenarios", options->scenarios, "Folder with the shipped scenarios")
        ->type_name("DIR");
    add_store_option(*command, options->store);
    command->add_option("--format", options->format, "How the result is written")
        ->check(CLI::IsMember({"table", "json"}))
        ->capture_default_str();
    command->footer(
        "Examples:\n"
        "  tare doctor\n"
        "  tare doctor --format json\n"
        "Exit codes: 0 the CPU product works, 4 it does not.");
    command->callback([options, &context] {
        context.action = [options, &context] { return doctor(*options, context); };
    });
}

}  // namespace scenarios::cli
