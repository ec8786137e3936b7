// SPDX-License-Identifier: Apache-2.0
// tare build REF --out DIR: one commit as an arm, with its receipt build.json.
#include <memory>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "scenarios/build/arms.h"
#include "scenarios/build/build_file.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/say.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/values.h"
#include "scenarios/run/files.h"
#include "scenarios/run/progress.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

struct BuildOptions {
    std::string ref, out;
    bool quiet = false;
};

// Nothing of the user's own is written over: a new folder, or one that an earlier build filled.
void check_folder(const fs::path& folder) {
    std::error_code error;
    if (!fs::exists(folder, error)) return;
    if (!fs::is_directory(folder, error))
        throw UsageError(fmt::format("--out {}: not a folder; name a new one", folder.string()));
    if (!fs::is_empty(folder, error) && !fs::exists(folder / build::build_file_name, error) &&
        !fs::exists(folder / "build.log", error))
        throw UsageError(fmt::format(
            "--out {}: holds files that are not of a build; name a new or an empty folder",
            folder.string()));
}

int build_one(const BuildOptions& options) {
    const fs::path folder = fs::absolute(options.out).lexically_normal();
    check_folder(folder);
    const build::Git git = build::checkout_of(fs::current_path());
    const std::string commit = build::find_commit(git, options.ref);
    const auto recipe = build::find_recipe(git, std::nullopt);
    const run::Interrupt interrupt;
    run::Progress progress(run::Progress::style_of_stderr(options.quiet));
    build::Builder builder(git, folder, interrupt,
                           [&](const std::string& text) { progress.step(text); });
    const build::Built built = builder.into(commit, recipe, folder);
    write_output(fmt::format("{}\n", built.program.string()), "");
    return ExitCode::pass;
}

int build_ref(const BuildOptions& options) {
    try {
        return build_one(options);
    } catch (const build::ArmError& error) {
        throw UsageError(error.what());
    } catch (const plan::ScenarioError& error) {
        throw UsageError(error.what());
    } catch (const build::BuildInterrupted& error) {
        say(error.what());
        return ExitCode::interrupted;
    }
}

}  // namespace

void add_build(CLI::App& app, Context& context) {
    auto options = std::make_shared<BuildOptions>();
    CLI::App* command =
        app.add_subcommand("build", "Build one commit as an arm, as [build] of tare.toml says");
    command->add_option("REF", options->ref, "A commit, branch or tag")->required();
    command->add_option("--out", options->out, "Folder for the program and its build.json")
        ->required()
        ->type_name("DIR");
    command->add_flag("--quiet", options->quiet, "No progress on stderr");
    command->footer(
        "Prints the program's path. Use it as an arm: build:DIR.\n"
        "Examples:\n"
        "  tare build HEAD~1 --out before\n"
        "  tare ab build:before HEAD decode-64");
    command->callback(
        [options, &context] { context.action = [options] { return build_ref(*options); }; });
}

}  // namespace scenarios::cli
