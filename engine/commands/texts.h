// SPDX-License-Identifier: Apache-2.0
// Several texts as one workload: named lists of token ids from a JSON file.
#pragma once

#include <string>
#include <vector>

#include "engine/commands/token_source.h"

namespace engine::commands {

struct Text {
    std::string name;  // empty: it has none
    Tokens tokens;
};

// A JSON list of objects {"name":"…","tokens":[…]}, or one text without a name in a form that
// read_token_file() knows. Throws UsageError naming the element, the value and the form.
std::vector<Text> read_texts(const std::string& argument);

// All ids, one text after the other.
Tokens joined(const std::vector<Text>& texts);

}  // namespace engine::commands
