// SPDX-License-Identifier: Apache-2.0
// tare: measures an inference engine kernel by kernel. One file per subcommand beside this one.
#include <algorithm>
#include <csignal>
#include <filesystem>
#include <new>
#include <sstream>
#include <string>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "engine/format/file_message.h"
#include "engine/format/printable.h"
#include "engine/format/standard_streams.h"
#include "scenarios/cli/arguments.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/say.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/run/paths.h"

namespace {

using namespace scenarios::cli;

void add_all(CLI::App& app, Context& context) {
    add_run(app, context);
    add_ab(app, context);
    add_gate(app, context);
    add_calibrate(app, context);
    add_explain(app, context);
    add_build(app, context);
    add_report(app, context);
    add_list(app, context);
    add_show(app, context);
    add_compare(app, context);
    add_export(app, context);
    add_stats(app, context);
    add_prune(app, context);
    add_store(app, context);
    add_doctor(app, context);
    add_init(app, context);
}

std::vector<std::string> names(CLI::App& app) {
    std::vector<std::string> out;
    for (const CLI::App* command : app.get_subcommands({})) out.push_back(command->get_name());
    return out;
}

// The option parser would call a wrong subcommand a wrong argument and list nothing.
void check_subcommand(CLI::App& app, const std::vector<std::string>& command_line) {
    if (command_line.size() < 2) return;
    const std::string& word = command_line[1];
    const auto known = names(app);
    if (word.empty() || word[0] == '-') return;
    if (std::find(known.begin(), known.end(), word) != known.end()) return;
    throw UsageError(
        fmt::format("unknown subcommand '{}'.{} Known: {}", engine::format::printable(word),
                    scenarios::plan::nearest_hint(word, known), fmt::join(known, ", ")));
}

int parse_and_run(CLI::App& app, Context& context, int argc, char** argv) {
    check_subcommand(app, context.command_line);
    try {
        parse_arguments(app, argc, argv);
    } catch (const CLI::Success& success) {  // --help, --version
        std::ostringstream text;
        app.exit(success, text, text);
        engine::format::write_stdout(text.str());
        return ExitCode::pass;
    }
    return context.action();
}

}  // namespace

int main(int argc, char** argv) {
    engine::format::open_standard_streams();
    std::signal(SIGXFSZ, SIG_IGN);  // a limit of file size is an error of the write, with words
    CLI::App app("Measures an LLM inference engine kernel by kernel.", "tare");
    app.set_version_flag("--version", version_text());
    app.require_subcommand(1);
    app.footer(
        "Examples:\n"
        "  tare run prefill-4k          measure, store, and print the breakdown\n"
        "  tare report                  the breakdown of the latest run again\n"
        "  tare doctor                  what this machine can do\n"
        "  tare init                    measure a repository of your own\n"
        "Exit codes: 0 pass, 1 regressed, 2 usage or configuration, 3 inconclusive, 4 invalid, "
        "130 interrupted after saving.");
    Context context{{argv, argv + argc}, scenarios::run::executable(), {}};
    try {
        add_all(app, context);
        return parse_and_run(app, context, argc, argv);
    } catch (const UsageError& error) {
        say(error.what());
        return ExitCode::usage;
    } catch (const engine::format::OutputLost& lost) {
        if (!lost.reader_gone) say(lost.what());
        return ExitCode::invalid;
    } catch (const std::bad_alloc&) {
        say("memory ran out; raise the limit of memory (ulimit -v, the container's) or close "
            "programs, and run again. What is stored is as it was");
        return ExitCode::invalid;
    } catch (const std::filesystem::filesystem_error& error) {
        say(engine::format::file_message(error));
        return ExitCode::invalid;
    } catch (const std::exception& error) {
        say(error.what());
        return ExitCode::invalid;
    }
}
