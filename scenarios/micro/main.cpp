// SPDX-License-Identifier: Apache-2.0
// tare-micro: ops and the whole model under Google Benchmark, beside this machine's roofs.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <optional>
#include <string_view>

#include "engine/commands/engine.h"
#include "engine/commands/report_errors.h"
#include "engine/commands/usage_error.h"
#include "engine/commands/whole_number.h"
#include "engine/format/standard_streams.h"
#include "scenarios/micro/suite.h"

namespace {

namespace fs = std::filesystem;
namespace commands = engine::commands;
using commands::UsageError;

constexpr auto name = "tare-micro";
constexpr int exit_invalid = 4;

constexpr std::string_view help =
    "tare-micro [--model DIR]... [--tokens-file FILE] [--threads N] [--benchmark_*...]\n\n"
    "Ops and the whole model under Google Benchmark, beside this machine's copy and sgemm roofs.\n"
    "  --model DIR         Model folder, repeatable; default: small-bf16 and small-nvfp4 of the\n"
    "                      source tree that the program was built in. The first is run whole\n"
    "  --tokens-file FILE  Prompt of model/*; default: prompts/long4314.json beside the models\n"
    "  --threads N         Default: one per core\n\n"
    "Examples:\n"
    "  tare-micro --benchmark_filter='roof|model'\n"
    "  tare-micro --benchmark_filter=matmul_nvfp4 --benchmark_format=json\n\n";

// Google Benchmark's own options are left to it.
scenarios::micro::Suite parse(int argc, char** argv) {
    scenarios::micro::Suite suite;
    for (int i = 1; i < argc; i += 2) {
        const std::string_view option = argv[i];
        if (i + 1 == argc) {
            throw UsageError(
                fmt::format("{}: no such option, or its value is missing; see --help", option));
        }
        const std::string value = argv[i + 1];
        if (option == "--model") {
            suite.model_folders.emplace_back(value);
        } else if (option == "--tokens-file") {
            suite.tokens_file = value;
        } else if (option == "--threads") {
            suite.threads = commands::whole_number(option, value, commands::thread_bounds);
        } else {
            throw UsageError(fmt::format("{}: no such option; see --help", option));
        }
    }
    return suite;
}

// build/<preset>/bin/tare-micro lies three folders below the source tree.
fs::path shipped_models() {
    return fs::weakly_canonical(fs::read_symlink("/proc/self/exe").parent_path() /
                                "../../../scenarios/models");
}

void fill_defaults(scenarios::micro::Suite& suite) {
    if (suite.model_folders.empty()) {
        suite.model_folders = {shipped_models() / "small-bf16", shipped_models() / "small-nvfp4"};
    }
    if (suite.tokens_file.empty()) {
        const auto models = fs::weakly_canonical(suite.model_folders.front()).parent_path();
        suite.tokens_file = (models.parent_path() / "prompts/long4314.json").string();
    }
    for (const auto& folder : suite.model_folders) {
        commands::EngineOptions options;
        options.model = folder.string();
        suite.models.push_back(commands::open_model(options));
    }
}

int run(int argc, char** argv) {
    for (int i = 1; i < argc; ++i) {
        if (std::string_view(argv[i]) == "--help") {
            fmt::print("{}", help);
        }
    }
    benchmark::Initialize(&argc, argv);  // takes its options out; --help ends here
    auto suite = parse(argc, argv);
    fill_defaults(suite);
    scenarios::micro::register_roofs(suite);
    scenarios::micro::register_all(suite);
    benchmark::RunSpecifiedBenchmarks();
    scenarios::micro::print_summary(suite);
    benchmark::Shutdown();
    return 0;
}

// Google Benchmark ends its --help by exit(), and runs on when its reader is gone.
void notice_lost_output() {
    std::atexit([] {
        if (const int code = engine::format::exit_code_of_output(name, 0); code != 0) ::_exit(code);
    });
    std::signal(SIGPIPE, [](int) { ::_exit(exit_invalid); });
}

}  // namespace

int main(int argc, char** argv) {
    engine::format::open_standard_streams();
    notice_lost_output();
    return commands::report_errors(name, [&] { return run(argc, argv); });
}
