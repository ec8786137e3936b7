// SPDX-License-Identifier: Apache-2.0
// tare-engine: the unit under test, usable alone. Exit codes: 0, 1 and 3 (check), 2
// (usage), 4 (a failure of ours).
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <csignal>
#include <cstring>
#include <sstream>
#include <vector>

#include "engine/commands/bus_error.h"
#include "engine/commands/commands.h"

#include "engine/commands/report_errors.h"
#include "engine/commands/usage_error.h"
#include "engine/format/standard_streams.h"
#include "version.h"

namespace {

constexpr int exit_usage = 2;

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

// False: help or the version was asked for, and printed.
bool parse(CLI::App& app, int argc, char** argv) {
    try {
        app.parse(argc, argv);
        return true;
    } catch (const CLI::Success& asked) {
        std::ostringstream text;
        app.exit(asked, text, text);
        engine::format::write_stdout(text.str());
        return false;
    } catch (const CLI::ParseError& error) {
        std::string command = "tare-engine";
        for (const auto* sub : app.get_subcommands()) command += " " + sub->get_name();
        throw engine::commands::UsageError(
            fmt::format("{}; `{} --help` shows what there is", error.what(), command));
    }
}

int run(int argc, char** argv) {
    CLI::App app("Runs a Nemotron-H model on this machine, and measures it.", "tare-engine");
    app.require_subcommand(1);
    app.set_version_flag("--version", version_text());
    app.footer(
        "Exit codes: 0 done, 1 a check failed, 2 usage or configuration, 3 a check was skipped,\n"
        "4 a failure of tare-engine.\n"
        "Examples:\n"
        "  tare-engine info --model scenarios/models/small-bf16 --plan\n"
        "  tare-engine generate --model scenarios/models/small-bf16 --max-tokens 16 "
        "--prompt 'In the beginning'");
    namespace commands = engine::commands;
    const std::vector<commands::Command> all = {
        commands::add_generate(app), commands::add_score(app),    commands::add_bench(app),
        commands::add_check(app),    commands::add_info(app),     commands::add_roof(app),
        commands::add_synth(app),    commands::add_tokenize(app), commands::add_detokenize(app)};
    refuse_unknown_subcommand(all, argc, argv);
    if (!parse(app, arguments_before_separator(argc, argv), argv)) return 0;
    for (const auto& command : all) {
        if (command.options->parsed()) {
            return command.run();
        }
    }
    return exit_usage;
}

}  // namespace

int main(int argc, char** argv) {
    engine::format::open_standard_streams();
    engine::commands::explain_bus_errors();
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of file size is an error of the write, with words
    constexpr auto name = "tare-engine";
    const int code = engine::commands::report_errors(name, [&] { return run(argc, argv); });
    return engine::format::exit_code_of_output(name, code);
}
