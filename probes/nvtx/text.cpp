// SPDX-License-Identifier: Apache-2.0
// Open addressing over interned texts.
#include "probes/nvtx/text.h"

#include "probes/capture/format.h"

namespace probes::nvtx {

const Text* TextTable::intern(std::string_view text) {
    text = text.substr(0, capture::text_limit_bytes);
    if (texts_.size() * 2 >= slots_.size()) {
        grow();
    }
    const std::uint64_t hash = hash_of(text);
    const std::size_t mask = slots_.size() - 1;
    std::size_t slot = hash & mask;
    while (slots_[slot] != nullptr) {
        if (slots_[slot]->hash == hash && slots_[slot]->text == text) {
            return slots_[slot];
        }
        slot = (slot + 1) & mask;
    }
    texts_.push_back(std::make_unique<Text>(Text{.hash = hash, .text = std::string(text)}));
    slots_[slot] = texts_.back().get();
    return slots_[slot];
}

void TextTable::grow() {
    std::vector<const Text*> wider(slots_.empty() ? 64 : slots_.size() * 2);
    const std::size_t mask = wider.size() - 1;
    for (const std::unique_ptr<Text>& text : texts_) {
        std::size_t slot = text->hash & mask;
        while (wider[slot] != nullptr) {
            slot = (slot + 1) & mask;
        }
        wider[slot] = text.get();
    }
    slots_ = std::move(wider);
}

}  // namespace probes::nvtx
