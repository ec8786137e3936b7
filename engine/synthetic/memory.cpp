// SPDX-License-Identifier: Apache-2.0
// Anonymous mappings, and how much there is for them.
#include "engine/synthetic/memory.h"

#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <limits>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>

namespace engine::synthetic {

namespace {

constexpr std::uint64_t no_limit = std::numeric_limits<std::uint64_t>::max();

// The number after `key` in a file of lines "key value kB".
std::optional<std::uint64_t> kibibytes(const char* file, const std::string& key) {
    std::ifstream stream(file);
    for (std::string line; std::getline(stream, line);) {
        std::uint64_t value = 0;
        if (line.starts_with(key) && std::istringstream(line.substr(key.size())) >> value) {
            return value * 1024;
        }
    }
    return std::nullopt;
}

std::optional<std::uint64_t> number_in(const std::string& file) {
    std::uint64_t value = 0;
    if (std::ifstream(file) >> value) return value;
    return std::nullopt;  // "max", or no such file
}

// cgroups(7), version 2: the tightest of the group and the groups above it.
std::uint64_t left_in_control_group() {
    std::ifstream stream("/proc/self/cgroup");
    std::uint64_t left = no_limit;
    for (std::string line; std::getline(stream, line);) {
        if (!line.starts_with("0::")) continue;
        for (std::string group = line.substr(3);; group.resize(group.rfind('/'))) {
            const std::string at = "/sys/fs/cgroup" + (group == "/" ? "" : group);
            const auto limit = number_in(at + "/memory.max");
            const auto used = number_in(at + "/memory.current");
            if (limit && used) left = std::min(left, *limit - std::min(*limit, *used));
            if (group.empty() || group.find('/') == std::string::npos) break;
        }
    }
    return left;
}

std::uint64_t left_of_address_space() {
    rlimit limit{};
    if (::getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return no_limit;
    const std::uint64_t used = kibibytes("/proc/self/status", "VmSize:").value_or(0);
    return limit.rlim_cur - std::min<std::uint64_t>(limit.rlim_cur, used);
}

}  // namespace

Mapping::Mapping(std::uint64_t bytes, Access access) {
    const int protection = access == Access::write ? PROT_READ | PROT_WRITE : PROT_READ;
    void* address =
        ::mmap(nullptr, bytes, protection, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (address == MAP_FAILED) {
        throw std::runtime_error(
            fmt::format("{} bytes of memory cannot be mapped: {}", bytes, std::strerror(errno)));
    }
    if (access == Access::write) ::madvise(address, bytes, MADV_HUGEPAGE);  // may be refused
    bytes_ = {static_cast<std::byte*>(address), bytes};
}

Mapping::~Mapping() {
    ::munmap(bytes_.data(), bytes_.size());
}

void Mapping::make_read_only() {
    ::mprotect(bytes_.data(), bytes_.size(), PROT_READ);
}

std::uint64_t available_bytes() {
    const std::uint64_t machine = kibibytes("/proc/meminfo", "MemAvailable:").value_or(no_limit);
    return std::min({machine, left_in_control_group(), left_of_address_space()});
}

}  // namespace engine::synthetic
