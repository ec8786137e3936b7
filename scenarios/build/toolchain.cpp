// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/toolchain.h"

#include <cstdlib>
#include <vector>

#include "scenarios/build/shell_words.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/process.h"

namespace scenarios::build {

namespace {

const std::vector<const char*> steering = {"CC",     "CXX",       "CUDACXX",        "CPPFLAGS",
                                           "CFLAGS", "CXXFLAGS",  "LDFLAGS",        "CUDAFLAGS",
                                           "LD",     "CUDA_HOME", "TARE_CUDA_HOME", "TARE_CUDA"};

// First line of what `program --version` prints; empty when it cannot be run.
std::string version_of(const std::vector<std::string>& program) {
    std::vector<std::string> argv = {"/usr/bin/env"};
    argv.insert(argv.end(), program.begin(), program.end());
    argv.push_back("--version");
    std::string out;
    run::Watch watch;
    watch.time_limit_s = 10;
    watch.on_out = [&](std::string_view chunk) { out += chunk; };
    const run::Exit exit = run::run_process({argv, run::own_environment()}, watch);
    if (exit.end != run::End::exited || exit.exit_code != 0) return "";
    // nvcc has its release in the line before the last, others all they say in the first.
    const auto release = out.find("release ");
    if (release != std::string::npos && out.rfind("nvcc", 0) == 0)
        return out.substr(release, out.find('\n', release) - release);
    return out.substr(0, out.find('\n'));
}

std::string value_of(const std::string& name,
                     const std::map<std::string, std::string>& environment) {
    if (const auto found = environment.find(name); found != environment.end()) return found->second;
    const char* value = std::getenv(name.c_str());
    return value == nullptr ? "" : value;
}

// $CXX may hold a launcher: "ccache g++".
std::vector<std::string> words_or(const std::string& value, const char* otherwise) {
    try {
        const auto words = shell_words(value);
        if (!words.empty()) return words;
    } catch (const ShellSyntax&) {
        // The build will say what it thinks of it.
    }
    return {otherwise};
}

}  // namespace

Toolchain find_toolchain(const std::map<std::string, std::string>& environment) {
    Toolchain out;
    for (const char* name : steering)
        if (const std::string value = value_of(name, environment); !value.empty())
            out.variables[name] = value;
    const std::map<std::string, std::vector<std::string>> programs = {
        {"cc", words_or(value_of("CC", environment), "cc")},
        {"c++", words_or(value_of("CXX", environment), "c++")},
        {"nvcc", words_or(value_of("CUDACXX", environment), "nvcc")},
        {"cmake", {"cmake"}},
        {"ld", {"ld"}}};
    for (const auto& [name, program] : programs)
        if (const std::string version = version_of(program); !version.empty())
            out.versions[name] = version;
    return out;
}

std::string to_text(const Toolchain& toolchain) {
    std::string text;
    for (const auto& [name, value] : toolchain.versions) text += name + ": " + value + "\n";
    for (const auto& [name, value] : toolchain.variables) text += name + "=" + value + "\n";
    return text;
}

}  // namespace scenarios::build
