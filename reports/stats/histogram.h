// SPDX-License-Identifier: Apache-2.0
// Durations in buckets that grow with the value, so that a quantile of millions of executions fits
// in a few bytes.
//
// Buckets: below 32 ns one per ns; above, 32 per octave. A bucket is at most 1/32 of its lower
// bound wide and is read back as its middle, so a quantile is off by at most 1/64 = 1.6 % of itself
// (and never outside the exact min and max, which are stored beside it).
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <vector>

namespace reports::stats {

inline constexpr int sub_buckets = 32;                        // per octave
inline constexpr double histogram_error = 0.5 / sub_buckets;  // relative, at most

class Histogram {
  public:
    void add(std::int64_t value_ns);  // negative counts as 0
    void merge(const Histogram& other);

    std::uint64_t count() const { return count_; }

    // The smallest bucket that at least q of the values do not exceed, q in [0, 1]. Empty: nullopt.
    std::optional<double> quantile(double q) const;

    // Pairs of varints (LEB128): distance to the bucket before, values in it. Ascending.
    std::vector<std::uint8_t> encode() const;
    // nullopt when the bytes are not such a list.
    static std::optional<Histogram> decode(std::span<const std::uint8_t> bytes);

    friend bool operator==(const Histogram&, const Histogram&) = default;

  private:
    std::map<std::uint32_t, std::uint64_t> buckets_;  // bucket -> values in it
    std::uint64_t count_ = 0;
};

}  // namespace reports::stats
