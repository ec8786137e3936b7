// SPDX-License-Identifier: Apache-2.0
// What every subcommand gets and gives back.
#pragma once

#include <filesystem>
#include <functional>
#include <stdexcept>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace scenarios::cli {

// Exit codes of every subcommand.
enum ExitCode : int {
    pass = 0,
    regressed = 1,
    usage = 2,
    inconclusive = 3,
    invalid = 4,
    interrupted = 130
};

// What a person has to correct on the command line or in a file it names: exit code 2.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

struct Context {
    std::vector<std::string> command_line;  // argv of this process
    std::filesystem::path executable;       // of this process
    std::function<int()> action;            // set by the subcommand that was named
};

// Each adds one subcommand with its options and examples.
void add_run(CLI::App& app, Context& context);
void add_ab(CLI::App& app, Context& context);
void add_gate(CLI::App& app, Context& context);
void add_calibrate(CLI::App& app, Context& context);
void add_explain(CLI::App& app, Context& context);
void add_build(CLI::App& app, Context& context);
void add_report(CLI::App& app, Context& context);
void add_list(CLI::App& app, Context& context);
void add_show(CLI::App& app, Context& context);
void add_compare(CLI::App& app, Context& context);
void add_prune(CLI::App& app, Context& context);
void add_store(CLI::App& app, Context& context);
void add_export(CLI::App& app, Context& context);
void add_stats(CLI::App& app, Context& context);
void add_doctor(CLI::App& app, Context& context);
void add_init(CLI::App& app, Context& context);

}  // namespace scenarios::cli
