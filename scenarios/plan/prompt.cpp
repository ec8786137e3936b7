// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/prompt.h"

#include <cstring>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/format/json_number.h"
#include "engine/format/json_strict.h"
#include "engine/format/safetensors.h"
#include "scenarios/plan/read_file.h"

namespace scenarios::plan {

namespace {

using nlohmann::json;

constexpr std::size_t most_prompt_bytes = 64 << 20;
constexpr std::size_t most_prompt_tokens = 1 << 20;
constexpr std::int64_t most_token_id = std::numeric_limits<std::int32_t>::max();

std::string read_text(const std::filesystem::path& file, const std::string& what) {
    try {
        return read_whole_file(file, most_prompt_bytes);
    } catch (const UnreadableFile& error) {
        throw PromptError(
            fmt::format("{} {} cannot be read: {}", what, file.string(), error.what()));
    }
}

json parse_json(const std::string& text, const std::string& where) {
    try {
        return engine::format::parse_strictly(text, where);
    } catch (const std::runtime_error& error) {
        throw PromptError(error.what());
    }
}

std::vector<std::int32_t> parse_tokens(const json& list, const std::string& where) {
    if (!list.is_array() || list.empty())
        throw PromptError(
            fmt::format("{} holds a JSON {}; want a list of token ids, e.g. [1, 45, 81]", where,
                        list.is_array() ? "list without elements" : list.type_name()));
    if (list.size() > most_prompt_tokens)
        throw PromptError(fmt::format("{} has {} token ids; at most {} are accepted", where,
                                      list.size(), most_prompt_tokens));
    std::vector<std::int32_t> tokens;
    for (const json& element : list) {
        const auto id = engine::format::token_id(element);
        if (!id)
            throw PromptError(fmt::format("{}: element {} is {}; want a token id from 0 to {}",
                                          where, tokens.size(), engine::format::shown(element),
                                          most_token_id));
        tokens.push_back(*id);
    }
    return tokens;
}

Text parse_text(const json& object, const std::string& where) {
    const auto name = object.find("name");
    const auto tokens = object.find("tokens");
    if (object.size() != 2 || name == object.end() || !name->is_string() || tokens == object.end())
        throw PromptError(
            fmt::format("{} is {}; want {{\"name\": \"...\", \"tokens\": [1, 45, 81]}}", where,
                        engine::format::shown(object)));
    return {name->get<std::string>(), parse_tokens(*tokens, where)};
}

template <class T>
std::vector<std::int32_t> narrow(const engine::format::Tensor& tensor, const std::string& where) {
    std::vector<std::int32_t> tokens;
    for (std::size_t at = 0; at < tensor.bytes.size(); at += sizeof(T)) {
        T id{};
        std::memcpy(&id, tensor.bytes.data() + at, sizeof id);  // the file aligns nothing
        if (id < 0 || id > most_token_id)
            throw PromptError(fmt::format("{}: element {} is {}; want a token id from 0 to {}",
                                          where, tokens.size(), id, most_token_id));
        tokens.push_back(static_cast<std::int32_t>(id));
    }
    return tokens;
}

std::vector<std::int32_t> read_token_tensor(const std::filesystem::path& file,
                                            const std::string& name) {
    using engine::format::Dtype;
    const std::string where = fmt::format("prompt tensor {} of {}", name, file.string());
    if (const std::string why = why_unreadable(file); !why.empty())
        throw PromptError(fmt::format("{}: cannot be read: {}", where, why));
    try {
        const auto tensors = engine::format::Safetensors::open_file(file);
        const engine::format::Tensor& tensor = tensors.at(name);
        const bool integers = tensor.dtype == Dtype::i32 || tensor.dtype == Dtype::i64;
        if (!integers || tensor.shape.size() != 1 || tensor.bytes.empty())
            throw PromptError(fmt::format("{} is {} {}; want I32 or I64 in one dimension", where,
                                          engine::format::name(tensor.dtype),
                                          engine::format::shape_text(tensor.shape)));
        return tensor.dtype == Dtype::i32 ? narrow<std::int32_t>(tensor, where)
                                          : narrow<std::int64_t>(tensor, where);
    } catch (const PromptError&) {
        throw;
    } catch (const std::runtime_error& error) {
        throw PromptError(fmt::format("{}: {}", where, error.what()));
    }
}

}  // namespace

std::uint64_t splitmix64(std::uint64_t& state) {
    state += 0x9e3779b97f4a7c15U;
    std::uint64_t x = state;
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
    return x ^ (x >> 31);
}

std::vector<Text> parse_prompt(const std::string& text, const std::string& where) {
    const json list = parse_json(text, where);
    const bool texts = list.is_array() && !list.empty() && list[0].is_object();
    if (!texts) return {{"", parse_tokens(list, where)}};
    std::vector<Text> out;
    for (const json& object : list) {
        const std::string place = fmt::format("{}: text {}", where, out.size());
        if (!object.is_object()) throw PromptError(place + " is no object as the first one is");
        out.push_back(parse_text(object, place));
    }
    return out;
}

std::vector<Text> read_prompt(const std::string& spec, const std::filesystem::path& folder) {
    const auto colon = spec.rfind(':');
    if (colon != std::string::npos)
        return {{"", read_token_tensor(folder / spec.substr(0, colon), spec.substr(colon + 1))}};
    const auto file = folder / spec;
    return parse_prompt(read_text(file, "prompt file"), "prompt file " + file.string());
}

void check_vocabulary(const std::vector<Text>& texts,
                      std::int32_t vocab_size,
                      const std::string& where) {
    for (const Text& text : texts)
        for (std::size_t i = 0; i < text.tokens.size(); ++i)
            if (text.tokens[i] >= vocab_size)
                throw PromptError(
                    fmt::format("{}{}: element {} is {}; the model's vocabulary ends at {}", where,
                                text.name.empty() ? "" : ": text " + text.name, i, text.tokens[i],
                                vocab_size - 1));
}

std::vector<std::int32_t> seeded_tokens(std::uint64_t seed,
                                        std::int64_t count,
                                        std::int32_t vocab_size) {
    std::vector<std::int32_t> tokens(static_cast<std::size_t>(count));
    std::uint64_t state = seed;
    for (std::int32_t& token : tokens)
        token =
            static_cast<std::int32_t>(splitmix64(state) % static_cast<std::uint64_t>(vocab_size));
    return tokens;
}

std::int32_t vocab_size(const std::filesystem::path& model_folder) {
    const auto file = model_folder / "config.json";
    const json config = parse_json(read_text(file, "model file"), "model file " + file.string());
    const auto found = config.is_object() ? config.find("vocab_size") : config.end();
    const auto size =
        found == config.end() ? std::nullopt : engine::format::whole_number<std::int32_t>(*found);
    if (!size || *size < 1)
        throw PromptError(
            fmt::format("{}: vocab_size is missing or not a whole number above 0", file.string()));
    return *size;
}

}  // namespace scenarios::plan
