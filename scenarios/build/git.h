// SPDX-License-Identifier: Apache-2.0
// The few questions an A/B asks git, and worktrees to build refs in.
#pragma once

#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

namespace scenarios::build {

// The message holds git's own last words.
struct GitError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class Git {
  public:
    // Top of the checkout that encloses `folder`; nullopt: there is none (or no git).
    static std::optional<Git> enclosing(const std::filesystem::path& folder);

    const std::filesystem::path& top() const { return top_; }

    // Full hash of the commit that `ref` names; nullopt: no such commit.
    std::optional<std::string> commit_of(const std::string& ref) const;

    // Refs whose names a message may offer: branches and tags, at most `most`.
    std::vector<std::string> some_refs(std::size_t most) const;

    // Nothing that git tracks was changed and nothing untracked lies about, ignored files apart.
    bool is_clean() const;

    // Object ids of `paths` at `commit`, one a line: equal text is equal content. A path that is
    // not there gives an empty line.
    std::string content_ids(const std::string& commit, const std::vector<std::string>& paths) const;

    // The file's text at `commit`; nullopt: not there.
    std::optional<std::string> file_at(const std::string& commit, const std::string& path) const;

    // A checkout of `commit` at `folder`, which must not exist. Throws GitError.
    void add_worktree(const std::string& commit, const std::filesystem::path& folder) const;

    // Also when it is half made or its folder is gone. Never throws.
    void remove_worktree(const std::filesystem::path& folder) const;

  private:
    explicit Git(std::filesystem::path top) : top_(std::move(top)) {}

    std::filesystem::path top_;
};

}  // namespace scenarios::build
