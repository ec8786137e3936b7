// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/command.h"

#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

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

std::string with_program(std::string word, const std::filesystem::path& program) {
    const std::string_view mark = plan::program_mark;
    for (auto at = word.find(mark); at != std::string::npos;) {
        word.replace(at, mark.size(), program.string());
        at = word.find(mark, at + program.string().size());
    }
    return word;
}

std::vector<std::string> foreign_command(const Options& options, const ArmUnderTest& arm) {
    std::vector<std::string> argv;
    for (const std::string& word : options.scenario.command)
        argv.push_back(with_program(word, arm.engine));
    argv[0] = program_of(argv[0], options.scenario.directory).string();
    append(argv, options.scenario.arguments);
    append(argv, arm.words.arguments);
    append(argv, options.engine_arguments);
    return argv;
}

}  // namespace

std::filesystem::path program_of(const std::string& word, const std::filesystem::path& directory) {
    if (word.find('/') != std::string::npos) return (directory / word).lexically_normal();
    const char* path = std::getenv("PATH");
    std::string_view rest = path == nullptr ? "/usr/bin:/bin" : path;
    while (!rest.empty()) {
        const auto end = rest.find(':');
        const auto file = std::filesystem::absolute(rest.substr(0, end)) / word;
        std::error_code error;
        if (std::filesystem::is_regular_file(file, error) && access(file.c_str(), X_OK) == 0)
            return file;
        rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + 1);
    }
    return directory / word;
}

std::vector<std::string> bench_command(const Options& options,
                                       const ArmUnderTest& arm,
                                       const std::string& prompt) {
    const plan::Scenario& scenario = options.scenario;
    if (scenario.workload == plan::Workload::command) return foreign_command(options, arm);
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
