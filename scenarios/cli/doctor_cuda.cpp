// SPDX-License-Identifier: Apache-2.0
// Doctor: what there is of CUDA. Libraries are opened at run time: nothing here links them.
#include <unistd.h>

#include <array>
#include <cstdlib>
#include <optional>
#include <regex>

#include <fmt/format.h>

#include "scenarios/cli/capability.h"
#include "scenarios/cli/library.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/proc_files.h"
#include "scenarios/run/process.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr int oldest_toolkit_major = 13;

// Folders of CUDA toolkits, the one asked for first.
std::vector<fs::path> toolkits() {
    std::vector<fs::path> out;
    for (const char* variable : {"TARE_CUDA_HOME", "CUDA_HOME"})
        if (const char* value = std::getenv(variable); value != nullptr && *value != '\0')
            out.emplace_back(value);
    out.emplace_back("/usr/local/cuda");
    return out;
}

std::string output_of(const fs::path& program, const std::string& argument) {
    std::string text;
    run::Watch watch;
    watch.time_limit_s = 5;
    watch.on_out = [&](std::string_view chunk) { text += chunk; };
    run::run_process({{program.string(), argument},
                      run::process_environment(run::own_environment(), std::nullopt)},
                     watch);
    return text;
}

Capability toolkit() {
    Capability out{.name = "CUDA toolkit", .enables = "building the programs under tests/gpu"};
    for (const fs::path& folder : toolkits()) {
        const fs::path nvcc = folder / "bin/nvcc";
        if (access(nvcc.c_str(), X_OK) != 0) continue;
        const std::string text = output_of(nvcc, "--version");
        std::smatch version;
        const bool known =
            std::regex_search(text, version, std::regex("release ([0-9]+)\\.([0-9]+)"));
        out.seen = fmt::format("{}, {}", nvcc.string(),
                               known ? "release " + version[1].str() + "." + version[2].str()
                                     : "which does not say its version");
        if (!known || std::stoi(version[1]) < oldest_toolkit_major) {
            out.status = Status::limited;
            out.fix = fmt::format("{}.0 or newer is needed; set TARE_CUDA_HOME to one",
                                  oldest_toolkit_major);
        }
        return out;
    }
    out.status = Status::missing;
    out.seen = "no nvcc in $TARE_CUDA_HOME, $CUDA_HOME or /usr/local/cuda";
    out.fix = "run ci/setup, or set TARE_CUDA_HOME to a toolkit of release 13.0 or newer";
    return out;
}

std::string version_text(int version) {  // 13000 is 13.0
    return fmt::format("{}.{}", version / 1000, version % 1000 / 10);
}

Capability missing_driver(Capability out, const std::string& seen) {
    out.status = Status::missing;
    out.seen = seen;
    out.fix =
        "install the NVIDIA driver and give this process its devices; the CPU product needs none";
    return out;
}

Capability driver() {
    Capability out{.name = "NVIDIA driver", .enables = "running CUDA programs under the probe"};
    const Library cuda({"libcuda.so.1"});
    const auto init = cuda.function<int(unsigned)>("cuInit");
    const auto get_version = cuda.function<int(int*)>("cuDriverGetVersion");
    const auto get_count = cuda.function<int(int*)>("cuDeviceGetCount");
    const auto get_name = cuda.function<int(char*, int, int)>("cuDeviceGetName");
    if (!cuda || init == nullptr || get_version == nullptr || get_count == nullptr ||
        get_name == nullptr)
        return missing_driver(out, cuda.error());
    int version = 0, count = 0;
    if (const int code = init(0); code != 0)
        return missing_driver(out,
                              fmt::format("libcuda.so.1 is there, cuInit gives error {}", code));
    get_version(&version);
    get_count(&count);
    out.seen = fmt::format("CUDA {}, {} devices", version_text(version), count);
    for (int device = 0; device < count; ++device) {
        std::array<char, 256> device_name{};
        if (get_name(device_name.data(), static_cast<int>(device_name.size()) - 1, device) == 0)
            out.seen += fmt::format("; {}: {}", device, device_name.data());
    }
    if (count == 0) {
        out.status = Status::limited;
        out.fix =
            "the driver sees no device; check CUDA_VISIBLE_DEVICES and the container's devices";
    }
    return out;
}

Capability nvml() {
    Capability out{.name = "NVML", .enables = "GPU clocks, power and temperature as conditions"};
    const Library library({"libnvidia-ml.so.1"});
    const auto init = library.function<int()>("nvmlInit_v2");
    const auto shutdown = library.function<int()>("nvmlShutdown");
    const auto version = library.function<int(char*, unsigned)>("nvmlSystemGetDriverVersion");
    if (!library || init == nullptr || shutdown == nullptr || version == nullptr)
        return missing_driver(out, library.error());
    if (const int code = init(); code != 0)
        return missing_driver(
            out, fmt::format("libnvidia-ml.so.1 is there, nvmlInit gives error {}", code));
    std::array<char, 96> text{};
    out.seen = version(text.data(), static_cast<unsigned>(text.size()) - 1) == 0
                   ? fmt::format("driver {}", text.data())
                   : std::string("there, driver version unknown");
    shutdown();
    return out;
}

Capability cupti() {
    Capability out{.name = "CUPTI",
                   .enables = "nothing yet: this version's probe records NVTX ranges only"};
    std::vector<std::string> names = {"libcupti.so.13"};
    for (const fs::path& folder : toolkits())
        for (const char* below : {"lib64", "lib", "extras/CUPTI/lib64"})
            names.push_back((folder / below / "libcupti.so.13").string());
    const Library library(names);
    const auto version = library.function<int(std::uint32_t*)>("cuptiGetVersion");
    std::uint32_t number = 0;
    if (version == nullptr || version(&number) != 0) {
        out.status = Status::missing;
        out.seen =
            library ? "libcupti.so.13 is there and gives no version" : "libcupti.so.13 not found";
        out.fix = "run ci/setup, or set TARE_CUDA_HOME to a toolkit with CUPTI of release 13";
        return out;
    }
    out.seen = fmt::format("API version {}", number);
    return out;
}

Capability counters(const Surroundings& where) {
    Capability out{.name = "GPU counters", .enables = "hardware counters of kernels"};
    const auto params = run::read_text(where.proc / "driver/nvidia/params");
    if (!params)
        return missing_driver(out,
                              "no NVIDIA kernel module: /proc/driver/nvidia/params is not there");
    const bool admin_only = params->find("RmProfilingAdminOnly: 1") != std::string::npos;
    const bool root = geteuid() == 0;
    out.seen =
        fmt::format("{}, this user is {}root",
                    admin_only ? "for administrators only" : "for everybody", root ? "" : "not ");
    if (admin_only && !root) {
        out.status = Status::limited;
        out.fix = "run as root, or load the module with NVreg_RestrictProfilingToAdminUsers=0";
    }
    return out;
}

}  // namespace

Capabilities cuda_capabilities(const Surroundings& where) {
    return {toolkit(), driver(), nvml(), cupti(), counters(where)};
}

}  // namespace scenarios::cli
