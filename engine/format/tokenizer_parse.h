// SPDX-License-Identifier: Apache-2.0
// Reads the parts of a tokenizer.json.
#pragma once

#include <memory>
#include <vector>

#include "engine/format/tokenizer_json.h"
#include "engine/format/tokenizer_parts.h"

namespace engine::format {

// All throw std::runtime_error as JsonPlace does, also for what the file asks for and is not
// supported here. `root`: the whole file; the others: the value of that key.
std::unique_ptr<const TokenizerParts> read_parts(const JsonPlace& root, const std::string& name);

Bpe read_model(const JsonPlace& model);
std::vector<AddedToken> read_added_tokens(const JsonPlace& list, const Bpe& bpe);
std::vector<PreTokenizerStep> read_pre_tokenizer(const JsonPlace& pre_tokenizer);

// A list of steps under `key`, if `value` is a Sequence; else the one step that `value` is.
std::vector<JsonPlace> steps_of(const JsonPlace& value, std::string_view key);

}  // namespace engine::format
