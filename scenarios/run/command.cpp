// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/command.h"

#include <algorithm>

#include <fmt/format.h>

namespace scenarios::run {

namespace {

void append(std::vector<std::string>& argv, const std::vector<std::string>& more) {
    argv.insert(argv.end(), more.begin(), more.end());
}

std::vector<std::string> common(const Options& options, const std::filesystem::path& engine) {
    std::vector<std::string> argv = {engine.string(), "bench",
                                     "--model",       options.scenario.model_folder.string(),
                                     "--backend",     options.scenario.backend,
                                     "--json"};
    if (options.threads) append(argv, {"--threads", std::to_string(*options.threads)});
    return argv;
}

}  // namespace

std::vector<std::string> bench_command(const Options& options,
                                       const ArmUnderTest& arm,
                                       const std::string& prompt) {
    const plan::Scenario& scenario = options.scenario;
    std::vector<std::string> argv = common(options, arm.engine);
    append(argv, {"--tokens-file", prompt});
    append(argv, {fmt::format("--{}", name(scenario.workload))});
    if (scenario.workload == plan::Workload::decode)
        append(argv, {std::to_string(scenario.decode_tokens)});
    append(argv, {"--reps", std::to_string(scenario.reps)});
    append(argv, {"--warm-up", std::to_string(scenario.warm_up)});
    append(argv, scenario.arguments);
    append(argv, arm.words.arguments);
    append(argv, options.engine_arguments);
    return argv;
}

std::vector<std::string> greeting_command(const Options& options) {
    std::vector<std::string> argv = common(options, options.engine);
    append(argv, {"--tokens", "1", "--prefill", "--reps", "1", "--warm-up", "0"});
    return argv;
}

bool plants_fault(const std::vector<std::string>& argv) {
    return std::any_of(argv.begin(), argv.end(), [](const std::string& argument) {
        return argument == "--fault" || argument.rfind("--fault=", 0) == 0;
    });
}

}  // namespace scenarios::run
