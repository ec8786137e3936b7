// SPDX-License-Identifier: Apache-2.0
// The command line against what the subcommands take.
#pragma once

namespace CLI {
class App;
}

namespace scenarios::cli {

// Throws UsageError with the option, the value seen and the accepted form; CLI::Success when help
// or the version is asked for. An option's value that is empty, as that of an unset variable is, is
// never taken for the default.
void parse_arguments(CLI::App& app, int argc, char** argv);

}  // namespace scenarios::cli
