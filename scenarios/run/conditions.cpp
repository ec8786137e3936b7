// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/conditions.h"

#include <algorithm>

#include <nlohmann/json.hpp>

#include "scenarios/run/clock.h"

namespace scenarios::run {

Sampler::Sampler(std::filesystem::path proc) : proc_(std::move(proc)) {}

std::optional<std::int64_t> Sampler::own_ticks(pid_t process) const {
    const auto theirs = read_text(proc_ / std::to_string(process) / "stat");
    const auto ours = read_text(proc_ / "self" / "stat");
    if (!theirs || !ours) return std::nullopt;
    const auto a = parse_process_ticks(*theirs), b = parse_process_ticks(*ours);
    return a && b ? std::optional(*a + *b) : std::nullopt;
}

std::vector<reports::Condition> Sampler::sample(pid_t process) {
    const std::int64_t now = raw_now_ns();
    std::vector<reports::Condition> out;
    const auto add = [&](const char* name, std::optional<double> value, const char* unit) {
        if (value) out.push_back({now, name, *value, unit});
    };
    if (const auto text = read_text(proc_ / "loadavg"))
        add("load_1m", parse_load_1m(*text), "processes");
    const bool clock_too = samples_++ % samples_per_clock == 0;
    if (const auto text = clock_too ? read_text(proc_ / "cpuinfo") : std::nullopt)
        add("cpu_mhz_mean", parse_cpuinfo(*text).mhz_mean, "MHz");
    const auto stat = read_text(proc_ / "stat");
    const auto cpu = stat ? parse_stat(*stat) : std::nullopt;
    const auto own = own_ticks(process);
    if (cpu && own) {
        if (before_)
            add("cpu_busy_other_share", other_share(before_->cpu, *cpu, *own - before_->own),
                "share");
        before_ = Seen{*cpu, *own};
    }
    return out;
}

std::optional<double> other_share(const CpuTicks& before,
                                  const CpuTicks& after,
                                  std::int64_t own_ticks) {
    const std::int64_t total = after.total - before.total;
    if (total <= 0) return std::nullopt;
    const std::int64_t other = after.busy - before.busy - own_ticks;
    return std::clamp(static_cast<double>(other) / static_cast<double>(total), 0.0, 1.0);
}

std::string condition_line(const reports::Condition& condition) {
    const nlohmann::json line = {{"raw_ns", condition.raw_ns},
                                 {"name", condition.name},
                                 {"value", condition.value},
                                 {"unit", condition.unit}};
    return line.dump() + "\n";
}

}  // namespace scenarios::run
