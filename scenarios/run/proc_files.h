// SPDX-License-Identifier: Apache-2.0
// Facts from /proc as plain values. Every parser takes the file's text, so tests need no machine.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <set>
#include <string>

namespace scenarios::run {

std::optional<std::string> read_text(const std::filesystem::path& file);

// First line of /proc/stat, in clock ticks over all cores since boot.
struct CpuTicks {
    std::int64_t busy = 0;
    std::int64_t total = 0;
};

std::optional<CpuTicks> parse_stat(const std::string& proc_stat);

// user + system ticks of one process, from /proc/<pid>/stat (the command name may hold anything).
std::optional<std::int64_t> parse_process_ticks(const std::string& proc_pid_stat);

std::optional<double> parse_load_1m(const std::string& proc_loadavg);

// A field of /proc/meminfo ("MemTotal", "MemAvailable"), in bytes.
std::optional<std::int64_t> parse_meminfo(const std::string& proc_meminfo,
                                          const std::string& field);

// First processor of /proc/cpuinfo.
struct CpuInfo {
    std::string vendor, model_name;
    std::optional<int> family, model;
    std::set<std::string> flags;
    std::optional<double> mhz_mean;  // over all processors; null: the file does not say
};

CpuInfo parse_cpuinfo(const std::string& proc_cpuinfo);

// Highest level of the x86-64 psABI whose instructions are all there: "x86-64-v3".
std::string isa_level(const std::set<std::string>& flags);

}  // namespace scenarios::run
