// SPDX-License-Identifier: Apache-2.0
// The environment of a process under test. A timed trial never sees the probe, even when the
// caller's own environment asks for one.
#pragma once

#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace scenarios::run {

// Profiled trials only: the probe, and the folder its capture goes to.
struct Observer {
    std::filesystem::path probe;
    std::filesystem::path capture_folder;
};

// A command's metric lines go to the file it names.
inline constexpr const char* result_file_variable = "TARE_RESULT_FILE";

bool is_of_the_probe(const std::string& variable);

// What is set beyond the caller's environment; empty without an observer.
std::map<std::string, std::string> probe_variables(const Observer& observer);

// `caller` ("KEY=value") without the probe's variables, with `arm` on top, then those of
// `observer`.
std::vector<std::string> process_environment(const std::vector<std::string>& caller,
                                             const std::optional<Observer>& observer,
                                             const std::map<std::string, std::string>& arm = {});

// This process's own environment, as "KEY=value".
std::vector<std::string> own_environment();

// Those of `environment` that can change what is measured: loader, allocator, threads, CUDA.
std::map<std::string, std::string> that_matters(const std::vector<std::string>& environment);

}  // namespace scenarios::run
