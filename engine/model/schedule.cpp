// SPDX-License-Identifier: Apache-2.0
// Letters and words for the kinds of blocks.
#include "engine/model/schedule.h"

#include <fmt/format.h>

#include <array>
#include <optional>
#include <string>

namespace engine::model {

namespace {

constexpr std::string_view letter_form =
    "M (mamba), E (moe), * (attention) or - (mlp), one letter a layer";
constexpr std::string_view word_form =
    "mamba or linear_attention, moe, attention or full_attention, mlp";
constexpr std::string_view schedule_form =
    "a string of M, E, *, - (hybrid_override_pattern) or a list of mamba|linear_attention, moe, "
    "attention|full_attention, mlp (layers_block_type)";

struct Word {
    std::string_view text;
    Block block;
};

constexpr std::array words{
    Word{"M", Block::mamba},
    Word{"mamba", Block::mamba},
    Word{"linear_attention", Block::mamba},
    Word{"E", Block::moe},
    Word{"moe", Block::moe},
    Word{"*", Block::attention},
    Word{"attention", Block::attention},
    Word{"full_attention", Block::attention},
    Word{"-", Block::mlp},
    Word{"mlp", Block::mlp},
};

std::optional<Block> block_of(std::string_view text) {
    for (const Word& word : words) {
        if (word.text == text) return word.block;
    }
    return std::nullopt;
}

std::vector<Block> read_words(const ConfigReader& config,
                              std::string_view key,
                              const std::vector<std::string>& texts,
                              std::string_view accepted) {
    std::vector<Block> schedule;
    for (const std::string& text : texts) {
        const std::optional<Block> block = block_of(text);
        if (!block) config.fail_at(key, schedule.size(), accepted);
        schedule.push_back(*block);
    }
    if (schedule.empty()) config.fail(key, schedule_form);
    return schedule;
}

std::vector<Block> from_block_configs(const std::vector<ConfigReader>& block_configs) {
    std::vector<Block> schedule;
    for (const ConfigReader& block : block_configs) {
        const auto text = block.text("block_type");
        const auto kind = text ? block_of(*text) : std::nullopt;
        if (!kind) block.fail("block_type", "mamba, moe, attention or mlp");
        schedule.push_back(*kind);
    }
    return schedule;
}

// block_configs stand beside a schedule: one for each layer, naming the same kind or none.
void require_agreement(const ConfigReader& config,
                       const std::vector<ConfigReader>& block_configs,
                       const std::vector<Block>& schedule) {
    if (block_configs.empty()) return;
    if (block_configs.size() != schedule.size()) {
        config.fail("block_configs", fmt::format("a list of {} objects", schedule.size()));
    }
    for (std::size_t i = 0; i < schedule.size(); ++i) {
        const auto text = block_configs[i].text("block_type");
        if (text && block_of(*text) != schedule[i]) {
            block_configs[i].fail("block_type",
                                  fmt::format("\"{}\", as the schedule has it", name(schedule[i])));
        }
    }
}

}  // namespace

std::vector<Block> read_schedule(const ConfigReader& config,
                                 const std::vector<ConfigReader>& block_configs) {
    std::vector<Block> schedule;
    if (config.has("layers_block_type")) {
        const auto* key = "layers_block_type";
        schedule = read_words(config, key, config.words(key), word_form);
    } else if (const auto pattern = config.text("hybrid_override_pattern")) {
        std::vector<std::string> letters;
        for (const char letter : *pattern) letters.emplace_back(1, letter);
        schedule = read_words(config, "hybrid_override_pattern", letters, letter_form);
    } else {
        schedule = from_block_configs(block_configs);
        if (schedule.empty()) config.fail("layers_block_type", schedule_form);
    }
    require_agreement(config, block_configs, schedule);
    return schedule;
}

}  // namespace engine::model
