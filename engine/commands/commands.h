// SPDX-License-Identifier: Apache-2.0
// The subcommands of tare-engine, one file each.
#pragma once

#include <functional>

namespace CLI {
class App;
}

namespace engine::commands {

struct Command {
    CLI::App* options = nullptr;  // owned by the parser
    std::function<int()> run;     // returns the exit code; throws UsageError and others
};

Command add_generate(CLI::App& app);
Command add_score(CLI::App& app);
Command add_bench(CLI::App& app);
Command add_check(CLI::App& app);
Command add_info(CLI::App& app);
Command add_roof(CLI::App& app);
Command add_synth(CLI::App& app);
Command add_tokenize(CLI::App& app);
Command add_detokenize(CLI::App& app);

}  // namespace engine::commands
