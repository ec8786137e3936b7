// SPDX-License-Identifier: Apache-2.0
// Watches the machine while a trial runs: host load, what other processes take, clock. Observed,
// never set; the same in every mode.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "reports/records/run.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::run {

// Far enough apart to cost a trial nothing and to see more than a few clock ticks pass.
constexpr std::int64_t sample_every_ns = 200'000'000;
// The clock is read at every fifth sample only: /proc/cpuinfo is long on a machine of many cores.
constexpr int samples_per_clock = 5;

class Sampler {
  public:
    explicit Sampler(std::filesystem::path proc = "/proc");

    // What is known now. `process` and this process are not "other". Shares need two samples, so
    // the first call of a trial has none.
    std::vector<reports::Condition> sample(pid_t process);

  private:
    std::optional<std::int64_t> own_ticks(pid_t process) const;

    struct Seen {
        CpuTicks cpu;
        std::int64_t own = 0;
    };

    std::filesystem::path proc_;
    std::optional<Seen> before_;
    int samples_ = 0;
};

// Share of the cores' time between two samples that neither idled nor went to us. nullopt: no
// tick passed.
std::optional<double> other_share(const CpuTicks& before,
                                  const CpuTicks& after,
                                  std::int64_t own_ticks);

// One line of <trial>.conditions, with its newline.
std::string condition_line(const reports::Condition& condition);

}  // namespace scenarios::run
