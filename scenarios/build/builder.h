// SPDX-License-Identifier: Apache-2.0
// One commit of a repository as a program that can be measured: built in a worktree of its own,
// kept by commit and toolchain.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>

#include "scenarios/build/git.h"
#include "scenarios/plan/build_recipe.h"
#include "scenarios/run/interrupt.h"

namespace scenarios::build {

// The commit does not build. what() ends with the place of the whole log.
struct BuildFailed : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Ctrl-C or SIGTERM while building; what was half made is gone.
struct BuildInterrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Built {
    std::filesystem::path program;  // absolute; build.json lies beside it
    bool from_cache = false;
};

class Builder {
  public:
    // `cache` keeps builds (<cache>/<commit>-<key>/) and their logs. `say` hears what takes time.
    Builder(Git git,
            std::filesystem::path cache,
            const run::Interrupt& interrupt,
            std::function<void(const std::string&)> say)
        : git_(std::move(git)),
          cache_(std::move(cache)),
          interrupt_(interrupt),
          say_(std::move(say)) {}

    // From the cache when commit (or the content of recipe.inputs), command, environment and
    // toolchain are those of a build there. Two processes that want one build: the second waits.
    // Throws BuildFailed, BuildInterrupted, GitError and run::FileError.
    Built cached(const std::string& commit, const plan::BuildRecipe& recipe);

    // Always anew, into `folder`, which is made.
    Built into(const std::string& commit,
               const plan::BuildRecipe& recipe,
               const std::filesystem::path& folder);

  private:
    Built build(const std::string& commit,
                const plan::BuildRecipe& recipe,
                const std::filesystem::path& folder,
                const std::string& worktree_name);
    void say_what_it_builds(const std::string& commit,
                            const plan::BuildRecipe& recipe,
                            const std::filesystem::path& folder) const;
    void run_command(const plan::BuildRecipe& recipe,
                     const std::string& commit,
                     const std::filesystem::path& worktree,
                     const std::filesystem::path& log);

    Git git_;
    std::filesystem::path cache_;
    const run::Interrupt& interrupt_;
    std::function<void(const std::string&)> say_;
};

}  // namespace scenarios::build
