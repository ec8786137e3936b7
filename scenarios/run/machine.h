// SPDX-License-Identifier: Apache-2.0
// Which machine this is, and the class whose results may be compared with its own.
#pragma once

#include <filesystem>

#include "reports/records/run.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::run {

// "AuthenticAMD-25-17-x86-64-v3-2c": vendor, family, model, ISA level, cores. Safe as a folder
// name. An unknown part is "unknown".
std::string cpu_machine_class(const CpuInfo& cpu, int cores);

int usable_cores();  // of this process: its affinity, not the machine's total

reports::Machine observe_machine(const std::filesystem::path& proc = "/proc");

}  // namespace scenarios::run
