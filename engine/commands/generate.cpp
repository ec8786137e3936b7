// SPDX-License-Identifier: Apache-2.0
// `tare-engine generate`: greedy continuation of a prompt.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/commands/commands.h"
#include "engine/commands/greedy.h"
#include "engine/commands/json_text.h"
#include "engine/commands/number_option.h"
#include "engine/commands/output.h"
#include "engine/commands/text_source.h"

namespace engine::commands {
namespace {

struct GenerateOptions : EngineOptions {
    std::int64_t max_tokens = 0;
    bool ignore_eos = false;
};

struct Generated {
    std::vector<std::int32_t> tokens;
    std::optional<std::string> text;  // of the tokens, special ones left out
    std::vector<double> margins;
    bool stopped = false;  // by a stop id, which is the last token
    double prefill_s = 0;
    double decode_s = 0;
};

// Text on stdout as it becomes final.
class Printer {
  public:
    explicit Printer(const format::Tokenizer& tokenizer) : stream_(tokenizer, true) {}

    void push(std::int32_t token) { print_part(stream_.push(token)); }

    void finish() { print_line(stream_.finish()); }

  private:
    format::TextStream stream_;
};

Generated generate(const GenerateOptions& options, Engine& engine, Printer* printer) {
    Generated result;
    const auto& stops = engine.model->stop_ids();
    const auto take = [&](const model::Pick& pick) {
        result.tokens.push_back(pick.token);
        result.margins.push_back(pick.margin);
        if (printer != nullptr) printer->push(pick.token);
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
    const auto steps = static_cast<double>(result.tokens.size() - 1);
    say(fmt::format(
        "{} prompt tokens in {:.3f} s; {} tokens, {}; {}", engine.prompt.ids.size(),
        result.prefill_s, result.tokens.size(),
        result.stopped ? "ended by a stop token" : "ended by --max-tokens",
        steps > 0 ? fmt::format("{:.1f} tokens/s", steps / result.decode_s) : "no decode step"));
}

void print_json(const Generated& result, const Engine& engine) {
    using Json = nlohmann::ordered_json;
    print_line(json_text(Json{{"prompt_tokens", engine.prompt.ids},
                              {"tokens", result.tokens},
                              {"margins", result.margins},
                              {"text", result.text ? Json(*result.text) : Json(nullptr)},
                              {"stop_reason", result.stopped ? "stop" : "length"}}));
}

int run(const GenerateOptions& options) {
    // The last token is never fed back, so it needs no position of its own.
    const auto engine = open_engine(options, options.max_tokens - 1);
    const auto tokenizer = find_tokenizer(options.model);
    if (!tokenizer) {
        say(fmt::format("note: {} has no tokenizer.json: tokens, but no text", options.model));
    }
    // With a fault planted the text is known only at the end, when the fault has struck.
    std::optional<Printer> printer;
    if (tokenizer && !options.json && options.faults.empty()) printer.emplace(*tokenizer);
    auto result = generate(options, *engine, printer ? &*printer : nullptr);
    if (printer) printer->finish();
    check_faults_struck(*engine);
    if (tokenizer) result.text = tokenizer->decode(result.tokens, true);
    if (options.json) {
        print_json(result, *engine);
        return 0;
    }
    if (!printer)
        print_line(result.text.value_or(fmt::format("{}", fmt::join(result.tokens, ","))));
    print_summary(result, *engine);
    return 0;
}

}  // namespace

Command add_generate(CLI::App& app) {
    auto options = std::make_shared<GenerateOptions>();
    auto* sub = app.add_subcommand("generate", "Continue a prompt, greedily");
    add_model_option(*sub, *options);
    add_token_options(*sub, *options);
    add_number(*sub, "--max-tokens", options->max_tokens, most_tokens, "Tokens to generate at most")
        ->required();
    sub->add_flag("--ignore-eos", options->ignore_eos,
                  "Go on after a stop id of generation_config.json. Without it the stop token is "
                  "the last one output, with stop_reason \"stop\"");
    add_backend_options(*sub, *options);
    add_chunk_option(*sub, *options);
    add_fault_option(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "Text goes to stdout as it is produced, the summary to stderr. The text leaves special\n"
        "tokens out; without a tokenizer.json there are ids instead, and null in the JSON.\n"
        "Examples:\n"
        "  tare-engine generate --model scenarios/models/small-bf16 --max-tokens 32 \\\n"
        "      --bos --prompt 'In the beginning'\n"
        "  tare-engine generate --model scenarios/models/small-bf16 --tokens 1,45,81 "
        "--max-tokens 16 --json\n"
        "  tare-engine generate --model scenarios/models/small-nvfp4 \\\n"
        "      --tokens-file scenarios/prompts/long256.json --max-tokens 64 --ignore-eos");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
