// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/proc_files.h"

#include <algorithm>
#include <charconv>
#include <fstream>
#include <sstream>
#include <vector>

namespace scenarios::run {

namespace {

template <class T>
std::optional<T> number(const std::string& text) {
    T value{};
    const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    if (error != std::errc() || stop == text.data()) return std::nullopt;
    return value;
}

// "key<space>: value" of /proc/cpuinfo and /proc/meminfo.
bool split_field(const std::string& line, std::string& key, std::string& value) {
    const auto colon = line.find(':');
    if (colon == std::string::npos) return false;
    key = line.substr(0, line.find_last_not_of(" \t", colon - (colon > 0)) + 1);
    const auto start = line.find_first_not_of(" \t", colon + 1);
    value = start == std::string::npos ? "" : line.substr(start);
    return true;
}

// x86-64 psABI micro-architecture levels, by the names /proc/cpuinfo uses (lzcnt is "abm", SSE3
// is "pni").
const std::vector<std::vector<std::string>> isa_levels = {
    {"cx16", "lahf_lm", "popcnt", "pni", "sse4_1", "sse4_2", "ssse3"},
    {"avx", "avx2", "bmi1", "bmi2", "f16c", "fma", "abm", "movbe", "xsave"},
    {"avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"},
};

}  // namespace

std::optional<std::string> read_text(const std::filesystem::path& file) {
    std::ifstream in(file);
    if (!in) return std::nullopt;
    std::ostringstream text;
    text << in.rdbuf();
    return text.str();
}

std::optional<CpuTicks> parse_stat(const std::string& proc_stat) {
    std::istringstream in(proc_stat);
    std::string label;
    if (!(in >> label) || label != "cpu") return std::nullopt;
    // user nice system idle iowait irq softirq steal; guest time is part of user time already.
    std::int64_t field[8] = {};
    int fields = 0;
    while (fields < 8 && in >> field[fields]) ++fields;
    if (fields < 4) return std::nullopt;
    CpuTicks ticks;
    for (const std::int64_t value : field) ticks.total += value;
    ticks.busy = ticks.total - field[3] - field[4];
    return ticks;
}

std::optional<std::int64_t> parse_process_ticks(const std::string& proc_pid_stat) {
    const auto after_name = proc_pid_stat.rfind(')');
    if (after_name == std::string::npos) return std::nullopt;
    std::istringstream in(proc_pid_stat.substr(after_name + 1));
    std::string skipped;
    for (int field = 3; field < 14; ++field) in >> skipped;
    std::int64_t user = 0, system = 0;
    if (!(in >> user >> system)) return std::nullopt;
    return user + system;
}

std::optional<double> parse_load_1m(const std::string& proc_loadavg) {
    return number<double>(proc_loadavg.substr(0, proc_loadavg.find(' ')));
}

std::optional<std::int64_t> parse_meminfo(const std::string& proc_meminfo,
                                          const std::string& field) {
    std::istringstream in(proc_meminfo);
    std::string line, key, value;
    while (std::getline(in, line)) {
        if (!split_field(line, key, value) || key != field) continue;
        const auto kib = number<std::int64_t>(value);
        return kib ? std::optional(*kib * 1024) : std::nullopt;
    }
    return std::nullopt;
}

CpuInfo parse_cpuinfo(const std::string& proc_cpuinfo) {
    CpuInfo info;
    std::istringstream in(proc_cpuinfo);
    std::string line, key, value;
    double mhz_sum = 0;
    int mhz_count = 0;
    while (std::getline(in, line)) {
        if (!split_field(line, key, value)) continue;
        if (key == "vendor_id" && info.vendor.empty()) info.vendor = value;
        if (key == "model name" && info.model_name.empty()) info.model_name = value;
        if (key == "cpu family" && !info.family) info.family = number<int>(value);
        if (key == "model" && !info.model) info.model = number<int>(value);
        if (key == "flags" && info.flags.empty()) {
            std::istringstream words(value);
            for (std::string word; words >> word;) info.flags.insert(word);
        }
        const auto mhz = key == "cpu MHz" ? number<double>(value) : std::nullopt;
        mhz_sum += mhz.value_or(0);
        mhz_count += mhz.has_value();
    }
    if (mhz_count > 0) info.mhz_mean = mhz_sum / mhz_count;
    return info;
}

std::string isa_level(const std::set<std::string>& flags) {
    int level = 1;
    for (const auto& needed : isa_levels) {
        const bool all = std::all_of(needed.begin(), needed.end(),
                                     [&](const auto& flag) { return flags.count(flag) != 0; });
        if (!all) break;
        ++level;
    }
    return "x86-64-v" + std::to_string(level);
}

}  // namespace scenarios::run
