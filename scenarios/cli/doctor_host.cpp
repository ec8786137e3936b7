// SPDX-License-Identifier: Apache-2.0
// Doctor: the processor, how quiet it is, and its clock.
#include <chrono>
#include <thread>

#include <fmt/format.h>

#include "scenarios/cli/capability.h"
#include "scenarios/cli/table.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/conditions.h"
#include "scenarios/run/machine.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr double noisy_share = 0.10;   // of all cores, taken by others
constexpr double slow_stamp_ns = 100;  // a range takes two stamps
constexpr std::int64_t enough_memory_bytes = std::int64_t{1} << 30;

std::string text_of(const fs::path& file) {
    return run::read_text(file).value_or("");
}

Capability processor(const Surroundings& where) {
    const run::CpuInfo cpu = run::parse_cpuinfo(text_of(where.proc / "cpuinfo"));
    const std::string level = run::isa_level(cpu.flags);
    const bool avx2 = cpu.flags.count("avx2") != 0 && cpu.flags.count("fma") != 0;
    Capability out{
        .name = "processor",
        .seen = fmt::format("{}, {}", cpu.model_name.empty() ? "unknown" : cpu.model_name, level),
        .enables = avx2 ? "the engine's AVX2 code paths" : "the engine's baseline code paths"};
    if (!avx2) {
        out.status = Status::limited;
        out.fix =
            "none on this processor: AVX2 and FMA are not among its flags; results are the same, "
            "slower";
    }
    return out;
}

Capability cores() {
    const int count = run::usable_cores();
    Capability out{.name = "cores",
                   .seen = fmt::format("{} usable by this process", count),
                   .enables = "threads of the engine"};
    if (count < 2) {
        out.status = Status::limited;
        out.fix = "a second core keeps the harness off the engine's; check the affinity (taskset)";
    }
    return out;
}

std::optional<double> share_of_others(const Surroundings& where) {
    const auto before = run::parse_stat(text_of(where.proc / "stat"));
    std::this_thread::sleep_for(std::chrono::milliseconds(300));
    const auto after = run::parse_stat(text_of(where.proc / "stat"));
    return before && after ? run::other_share(*before, *after, 0) : std::nullopt;
}

Capability load(const Surroundings& where) {
    const auto load_1m = run::parse_load_1m(text_of(where.proc / "loadavg"));
    const auto share = share_of_others(where);
    Capability out{
        .name = "load now",
        .seen = fmt::format("load {}, other processes take {} of the cores",
                            load_1m ? fmt::format("{:.2f}", *load_1m) : "unknown",
                            share ? fmt::format("{:.0f} %", *share * 100) : "an unknown share"),
        .enables = "quiet timings"};
    if (!share || *share > noisy_share) {
        out.status = Status::limited;
        out.fix = fmt::format("noisy: stop what else runs (limit {:.0f} %); every trial records it",
                              noisy_share * 100);
    }
    return out;
}

Capability memory(const Surroundings& where) {
    const std::string meminfo = text_of(where.proc / "meminfo");
    const auto total = run::parse_meminfo(meminfo, "MemTotal");
    const auto free = run::parse_meminfo(meminfo, "MemAvailable");
    const auto text = [](std::optional<std::int64_t> bytes) {
        return bytes ? mebibytes(static_cast<double>(*bytes)) : std::string("unknown");
    };
    Capability out{.name = "memory",
                   .seen = fmt::format("{} free of {}", text(free), text(total)),
                   .enables = "the small models (400 MiB)"};
    if (!free || *free < enough_memory_bytes) {
        out.status = Status::limited;
        out.fix = fmt::format("free memory up to {}; swapping makes every timing wrong",
                              mebibytes(static_cast<double>(enough_memory_bytes)));
    }
    return out;
}

Capability clock() {
    constexpr int stamps = 20'000;
    const std::int64_t start = run::raw_now_ns();
    for (int i = 0; i < stamps; ++i) run::raw_now_ns();
    const double each_ns = static_cast<double>(run::raw_now_ns() - start) / stamps;
    const auto source =
        run::read_text("/sys/devices/system/clocksource/clocksource0/current_clocksource");
    const std::string named = source ? source->substr(0, source->find('\n')) : "unknown";
    Capability out{
        .name = "clock",
        .seen = fmt::format("CLOCK_MONOTONIC_RAW from {}, {:.0f} ns a stamp", named, each_ns),
        .enables = "ranges without much cost"};
    if (each_ns > slow_stamp_ns) {
        out.status = Status::limited;
        out.fix = fmt::format(
            "a stamp above {:.0f} ns is a system call: a clock source of tsc or "
            "kvm-clock is read without one",
            slow_stamp_ns);
    }
    return out;
}

}  // namespace

Capabilities host_capabilities(const Surroundings& where) {
    return {processor(where), cores(), load(where), memory(where), clock()};
}

}  // namespace scenarios::cli
