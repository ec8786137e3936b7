// SPDX-License-Identifier: Apache-2.0
// `tare-engine tokenize` and `detokenize`: text to token ids and back, without the weights.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/commands/commands.h"
#include "engine/commands/input_file.h"
#include "engine/commands/json_text.h"
#include "engine/commands/options.h"
#include "engine/commands/output.h"
#include "engine/commands/text_source.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

using nlohmann::json;

struct TextOptions : EngineOptions {
    std::optional<std::string> lines;  // --jsonl
    bool no_special = false;
    bool skip_special = false;
};

// One text, or one a line.
template <class Value>
void for_each_line(const std::string& file, const char* accepted, const Value& value) {
    InputLines lines(file);
    for (std::string line; lines.next(line);) {
        const auto parsed = json::parse(line, nullptr, false);
        if (parsed.is_discarded()) {
            throw UsageError(fmt::format("{}: not JSON; accepted: {}", lines.where(), accepted));
        }
        value(parsed, lines.where());
    }
}

void require_one(const char* command, int sources, const char* accepted) {
    if (sources == 1) return;
    throw UsageError(fmt::format("{}: {} given; give one of {}", command,
                                 sources == 0 ? "no source was" : "several sources were",
                                 accepted));
}

int tokenize(const TextOptions& options) {
    constexpr auto accepted = "--prompt TEXT, --prompt-file FILE and --jsonl FILE";
    require_one(
        "tokenize",
        options.prompt.has_value() + options.prompt_file.has_value() + options.lines.has_value(),
        accepted);
    const auto tokenizer = need_tokenizer(options.model);
    const auto bos = options.bos ? std::optional(bos_id(options.model)) : std::nullopt;
    const auto ids_of = [&](std::string_view text, const std::string& origin) {
        auto tokens = encode_text(*tokenizer, text, origin, !options.no_special);
        if (bos) prepend_bos(*bos, tokens);
        return tokens.ids;
    };
    if (options.lines) {
        for_each_line(*options.lines, "one JSON string a line",
                      [&](const json& line, const std::string& where) {
                          if (!line.is_string()) {
                              throw UsageError(
                                  fmt::format("{}: a JSON {}; accepted: one JSON "
                                              "string a line",
                                              where, line.type_name()));
                          }
                          print_line(json_text(json(ids_of(line.get<std::string>(), where))));
                      });
        return 0;
    }
    const auto ids = options.prompt
                         ? ids_of(*options.prompt, "--prompt")
                         : ids_of(read_input(*options.prompt_file), *options.prompt_file);
    print_line(options.json ? json_text(json{{"tokens", ids}})
                            : fmt::format("{}", fmt::join(ids, ",")));
    return 0;
}

int detokenize(const TextOptions& options) {
    constexpr auto accepted = "--tokens LIST, --tokens-file FILE and --jsonl FILE";
    require_one("detokenize",
                int{!options.tokens.empty()} + int{!options.tokens_file.empty()} +
                    options.lines.has_value(),
                accepted);
    const auto tokenizer = need_tokenizer(options.model);
    const auto text_of = [&](const Tokens& tokens) {
        for (std::size_t i = 0; i < tokens.ids.size(); ++i) {
            if (tokenizer->token(tokens.ids[i])) continue;
            throw UsageError(fmt::format(
                "{}: element {} is {}, which no token of {}/tokenizer.json has; its ids go up to "
                "{}",
                tokens.origin, i, tokens.ids[i], options.model, tokenizer->largest_id()));
        }
        return tokenizer->decode(tokens.ids, options.skip_special);
    };
    if (options.lines) {
        for_each_line(*options.lines, "one JSON list of token ids a line",
                      [&](const json& line, const std::string& where) {
                          print_line(json_text(json(text_of(parse_id_list(line, where)))));
                      });
        return 0;
    }
    const auto text = text_of(tokens_from(options.tokens, options.tokens_file));
    print_line(options.json ? json_text(json{{"text", text}}) : text);
    return 0;
}

void add_lines_option(CLI::App& sub, TextOptions& options, const char* about) {
    sub.add_option_function<std::string>(
           "--jsonl", [&options](const std::string& file) { options.lines = file; }, about)
        ->type_name("FILE|-");
}

}  // namespace

Command add_tokenize(CLI::App& app) {
    auto options = std::make_shared<TextOptions>();
    auto* sub =
        app.add_subcommand("tokenize", "Token ids of a text, by the model's tokenizer.json");
    add_model_option(*sub, *options);
    add_prompt_options(*sub, *options);
    add_lines_option(*sub, *options,
                     "One JSON string a line in, one JSON list of ids a line out; - is stdin");
    sub->add_flag("--no-special", options->no_special,
                  "Without the ids that the tokenizer's post-processor adds");
    add_json_option(*sub, *options);
    sub->footer(
        "JSON: {\"tokens\":[...]}. Without it: ids as --tokens takes them.\n"
        "Example:\n"
        "  tare-engine tokenize --model scenarios/models/small-bf16 --prompt 'In the beginning'");
    return {sub, [options] { return tokenize(*options); }};
}

Command add_detokenize(CLI::App& app) {
    auto options = std::make_shared<TextOptions>();
    auto* sub =
        app.add_subcommand("detokenize", "Text of token ids, by the model's tokenizer.json");
    add_model_option(*sub, *options);
    add_id_options(*sub, *options);
    add_lines_option(*sub, *options,
                     "One JSON list of ids a line in, one JSON string a line out; - is stdin");
    sub->add_flag("--skip-special", options->skip_special, "Leave special tokens out");
    add_json_option(*sub, *options);
    sub->footer(
        "Bytes that form no character become U+FFFD. JSON: {\"text\":\"...\"}.\n"
        "Example:\n"
        "  tare-engine detokenize --model scenarios/models/small-bf16 --tokens 1,45,81");
    return {sub, [options] { return detokenize(*options); }};
}

}  // namespace engine::commands
