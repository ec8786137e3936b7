// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/greeting.h"

#include "scenarios/run/command.h"
#include "scenarios/run/environment.h"
#include "scenarios/run/process.h"
#include "scenarios/run/trial.h"

namespace scenarios::run {

std::string Greeting::no_hello() const {
    return "the engine printed no hello line" + (end.empty() ? std::string() : ": " + end);
}

Greeting greet_with(const std::vector<std::string>& argv,
                    const std::map<std::string, std::string>& environment,
                    double time_limit_s,
                    int stop_fd,
                    const std::string& directory) {
    Greeting greeting;
    Watch watch;
    watch.time_limit_s = time_limit_s;
    watch.stop_fd = stop_fd;
    watch.on_line = [&](std::string_view line) {
        if (!greeting.hello) greeting.hello = parse_hello(line);
    };
    const Exit exit = run_process(
        {argv, process_environment(own_environment(), std::nullopt, environment), directory},
        watch);
    greeting.end = describe_end(exit);
    greeting.interrupted = exit.end == End::stopped;
    greeting.seconds = static_cast<double>(exit.exit_raw_ns - exit.spawn_raw_ns) * 1e-9;
    return greeting;
}

Greeting greet(const Options& options, double time_limit_s, int stop_fd) {
    return greet_with(greeting_command(options), {}, time_limit_s, stop_fd);
}

}  // namespace scenarios::run
