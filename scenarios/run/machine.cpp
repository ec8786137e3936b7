// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/machine.h"

#include <sched.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <algorithm>
#include <cctype>

#include <fmt/format.h>

namespace scenarios::run {

namespace {

std::string number_or_unknown(const std::optional<int>& number) {
    return number ? std::to_string(*number) : "unknown";
}

std::string hostname() {
    char name[256] = {};
    return gethostname(name, sizeof name - 1) == 0 ? name : "unknown";
}

std::string kernel_release() {
    utsname names{};
    return uname(&names) == 0 ? names.release : "unknown";
}

}  // namespace

std::string cpu_machine_class(const CpuInfo& cpu, int cores) {
    std::string vendor = cpu.vendor.empty() ? "unknown" : cpu.vendor;
    std::replace_if(
        vendor.begin(), vendor.end(), [](unsigned char c) { return !std::isalnum(c); }, '_');
    return fmt::format("{}-{}-{}-{}-{}c", vendor, number_or_unknown(cpu.family),
                       number_or_unknown(cpu.model), isa_level(cpu.flags), cores);
}

int usable_cores() {
    cpu_set_t set;
    CPU_ZERO(&set);
    if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set);
    return static_cast<int>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
}

reports::Machine observe_machine(const std::filesystem::path& proc) {
    reports::Machine machine;
    const CpuInfo cpu = parse_cpuinfo(read_text(proc / "cpuinfo").value_or(""));
    machine.hostname = hostname();
    machine.kernel = kernel_release();
    machine.cores = usable_cores();
    machine.machine_class = cpu_machine_class(cpu, machine.cores);
    machine.cpu_model = cpu.model_name;
    if (cpu.model_name.empty()) {
        machine.cpu_model = "unknown";
        machine.missing["cpu_model"] = (proc / "cpuinfo").string() + " does not name it";
    }
    const auto memory = parse_meminfo(read_text(proc / "meminfo").value_or(""), "MemTotal");
    machine.memory_bytes = memory.value_or(0);
    if (!memory) machine.missing["memory_bytes"] = (proc / "meminfo").string() + " has no MemTotal";
    for (const char* field : {"gpu_name", "gpu_uuid", "driver"})
        machine.missing[field] = "not looked for: the run's backend is cpu";
    return machine;
}

}  // namespace scenarios::run
