// SPDX-License-Identifier: Apache-2.0
// Runs the real tare with a store, a scenario and a fake engine of the test's own.
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/run_process.h"
#include "tests/fakes/temporary.h"

namespace fakes {

// What tests of tare share: its binary, a temporary store, a scenario of three tokens.
class Tare {
  public:
    Tare() {
        folder_.write("m/config.json", R"({"vocab_size": 50})");
        folder_.write("p.json", "[1, 2, 3]");
        scenario = folder_
                       .write("tiny.toml",
                              "name = \"tiny\"\nmodel = \"m\"\nworkload = \"prefill\"\n"
                              "rounds = 2\nprofiled_rounds = 0\ntime_limit_s = 20\n"
                              "[prompt]\nfile = \"p.json\"\n")
                       .string();
        store = (folder_.path() / "store").string();
    }

    static std::string binary() { return TARE_BUILD_DIR "/bin/tare"; }

    static std::string engine() { return TARE_BUILD_DIR "/tests/fakes/fake-engine"; }

    static std::string shipped(const std::string& name) {
        return TARE_SOURCE_DIR "/scenarios/" + name + ".toml";
    }

    // tare ARGUMENTS --store <temporary>, with more environment.
    Result operator()(std::vector<std::string> arguments,
                      std::vector<std::pair<std::string, std::string>> env = {}) const {
        arguments.insert(arguments.begin(), binary());
        arguments.insert(arguments.end(), {"--store", store});
        return run(arguments, {.env = std::move(env)});
    }

    // tare run <tiny> with the fake engine behaving as `how`.
    Result run_fake(const std::string& how,
                    std::vector<std::string> more = {},
                    std::vector<std::pair<std::string, std::string>> env = {}) const {
        more.insert(more.begin(), {"run", scenario, "--engine", engine()});
        env.insert(env.end(), {{"FAKE_ENGINE", how}, {"FAKE_ENGINE_LOG", log()}});
        return (*this)(more, std::move(env));
    }

    // One line of the scenario replaced: key = value.
    void set(const std::string& key, const std::string& value) const {
        std::ifstream in(scenario);
        std::string text, line;
        while (std::getline(in, line))
            text += (line.rfind(key + " =", 0) == 0 ? key + " = " + value : line) + "\n";
        std::ofstream(scenario) << text;
    }

    void add_to_scenario(const std::string& text) const {
        std::ofstream(scenario, std::ios::app) << text;
    }

    std::string log() const { return (folder_.path() / "engine.log").string(); }

    const TemporaryFolder& folder() const { return folder_; }

    std::string scenario, store;

  private:
    TemporaryFolder folder_;
};

}  // namespace fakes
