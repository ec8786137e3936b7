// SPDX-License-Identifier: Apache-2.0
// One buffer for activations, handed out and taken back like a stack.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>

namespace engine::model {

// What take() needs for so many bytes: pieces begin at cache lines.
constexpr std::uint64_t piece_bytes(std::uint64_t bytes) {
    return (bytes + 63) / 64 * 64;
}

class Arena {
  public:
    // At least this many bytes from now on. Only while nothing is taken.
    void reserve(std::uint64_t bytes);

    // Uninitialised. Throws std::logic_error when the reserve is spent: the plan was wrong.
    template <class T>
    T* take(std::int64_t count) {
        return static_cast<T*>(take_bytes(static_cast<std::uint64_t>(count) * sizeof(T)));
    }

    std::uint64_t used_bytes() const { return high_; }  // high-water mark

    // Takes back, at the end of a scope, what was taken within it.
    class Scope {
      public:
        explicit Scope(Arena& arena) : arena_(arena), mark_(arena.next_) {}

        ~Scope() { arena_.next_ = mark_; }

        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;

      private:
        Arena& arena_;
        std::uint64_t mark_;
    };

  private:
    struct Free {
        void operator()(void* address) const;
    };

    void* take_bytes(std::uint64_t bytes);

    std::unique_ptr<std::byte, Free> memory_;
    std::uint64_t size_ = 0, next_ = 0, high_ = 0;
};

}  // namespace engine::model
