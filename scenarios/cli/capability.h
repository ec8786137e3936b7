// SPDX-License-Identifier: Apache-2.0
// What `tare doctor` looks at: one line per thing this machine can or cannot do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace scenarios::cli {

enum class Status : std::uint8_t { ok, limited, missing };
const char* name(Status status);

struct Capability {
    std::string name;
    Status status = Status::ok;
    std::string seen;     // what was found
    std::string enables;  // what it lets you do
    std::string fix;      // what would make it ok; empty when it is
    bool needed = false;  // the CPU product does not work without it
};

using Capabilities = std::vector<Capability>;

// Where doctor looks; tests give it other places.
struct Surroundings {
    std::filesystem::path executable;      // of tare
    std::filesystem::path engine;          // tare-engine
    std::optional<std::string> scenarios;  // --scenarios
    std::string store;                     // --store, or empty
    std::filesystem::path proc = "/proc";
};

Capabilities host_capabilities(const Surroundings& where);  // CPU, cores, load, memory, clock
Capabilities cuda_capabilities(
    const Surroundings& where);  // toolkit, driver, NVML, CUPTI, counters
Capabilities tare_capabilities(const Surroundings& where);  // engine, probe, models, store

}  // namespace scenarios::cli
