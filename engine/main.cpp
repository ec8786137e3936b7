// SPDX-License-Identifier: Apache-2.0
// tare-engine: the unit under test, usable alone. Exit codes: 0, 2 (usage), 4 (a failure of ours).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <cstring>
#include <exception>
#include <vector>

#include "engine/commands/commands.h"
#include "engine/commands/usage_error.h"
#include "version.h"

namespace {

constexpr int exit_usage = 2;
constexpr int exit_invalid = 4;

std::string version_text() {
    namespace version = tare::version;
    return fmt::format(
        "tare-engine {}\ncommit   {}{}\ncompiler {}\nflags    {}\nbuild    {}{}", version::release,
        *version::commit ? version::commit : "not known (no git at build time)",
        *version::dirty_diff_sha256
            ? fmt::format(", with changes (diff sha256 {})", version::dirty_diff_sha256)
            : "",
        version::compiler, version::flags, version::build_type,
        *version::sanitize ? fmt::format(", sanitizers {}", version::sanitize) : "");
}

// CLI11 would hand what follows `--` to positionals; the engine has none.
int arguments_before_separator(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::strcmp(argv[i], "--") == 0) {
            if (i + 1 < argc) {
                throw engine::commands::UsageError(fmt::format(
                    "'{}' after '--': tare-engine takes nothing there; remove it", argv[i + 1]));
            }
            return i;
        }
    }
    return argc;
}

// CLI11 would only say that a subcommand is required.
void refuse_unknown_subcommand(const std::vector<engine::commands::Command>& all,
                               int argc,
                               char** argv) {
    if (argc < 2 || argv[1][0] == '-') {
        return;
    }
    std::string names;
    for (const auto& command : all) {
        const auto& name = command.options->get_name();
        if (name == argv[1]) {
            return;
        }
        names += (names.empty() ? "" : ", ") + name;
    }
    throw engine::commands::UsageError(
        fmt::format("'{}': no such subcommand; there are {}", argv[1], names));
}

int run(int argc, char** argv) {
    CLI::App app("Runs a Nemotron-H model on this machine, and measures it.", "tare-engine");
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text());
    app.footer(
        "Exit codes: 0 done, 2 usage or configuration, 4 a failure of tare-engine.\n"
        "Examples:\n"
        "  tare-engine info --model scenarios/models/small-bf16 --plan\n"
        "  tare-engine generate --model scenarios/models/small-bf16 --tokens 1,45,81 "
        "--max-tokens 16");
    namespace commands = engine::commands;
    const std::vector<commands::Command> all = {commands::add_generate(app),
                                                commands::add_score(app), commands::add_bench(app),
                                                commands::add_info(app), commands::add_roof(app)};
    refuse_unknown_subcommand(all, argc, argv);
    try {
        app.parse(arguments_before_separator(argc, argv), argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : exit_usage;  // 0: help or version
    }
    for (const auto& command : all) {
        if (command.options->parsed()) {
            return command.run();
        }
    }
    return exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
    try {
        return run(argc, argv);
    } catch (const engine::commands::UsageError& error) {
        fmt::print(stderr, "tare-engine: {}\n", error.what());
        return exit_usage;
    } catch (const std::exception& error) {
        fmt::print(stderr, "tare-engine: failure: {}\n", error.what());
        return exit_invalid;
    }
}
