// SPDX-License-Identifier: Apache-2.0
// Asks the engine what it is, before the plan is written: its hello line from the shortest bench.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/run/hello.h"
#include "scenarios/run/run.h"

namespace scenarios::run {

constexpr double greeting_time_limit_s = 10;

struct Greeting {
    std::optional<Hello> hello;
    std::string end;           // why the process did not end as it should; empty when it did
    bool interrupted = false;  // by stop_fd
    double seconds = 0;        // from start to end of the process

    std::string no_hello() const;  // the reason to record when there is none
};

// Of any command line; `environment` is on top of the caller's.
Greeting greet_with(const std::vector<std::string>& argv,
                    const std::map<std::string, std::string>& environment,
                    double time_limit_s,
                    int stop_fd,
                    const std::string& directory = {});

// Uses the engine, model, backend and threads of `options`. stop_fd -1: cannot be interrupted.
Greeting greet(const Options& options, double time_limit_s, int stop_fd);

}  // namespace scenarios::run
