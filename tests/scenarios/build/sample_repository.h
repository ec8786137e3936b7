// SPDX-License-Identifier: Apache-2.0
// A small git repository whose build copies a script: for tests of refs, worktrees and builds.
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>

#include "tests/fakes/temporary.h"

namespace tests {

class SampleRepository {
  public:
    SampleRepository() {
        git("init -q -b main");
        git("config user.email nobody@example.org");
        git("config user.name nobody");
    }

    const std::filesystem::path& top() const { return folder_.path(); }

    void write(const std::string& name, const std::string& text) const {
        std::filesystem::create_directories((top() / name).parent_path());
        std::ofstream(top() / name) << text;
    }

    // Commits everything; gives the full hash.
    std::string commit(const std::string& message) const {
        git("add -A");
        git("commit -q --allow-empty -m '" + message + "'");
        system("git -C '" + top().string() + "' rev-parse HEAD >'" +
               (out_.path() / "head").string() + "'");
        std::ifstream in(out_.path() / "head");
        std::string hash;
        in >> hash;
        return hash;
    }

    void git(const std::string& arguments) const {
        system("git -C '" + top().string() + "' " + arguments);
    }

  private:
    static void system(const std::string& command) {
        if (std::system(command.c_str()) != 0) throw std::runtime_error(command);
    }

    fakes::TemporaryFolder folder_, out_;
};

}  // namespace tests
