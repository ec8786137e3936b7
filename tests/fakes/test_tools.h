// SPDX-License-Identifier: Apache-2.0
// Tools that only tests need (ci/setup --tests). Without one a test is skipped; under ci/test,
// which sets TARE_REQUIRE_TEST_TOOLS, it fails.
#pragma once

#include <gtest/gtest.h>

#include <cstdlib>
#include <filesystem>
#include <string>

#include "tests/fakes/run_process.h"

namespace fakes {

inline const std::string test_python = TARE_SOURCE_DIR "/build/test-python/bin/python";

// Why the tools cannot be used; empty: they can. `module` is a package of ci/test-wheels.txt.
inline std::string missing_tools(const std::string& module, bool browser) {
    if (!std::filesystem::exists(test_python)) return test_python + " is not there";
    if (!module.empty() && run({test_python, "-c", "import " + module}).exit_code != 0) {
        return "Python package " + module + " is not there";
    }
    if (browser && run({"chromium-headless-shell", "--version"}).exit_code != 0) {
        return "chromium-headless-shell is not there";
    }
    return {};
}

inline bool tools_are_required() {
    const char* required = std::getenv("TARE_REQUIRE_TEST_TOOLS");
    return required != nullptr && std::string(required) == "1";
}

}  // namespace fakes
