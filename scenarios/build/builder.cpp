// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/builder.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <span>
#include <system_error>

#include <fmt/format.h>

#include "engine/format/sha256.h"
#include "scenarios/build/build_file.h"
#include "scenarios/build/toolchain.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/files.h"
#include "scenarios/run/process.h"
#include "scenarios/run/spawn.h"

namespace scenarios::build {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t short_hash = 12;

std::string sha256_of(const std::string& text) {
    return engine::format::sha256_hex(std::as_bytes(std::span(text)));
}

// All that decides what comes out of a build.
std::string key_of(const Git& git,
                   const std::string& commit,
                   const plan::BuildRecipe& recipe,
                   const Toolchain& toolchain) {
    std::string text = recipe.command + "\n";
    for (const std::string& artefact : recipe.artefacts) text += artefact + "\n";
    for (const auto& [name, value] : recipe.environment) text += name + "=" + value + "\n";
    text += to_text(toolchain);
    text += recipe.inputs.empty() ? commit : git.content_ids(commit, recipe.inputs);
    return sha256_of(text);
}

// Held until the object goes. Other processes that want the same build wait for it.
class FileLock {
  public:
    FileLock(const fs::path& file,
             const run::Interrupt& interrupt,
             const std::function<void()>& at_wait)
        : fd_(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
        if (fd_.get() < 0)
            throw run::FileError(
                fmt::format("{}: cannot be opened: {}", file.string(), std::strerror(errno)));
        for (bool waiting = false; ::flock(fd_.get(), LOCK_EX | LOCK_NB) != 0; waiting = true) {
            if (!waiting) at_wait();
            if (interrupt.raised())
                throw BuildInterrupted("the wait for another build was cut short");
            ::usleep(100'000);
        }
    }

  private:
    run::Fd fd_;
};

// A worktree that is gone when the object is.
class Worktree {
  public:
    Worktree(const Git& git, const std::string& commit, fs::path folder)
        : git_(git), folder_(std::move(folder)) {
        git_.remove_worktree(folder_);  // of a process that was killed
        git_.add_worktree(commit, folder_);
    }

    ~Worktree() { git_.remove_worktree(folder_); }

    Worktree(const Worktree&) = delete;
    Worktree& operator=(const Worktree&) = delete;

    const fs::path& folder() const { return folder_; }

  private:
    const Git& git_;
    fs::path folder_;
};

std::string shell_quoted(const std::string& text) {
    std::string out = "'";
    for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
    return out + "'";
}

void copy_artefact(const fs::path& from, const fs::path& to, const fs::path& log) {
    std::error_code error;
    if (!fs::is_regular_file(from, error))
        throw BuildFailed(
            fmt::format("the build command ended well but left no {}; correct artefact in [build]. "
                        "The whole log: {}",
                        from.filename().string(), log.string()));
    fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
    if (error)
        throw run::FileError(
            fmt::format("{}: cannot be written: {}", to.string(), error.message()));
}

std::string how_it_ended(const run::Exit& exit) {
    if (exit.end == run::End::time_limit)
        return fmt::format("was still running after {:.0f} s (time_limit_s of [build])",
                           exit.limit_s);
    if (exit.end == run::End::not_started) return "could not be started: " + exit.error;
    if (exit.signal) return fmt::format("ended by signal {}", *exit.signal);
    return fmt::format("ended with exit code {}", exit.exit_code.value_or(-1));
}

}  // namespace

void Builder::run_command(const plan::BuildRecipe& recipe,
                          const std::string& commit,
                          const fs::path& worktree,
                          const fs::path& log) {
    run::Watch watch;
    watch.time_limit_s = recipe.time_limit_s;
    watch.stop_fd = interrupt_.fd();
    const std::string script =
        fmt::format("cd {} && exec >{} 2>&1 && {{ {}\n}}", shell_quoted(worktree.string()),
                    shell_quoted(log.string()), recipe.command);
    const run::Exit exit = run::run_process(
        {{"/usr/bin/env", "bash", "-c", script},
         run::process_environment(run::own_environment(), std::nullopt, recipe.environment)},
        watch);
    if (exit.end == run::End::stopped) throw BuildInterrupted("the build was cut short");
    if (exit.end != run::End::exited || exit.exit_code != 0)
        throw BuildFailed(fmt::format("commit {} does not build: `{}` {}. The whole log: {}",
                                      commit.substr(0, short_hash), recipe.command,
                                      how_it_ended(exit), log.string()));
}

Built Builder::into(const std::string& commit,
                    const plan::BuildRecipe& recipe,
                    const fs::path& folder) {
    say_what_it_builds(commit, recipe, folder);
    return build(commit, recipe, folder,
                 fmt::format("worktree-{}-{}", commit.substr(0, short_hash), ::getpid()));
}

void Builder::say_what_it_builds(const std::string& commit,
                                 const plan::BuildRecipe& recipe,
                                 const fs::path& folder) const {
    say_(fmt::format("building commit {} with `{}`; log: {}", commit.substr(0, short_hash),
                     recipe.command, (folder / "build.log").string()));
}

// A worktree of one name each time: paths end up in programs, and equal sources are to give equal
// ones.
Built Builder::build(const std::string& commit,
                     const plan::BuildRecipe& recipe,
                     const fs::path& folder,
                     const std::string& worktree_name) {
    run::make_folder(folder);
    run::make_folder(cache_);
    const fs::path log = fs::absolute(folder) / "build.log";
    const Toolchain toolchain = find_toolchain(recipe.environment);
    const Worktree worktree(git_, commit, fs::absolute(cache_) / worktree_name);
    run_command(recipe, commit, worktree.folder(), log);
    for (const std::string& artefact : recipe.artefacts)
        copy_artefact(worktree.folder() / artefact, folder / fs::path(artefact).filename(), log);
    const fs::path program = worktree.folder() / recipe.artefacts.at(0);
    const Built built{fs::absolute(folder) / program.filename(), false};
    write_build_file(folder, built.program, commit, recipe, toolchain,
                     program.parent_path() / build_file_name);
    return built;
}

Built Builder::cached(const std::string& commit, const plan::BuildRecipe& recipe) {
    const std::string key = key_of(git_, commit, recipe, find_toolchain(recipe.environment));
    const std::string name = recipe.inputs.empty()
                                 ? commit.substr(0, short_hash) + "-" + key.substr(0, short_hash)
                                 : "inputs-" + key.substr(0, short_hash);
    const fs::path folder = fs::absolute(cache_) / name;
    run::make_folder(cache_);
    const FileLock lock(cache_ / (name + ".lock"), interrupt_, [&] {
        say_(fmt::format("waiting for another process that builds {}", commit.substr(0, 12)));
    });
    const fs::path program = folder / fs::path(recipe.artefacts.at(0)).filename();
    // build.json is written last: with it the build is whole.
    if (fs::exists(folder / build_file_name) && fs::is_regular_file(program))
        return {program, true};
    say_what_it_builds(commit, recipe, folder);
    return build(commit, recipe, folder, "worktree-" + name);
}

}  // namespace scenarios::build
