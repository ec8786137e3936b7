// SPDX-License-Identifier: Apache-2.0
// One buffer for activations.
#include "engine/model/arena.h"

#include <fmt/format.h>

#include <algorithm>
#include <new>
#include <stdexcept>

#include "engine/model/not_enough_memory.h"

namespace engine::model {

namespace {

constexpr auto alignment = std::align_val_t(64);

}  // namespace

void Arena::Free::operator()(void* address) const {
    ::operator delete(address, alignment);
}

void Arena::reserve(std::uint64_t bytes) {
    if (bytes <= size_) return;
    if (next_ != 0) throw std::logic_error("arena: cannot grow while pieces are taken");
    memory_.reset();
    memory_.reset(static_cast<std::byte*>(::operator new(bytes, alignment, std::nothrow)));
    if (!memory_) {
        size_ = 0;
        throw NotEnoughMemory(bytes, "activations");
    }
    size_ = bytes;
}

void* Arena::take_bytes(std::uint64_t bytes) {
    const std::uint64_t piece = piece_bytes(bytes);
    if (piece > size_ - next_) {
        throw std::logic_error(
            fmt::format("arena: {} bytes asked for, {} of {} left: the plan was wrong", piece,
                        size_ - next_, size_));
    }
    void* address = memory_.get() + next_;
    next_ += piece;
    high_ = std::max(high_, next_);
    return address;
}

}  // namespace engine::model
