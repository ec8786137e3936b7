// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/environment.h"

#include <unistd.h>

#include <algorithm>

namespace scenarios::run {

namespace {

// NVTX reads the 32-bit names in 32-bit processes only; they are cleared for completeness.
const std::vector<std::string> probe_keys = {"NVTX_INJECTION64_PATH", "NVTX_INJECTION32_PATH",
                                             "CUDA_INJECTION64_PATH", "CUDA_INJECTION32_PATH",
                                             "TARE_PROBE_OUT"};

const std::vector<std::string> prefixes_that_matter = {
    "LD_",   "MALLOC_", "GLIBC_TUNABLES", "OMP_",  "GOMP_", "KMP_",
    "CUDA_", "NVIDIA_", "NCCL_",          "NVTX_", "TARE_"};

std::string key_of(const std::string& entry) {
    return entry.substr(0, entry.find('='));
}

bool starts_with(const std::string& text, const std::string& prefix) {
    return text.compare(0, prefix.size(), prefix) == 0;
}

}  // namespace

bool is_of_the_probe(const std::string& variable) {
    return std::find(probe_keys.begin(), probe_keys.end(), variable) != probe_keys.end();
}

std::map<std::string, std::string> probe_variables(const Observer& observer) {
    const std::string probe = observer.probe.string();
    return {{"NVTX_INJECTION64_PATH", probe},
            {"CUDA_INJECTION64_PATH", probe},
            {"TARE_PROBE_OUT", observer.capture_folder.string()}};
}

std::vector<std::string> process_environment(const std::vector<std::string>& caller,
                                             const std::optional<Observer>& observer,
                                             const std::map<std::string, std::string>& arm) {
    std::vector<std::string> out;
    for (const std::string& entry : caller) {
        const std::string key = key_of(entry);
        const bool fault_without_probe = key == "TARE_PROBE_FAULT" && !observer;
        // A process under test that is no command must not write into somebody else's file.
        const bool of_another_run = key == result_file_variable;
        if (!is_of_the_probe(key) && !fault_without_probe && !of_another_run && arm.count(key) == 0)
            out.push_back(entry);
    }
    for (const auto& [key, value] : arm) out.push_back(key + "=" + value);
    if (observer)
        for (const auto& [key, value] : probe_variables(*observer))
            out.push_back(key + "=" + value);
    return out;
}

std::vector<std::string> own_environment() {
    std::vector<std::string> out;
    for (char** entry = environ; *entry != nullptr; ++entry) out.emplace_back(*entry);
    return out;
}

std::map<std::string, std::string> that_matters(const std::vector<std::string>& environment) {
    std::map<std::string, std::string> out;
    for (const std::string& entry : environment) {
        const std::string key = key_of(entry);
        const bool matters =
            std::any_of(prefixes_that_matter.begin(), prefixes_that_matter.end(),
                        [&](const auto& prefix) { return starts_with(key, prefix); });
        if (matters && entry.size() > key.size()) out[key] = entry.substr(key.size() + 1);
    }
    return out;
}

}  // namespace scenarios::run
