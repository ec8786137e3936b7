// SPDX-License-Identifier: Apache-2.0
// tare init: what a repository needs to be measured, written for a person to look over.
#include <algorithm>
#include <memory>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <CLI/CLI.hpp>

#include "scenarios/build/git.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/init_files.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/suite_version.h"
#include "scenarios/plan/build_recipe.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

struct InitOptions {
    std::string folder = ".", suite;
    bool force = false;
};

fs::path top_of(const std::string& folder) {
    std::error_code error;
    if (!fs::is_directory(folder, error))
        throw UsageError(fmt::format("--dir {}: no folder; name one in a git checkout", folder));
    const auto git = build::Git::enclosing(folder);
    if (!git)
        throw UsageError(fmt::format(
            "{} is not in a git checkout (or git is not installed); change into your repository, "
            "name it with --dir DIR, or make one with git init",
            fs::absolute(folder).lexically_normal().string()));
    return git->top();
}

Suite suite_of(const InitOptions& options) {
    std::string ref = suite_commit();
    ref = ref.substr(0, ref.find('-'));
    const bool is_plain =
        std::all_of(options.suite.begin(), options.suite.end(), [](char c) { return c > ' '; });
    if (!is_plain)
        throw UsageError("--suite: write the URL that git clones tare from, without white space");
    return {options.suite.empty()
                ? fmt::format("{}: the URL that git clones tare from", plan::placeholder_mark)
                : options.suite,
            ref == "unknown" ? fmt::format("{}: a commit of tare", plan::placeholder_mark) : ref};
}

void refuse_existing(const fs::path& top, const std::vector<NewFile>& files) {
    const auto there = already_there(top, files);
    if (there.empty()) return;
    std::vector<std::string> names;
    for (const fs::path& file : there) names.push_back(file.string());
    throw UsageError(
        fmt::format("in {}: {} {} there already and {} left; nothing was written. Move {} away, or "
                    "replace {} with --force",
                    top.string(), fmt::join(names, ", "), names.size() == 1 ? "is" : "are",
                    names.size() == 1 ? "was" : "were", names.size() == 1 ? "it" : "them",
                    names.size() == 1 ? "it" : "them"));
}

std::string what_was_found(const Project& project) {
    if (project.found.empty())
        return "No build file that tare knows was found: write command and artefact into "
               "tare.toml; until then tare refuses it.\n";
    if (!is_whole(project))
        return fmt::format(
            "{} does not say all that is needed: what begins with \"{}\" in tare.toml has to be "
            "filled in; until then tare refuses it.\n",
            project.found, plan::placeholder_mark);
    return fmt::format(
        "{} says: built by `{}`, the program is {}. Is that so? Else correct "
        "tare.toml.\n",
        project.found, project.build_command, project.artefact);
}

std::string what_is_next(const Project& project, const std::string& name, const Suite& suite) {
    std::string text = "Next:\n";
    const auto step = [&](const std::string& command, const char* what) {
        text += fmt::format("  {:<50} {}\n", command, what);
    };
    if (!is_whole(project)) step("edit tare.toml", "how the program is built");
    step("edit scenarios/" + name + ".toml", "what it is asked to do, and margins");
    if (suite.repository.rfind(plan::placeholder_mark, 0) == 0)
        step("edit .github/workflows/tare.yml", "TARE_REPOSITORY: where CI gets tare from");
    step("git add tare.toml scenarios .github", "and commit");
    if (is_whole(project)) step(project.build_command, "build the working tree");
    step("tare run " + name, "measure it");
    step("tare ab HEAD~1 HEAD " + name, "is the last commit slower?");
    step(fmt::format("tare gate {} --accept --reason \"first\"", name),
         "a baseline, once the program gives exact metrics");
    return text;
}

int init(const InitOptions& options) {
    const fs::path top = top_of(options.folder);
    const Project project = guess_project(top);
    const std::string name = scenario_name(project, top);
    const Suite suite = suite_of(options);
    const auto files = init_files(project, name, suite);
    if (!options.force) refuse_existing(top, files);
    write_all(top, files);
    std::string text;
    for (const NewFile& file : files) text += fmt::format("wrote {}\n", (top / file.path).string());
    write_output(text + what_was_found(project) + what_is_next(project, name, suite), "");
    return ExitCode::pass;
}

}  // namespace

void add_init(CLI::App& app, Context& context) {
    auto options = std::make_shared<InitOptions>();
    CLI::App* command = app.add_subcommand(
        "init", "Write what your own repository needs: tare.toml, a scenario, a CI workflow");
    command->add_option("--dir", options->folder, "A folder of the git checkout")
        ->type_name("DIR")
        ->capture_default_str();
    command->add_option("--suite", options->suite, "Where the workflow clones tare from")
        ->type_name("URL");
    command->add_flag("--force", options->force, "Replace files that are there");
    command->footer(
        "Files that are there are named and left, and nothing is written.\n"
        "Examples:\n"
        "  tare init\n"
        "  tare init --dir ~/src/server --suite https://git.example.org/tare.git");
    command->callback(
        [options, &context] { context.action = [options] { return init(*options); }; });
}

}  // namespace scenarios::cli
