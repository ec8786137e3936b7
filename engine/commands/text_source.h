// SPDX-License-Identifier: Apache-2.0
// Text as a prompt: from the command line or a file, through the model's tokenizer.
#pragma once

#include <memory>
#include <string>

#include "engine/commands/token_source.h"
#include "engine/format/tokenizer.h"

namespace engine::commands {

using TokenizerPointer = std::shared_ptr<const format::Tokenizer>;

// nullptr: the model has no tokenizer.json. Throws UsageError when it has one that is of no use.
TokenizerPointer find_tokenizer(const std::string& model);

// Throws UsageError, saying what to give instead, when the model has none.
TokenizerPointer need_tokenizer(const std::string& model);

// Ids of a text; `origin` begins every message. Throws UsageError, also for text that is not UTF-8.
Tokens encode_text(const format::Tokenizer& tokenizer,
                   std::string_view text,
                   const std::string& origin,
                   bool add_special = true);

// The id that begins a text: bos_token_id of generation_config.json, else of config.json.
// Throws UsageError when neither has one.
std::int32_t bos_id(const std::string& model);

// Puts it first, and says so on stderr where it was the first already.
void prepend_bos(std::int32_t bos, Tokens& tokens);

}  // namespace engine::commands
