// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/prompt.h"

#include <cstring>
#include <fstream>
#include <limits>
#include <span>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "engine/format/safetensors.h"
#include "engine/format/sha256.h"

namespace scenarios::plan {

namespace {

using nlohmann::json;

constexpr std::int64_t most_token_id = std::numeric_limits<std::int32_t>::max();

json read_json(const std::filesystem::path& file, const std::string& what) {
    std::ifstream in(file);
    if (!in) throw PromptError(fmt::format("{} {} cannot be read", what, file.string()));
    try {
        return json::parse(in);
    } catch (const json::parse_error& error) {
        throw PromptError(fmt::format("{} {} is not JSON: {}", what, file.string(), error.what()));
    }
}

std::vector<std::int32_t> read_token_list(const std::filesystem::path& file) {
    const json list = read_json(file, "prompt file");
    if (!list.is_array() || list.empty())
        throw PromptError(fmt::format(
            "prompt file {} holds a JSON {}; want a list of token ids, e.g. [1, 45, 81]",
            file.string(), list.is_array() ? "list without elements" : list.type_name()));
    std::vector<std::int32_t> tokens;
    for (const json& id : list) {
        if (!id.is_number_integer() || id < 0 || id > most_token_id)
            throw PromptError(
                fmt::format("prompt file {}: element {} is {}; want a token id from 0 to {}",
                            file.string(), tokens.size(), id.dump(), most_token_id));
        tokens.push_back(id.get<std::int32_t>());
    }
    return tokens;
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

std::vector<std::int32_t> read_tokens(const std::string& spec,
                                      const std::filesystem::path& folder) {
    const auto colon = spec.rfind(':');
    if (colon == std::string::npos) return read_token_list(folder / spec);
    return read_token_tensor(folder / spec.substr(0, colon), spec.substr(colon + 1));
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
    const json config = read_json(file, "model file");
    const auto found = config.find("vocab_size");
    if (found == config.end() || !found->is_number_integer() || *found < 1 ||
        *found > most_token_id)
        throw PromptError(
            fmt::format("{}: vocab_size is missing or not a whole number above 0", file.string()));
    return found->get<std::int32_t>();
}

std::string tokens_sha256(const std::vector<std::int32_t>& tokens) {
    std::vector<std::byte> bytes;
    bytes.reserve(tokens.size() * 4);
    for (const std::int32_t token : tokens)
        for (int shift = 0; shift < 32; shift += 8)
            bytes.push_back(static_cast<std::byte>(static_cast<std::uint32_t>(token) >> shift));
    return engine::format::sha256_hex(bytes);
}

}  // namespace scenarios::plan
