// SPDX-License-Identifier: Apache-2.0
// `tare-engine roof`: what this machine can do at best.
#include "engine/cpu/roof.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/commands/commands.h"
#include "engine/commands/json_text.h"
#include "engine/commands/number_option.h"
#include "engine/commands/options.h"
#include "engine/commands/output.h"

namespace engine::commands {
namespace {

int run(const EngineOptions& options) {
    const auto roof = cpu::measure_roof(options.threads);
    if (options.json) {
        print_line(json_text(nlohmann::ordered_json{{"copy_bytes_per_s", roof.copy_bytes_per_s},
                                                    {"flops_per_s", roof.flops_per_s},
                                                    {"threads", roof.threads},
                                                    {"how", roof.how}}));
    } else {
        print_line(fmt::format("copy  {:8.2f} GB/s\nsgemm {:8.2f} GFLOP/s\n{}",
                               roof.copy_bytes_per_s / 1e9, roof.flops_per_s / 1e9, roof.how));
    }
    return 0;
}

}  // namespace

Command add_roof(CLI::App& app) {
    auto options = std::make_shared<EngineOptions>();
    auto* sub = app.add_subcommand("roof", "Measure this machine: copy bandwidth and float32 rate");
    add_number(*sub, "--threads", options->threads, thread_bounds,
               "Threads; default: one per core");
    add_json_option(*sub, *options);
    sub->footer("Example:\n  tare-engine roof --json");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
