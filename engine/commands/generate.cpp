// SPDX-License-Identifier: Apache-2.0
// `tare-engine generate`: greedy continuation of a prompt of token ids.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/commands/commands.h"
#include "engine/commands/greedy.h"
#include "engine/commands/output.h"

namespace engine::commands {
namespace {

struct GenerateOptions : EngineOptions {
    std::int64_t max_tokens = 0;
    bool ignore_eos = false;
};

struct Generated {
    std::vector<std::int32_t> tokens;
    std::vector<double> margins;
    bool stopped = false;  // by a stop id, which is the last token
    double prefill_s = 0;
    double decode_s = 0;
};

Generated generate(const GenerateOptions& options, Engine& engine) {
    Generated result;
    const auto& stops = engine.model->stop_ids();
    const auto take = [&](const model::Pick& pick) {
        result.tokens.push_back(pick.token);
        result.margins.push_back(pick.margin);
        result.stopped =
            !options.ignore_eos && std::find(stops.begin(), stops.end(), pick.token) != stops.end();
        return !result.stopped;
    };
    Greedy greedy(engine);
    result.prefill_s = greedy.prefill(engine.prompt.ids, 0).seconds();
    if (take(greedy.pick()) && options.max_tokens > 1) {
        result.decode_s = greedy.decode(options.max_tokens - 1, 0, take).seconds();
    }
    engine.tracer.faults().flip_tokens(0, engine.vocab, result.tokens);
    return result;
}

void print_summary(const Generated& result, const Engine& engine) {
    print_line(fmt::format("{}", fmt::join(result.tokens, ",")));
    const auto steps = static_cast<double>(result.tokens.size() - 1);
    print_line(fmt::format(
        "{} prompt tokens in {:.3f} s; {} tokens, {}; {}", engine.prompt.ids.size(),
        result.prefill_s, result.tokens.size(),
        result.stopped ? "ended by a stop token" : "ended by --max-tokens",
        steps > 0 ? fmt::format("{:.1f} tokens/s", steps / result.decode_s) : "no decode step"));
}

int run(const GenerateOptions& options) {
    // The last token is never fed back, so it needs no position of its own.
    const auto engine = open_engine(options, options.max_tokens - 1);
    const auto result = generate(options, *engine);
    check_faults_struck(*engine);
    if (options.json) {
        print_line(nlohmann::ordered_json{{"prompt_tokens", engine->prompt.ids},
                                          {"tokens", result.tokens},
                                          {"margins", result.margins},
                                          {"text", nullptr},
                                          {"stop_reason", result.stopped ? "stop" : "length"}}
                       .dump());
    } else {
        print_summary(result, *engine);
    }
    return 0;
}

}  // namespace

Command add_generate(CLI::App& app) {
    auto options = std::make_shared<GenerateOptions>();
    auto* sub = app.add_subcommand("generate", "Continue a prompt of token ids, greedily");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    sub->add_option("--max-tokens", options->max_tokens, "Tokens to generate at most")
        ->required()
        ->check(CLI::Range(std::int64_t{1}, std::int64_t{1} << 40))
        ->type_name("N");
    sub->add_flag("--ignore-eos", options->ignore_eos,
                  "Go on after a stop id of generation_config.json. Without it the stop token is "
                  "the last one output, with stop_reason \"stop\"");
    add_backend_options(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "Examples:\n"
        "  tare-engine generate --model scenarios/models/small-bf16 --tokens 1,45,81 "
        "--max-tokens 16 --json\n"
        "  tare-engine generate --model scenarios/models/small-nvfp4 \\\n"
        "      --tokens-file scenarios/prompts/long256.json --max-tokens 64 --ignore-eos");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
