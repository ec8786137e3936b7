// SPDX-License-Identifier: Apache-2.0
// Prompts of text.
#include "engine/commands/text_source.h"

#include <fmt/format.h>

#include <filesystem>

#include "engine/commands/output.h"
#include "engine/commands/usage_error.h"
#include "engine/model/special_ids.h"
#include "engine/synthetic/spec.h"

namespace engine::commands {

namespace fs = std::filesystem;

TokenizerPointer find_tokenizer(const std::string& model) {
    const auto file = fs::path(model) / "tokenizer.json";
    std::error_code error;  // what is there but cannot be used is refused when it is opened
    if (!fs::exists(file, error) && !error) return nullptr;
    return as_usage(
        [&] { return std::make_shared<const format::Tokenizer>(format::Tokenizer::open(file)); });
}

TokenizerPointer need_tokenizer(const std::string& model) {
    if (synthetic::is_synthetic(model)) {
        throw UsageError(fmt::format(
            "{}: a synthetic model has no tokenizer, so text cannot become tokens nor tokens text; "
            "give token ids by --tokens 1,2,3 or --tokens-file FILE",
            model));
    }
    if (auto tokenizer = find_tokenizer(model)) return tokenizer;
    throw UsageError(
        fmt::format("{}: the model has no tokenizer.json, so text cannot become tokens nor tokens "
                    "text; put the file there, or give token ids by --tokens 1,2,3 or "
                    "--tokens-file FILE",
                    model));
}

Tokens encode_text(const format::Tokenizer& tokenizer,
                   std::string_view text,
                   const std::string& origin,
                   bool add_special) {
    try {
        return {tokenizer.encode(text, add_special), origin};
    } catch (const std::runtime_error& error) {
        throw UsageError(fmt::format("{}: {}", origin, error.what()));
    }
}

std::int32_t bos_id(const std::string& model) {
    if (synthetic::is_synthetic(model)) {
        throw UsageError(fmt::format(
            "--bos: {} is a synthetic model, which has no id that begins a text; leave the option "
            "out, or give that id as the first one of --tokens",
            model));
    }
    const auto ids = as_usage([&] { return model::read_special_ids(model); });
    if (ids.bos) return *ids.bos;
    throw UsageError(fmt::format(
        "--bos: neither generation_config.json nor config.json of {} has a bos_token_id; leave the "
        "option out, or give token ids with the first one by --tokens",
        model));
}

void prepend_bos(std::int32_t bos, Tokens& tokens) {
    if (!tokens.ids.empty() && tokens.ids.front() == bos) {
        say(fmt::format("note: {}: begins with the id {} already; --bos puts it there once more",
                        tokens.origin, bos));
    }
    tokens.ids.insert(tokens.ids.begin(), bos);
}

}  // namespace engine::commands
