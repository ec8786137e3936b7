// SPDX-License-Identifier: Apache-2.0
// A tokenizer.json of any bytes is refused in words, or encodes and decodes any text.
#include <cstdint>
#include <cstdlib>
#include <stdexcept>
#include <string>
#include <string_view>

#include "engine/format/tokenizer.h"

namespace {

using engine::format::Tokenizer;

const std::string text =
    "The  end.\r\n\xc3\xa9t\xc3\xa9 \xf0\x9f\x91\x8d\xf0\x9f\x8f\xbd 123 <s></s> "
    "don't\t\xe2\x80\xa8";

// What is final so far, put together, is the text of all ids.
void stream_as_whole(const Tokenizer& tokenizer, const std::vector<std::int32_t>& ids) {
    engine::format::TextStream stream(tokenizer);
    std::string streamed;
    for (const auto id : ids) streamed += stream.push(id);
    streamed += stream.finish();
    if (streamed != tokenizer.decode(ids)) std::abort();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view json(reinterpret_cast<const char*>(data), size);
    try {
        const auto tokenizer = Tokenizer::parse(json, "fuzz.json");
        stream_as_whole(tokenizer, tokenizer.encode(text));
    } catch (const std::runtime_error&) {
    }
    return 0;
}
