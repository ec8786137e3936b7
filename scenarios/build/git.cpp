// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/git.h"

#include <sstream>
#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/run/environment.h"
#include "scenarios/run/process.h"

namespace scenarios::build {

namespace fs = std::filesystem;

namespace {

struct Answer {
    bool ok = false;
    std::string out, words;  // stdout; the end of stderr
};

constexpr double git_time_limit_s = 600;  // a large checkout on a slow disk

Answer ask(const fs::path& folder, const std::vector<std::string>& arguments) {
    std::vector<std::string> argv = {"/usr/bin/env", "git", "-c", "core.hooksPath=/dev/null", "-C",
                                     folder.string()};
    argv.insert(argv.end(), arguments.begin(), arguments.end());
    Answer answer;
    run::Watch watch;
    watch.time_limit_s = git_time_limit_s;
    watch.on_out = [&](std::string_view chunk) { answer.out += chunk; };
    const run::Exit exit = run_process({argv, run::own_environment()}, watch);
    answer.ok = exit.end == run::End::exited && exit.exit_code == 0;
    answer.words = exit.stderr_tail;
    return answer;
}

std::string first_line(const std::string& text) {
    return text.substr(0, text.find('\n'));
}

std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

}  // namespace

std::optional<Git> Git::enclosing(const fs::path& folder) {
    const Answer answer = ask(folder, {"rev-parse", "--show-toplevel"});
    if (!answer.ok) return std::nullopt;
    return Git(first_line(answer.out));
}

std::optional<std::string> Git::commit_of(const std::string& ref) const {
    const Answer answer =
        ask(top_, {"rev-parse", "--verify", "--quiet", "--end-of-options", ref + "^{commit}"});
    if (!answer.ok) return std::nullopt;
    return first_line(answer.out);
}

std::vector<std::string> Git::some_refs(std::size_t most) const {
    return lines_of(
        ask(top_, {"for-each-ref", fmt::format("--count={}", most), "--sort=-committerdate",
                   "--format=%(refname:short)", "refs/heads", "refs/tags"})
            .out);
}

bool Git::is_clean() const {
    const Answer answer = ask(top_, {"status", "--porcelain", "--untracked-files=normal"});
    return answer.ok && answer.out.empty();
}

std::string Git::content_ids(const std::string& commit,
                             const std::vector<std::string>& paths) const {
    std::string ids;
    for (const std::string& path : paths) {
        const Answer answer = ask(top_, {"rev-parse", "--verify", "--quiet", commit + ":" + path});
        ids += (answer.ok ? first_line(answer.out) : "") + "\n";
    }
    return ids;
}

std::optional<std::string> Git::file_at(const std::string& commit, const std::string& path) const {
    const Answer answer = ask(top_, {"show", commit + ":" + path});
    if (!answer.ok) return std::nullopt;
    return answer.out;
}

void Git::add_worktree(const std::string& commit, const fs::path& folder) const {
    const Answer answer =
        ask(top_, {"worktree", "add", "--force", "--detach", folder.string(), commit});
    if (!answer.ok)
        throw GitError(
            fmt::format("git worktree add {} {}: {}", folder.string(), commit, answer.words));
}

void Git::remove_worktree(const fs::path& folder) const {
    try {
        ask(top_, {"worktree", "remove", "--force", folder.string()});
        std::error_code error;
        fs::remove_all(folder, error);
        ask(top_, {"worktree", "prune"});
    } catch (const std::exception&) {
        // What is left over is taken away before the next build of that commit.
    }
}

}  // namespace scenarios::build
