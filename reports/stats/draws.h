// SPDX-License-Identifier: Apache-2.0
// Draws from a recorded seed by integer hashing alone: the same on every machine
// (G. L. Steele, D. Lea, C. H. Flood, "Fast splittable pseudorandom number generators", 2014).
#pragma once

#include <cstdint>

namespace reports::stats {

class Draws {
  public:
    explicit Draws(std::uint64_t seed) : state_(seed) {}

    // A stream of its own for every index: what is drawn for one does not depend on the others.
    Draws(std::uint64_t seed, std::uint64_t index) : state_(mixed(mixed(seed) + index)) {}

    std::uint64_t next() {
        state_ += 0x9e3779b97f4a7c15U;
        return mixed(state_);
    }

    // 0 .. count - 1, each as likely: what is left of 2^64 by multiples of `count` is drawn again.
    std::uint64_t below(std::uint64_t count) {
        const std::uint64_t surplus = (0 - count) % count;  // 2^64 mod count
        std::uint64_t drawn = next();
        while (drawn < surplus) drawn = next();
        return drawn % count;
    }

    bool coin() { return next() >> 63 != 0; }

  private:
    static std::uint64_t mixed(std::uint64_t z) {
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9U;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebU;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

}  // namespace reports::stats
