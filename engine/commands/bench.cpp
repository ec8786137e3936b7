// SPDX-License-Identifier: Apache-2.0
// `tare-engine bench`: measured phases for a harness, in the lines of protocol 1.
#include "engine/commands/bench.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>

#include "engine/commands/commands.h"
#include "engine/commands/number_option.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

void check_workload(const BenchOptions& options) {
    const int chosen = int{options.prefill} + int{options.score} + int{options.decode > 0};
    if (chosen != 1) {
        throw UsageError(
            fmt::format("bench: {} given; choose what to measure by one of --prefill, --decode N "
                        "and --score",
                        chosen == 0 ? "none was" : fmt::format("{} were", chosen)));
    }
}

int run(BenchOptions options) {
    check_workload(options);
    options.several_texts = options.score;
    const auto engine = open_engine(options, options.decode);
    if (options.score) {
        bench_score(options, *engine);
    } else {
        bench_greedy(options, *engine);
    }
    return 0;
}

void add_workloads(CLI::App& sub, BenchOptions& options) {
    sub.add_flag("--prefill", options.prefill, "Measure the prefill of the prompt");
    add_number(sub, "--decode", options.decode, most_tokens,
               "Measure a prefill, then N greedy steps");
    sub.add_flag("--score", options.score,
                 "Measure the scoring of texts, each from an empty sequence; --tokens-file may "
                 "hold a JSON list of objects {\"name\":\"…\",\"tokens\":[…]}");
}

}  // namespace

Command add_bench(CLI::App& app) {
    auto options = std::make_shared<BenchOptions>();
    auto* sub = app.add_subcommand("bench",
                                   "Measure prefill, decode or scoring for a harness (protocol 1)");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    add_workloads(*sub, *options);
    constexpr std::int64_t most_repeats = 1'000'000;
    add_number(*sub, "--reps", options->reps, Bounds<std::int64_t>{1, most_repeats},
               "Measured repeats (default 5)");
    add_number(*sub, "--warm-up", options->warm_up, Bounds<std::int64_t>{0, most_repeats},
               "Repeats with other tokens first (default 1)");
    add_backend_options(*sub, *options);
    add_chunk_option(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "Greedy decode never stops at the end of the text here.\n"
        "Examples:\n"
        "  tare-engine bench --model scenarios/models/small-bf16 \\\n"
        "      --tokens-file scenarios/prompts/long4314.json --prefill --reps 3 --json\n"
        "  tare-engine bench --model scenarios/models/small-bf16 \\\n"
        "      --tokens 1,45,81 --decode 64 --fault 'delay:decode/step/*/norm:50'\n"
        "  tare-engine bench --model scenarios/models/small-bf16 \\\n"
        "      --tokens-file texts.json --score --reps 3 --json");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
