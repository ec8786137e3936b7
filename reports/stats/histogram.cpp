// SPDX-License-Identifier: Apache-2.0
// Bucket arithmetic of the duration histogram, and its bytes in the store.
#include "reports/stats/histogram.h"

#include <algorithm>
#include <bit>
#include <cmath>

namespace reports::stats {
namespace {

constexpr int sub_bits = std::countr_zero(static_cast<unsigned>(sub_buckets));

std::uint32_t bucket_of(std::int64_t value_ns) {
    const auto value = static_cast<std::uint64_t>(std::max<std::int64_t>(value_ns, 0));
    if (value < sub_buckets) return static_cast<std::uint32_t>(value);
    // value >> shift lies in [32, 64): the octave's leading bit and five more.
    const int shift = static_cast<int>(std::bit_width(value)) - 1 - sub_bits;
    return static_cast<std::uint32_t>(shift * sub_buckets) +
           static_cast<std::uint32_t>(value >> shift);
}

double middle_of(std::uint32_t bucket) {
    if (bucket < 2 * sub_buckets) return bucket;  // one ns wide
    const int shift = static_cast<int>(bucket / sub_buckets) - 1;
    const double low = std::ldexp(bucket - shift * sub_buckets, shift);
    return low + (std::ldexp(1.0, shift) - 1) / 2;
}

void put_varint(std::vector<std::uint8_t>& bytes, std::uint64_t value) {
    for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<std::uint8_t>(value | 0x80));
    bytes.push_back(static_cast<std::uint8_t>(value));
}

std::optional<std::uint64_t> take_varint(std::span<const std::uint8_t>& bytes) {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64 && !bytes.empty(); shift += 7) {
        const std::uint8_t byte = bytes.front();
        bytes = bytes.subspan(1);
        value |= static_cast<std::uint64_t>(byte & 0x7f) << shift;
        if (byte < 0x80) return value;
    }
    return std::nullopt;
}

}  // namespace

void Histogram::add(std::int64_t value_ns) {
    ++buckets_[bucket_of(value_ns)];
    ++count_;
}

void Histogram::merge(const Histogram& other) {
    for (const auto& [bucket, values] : other.buckets_) buckets_[bucket] += values;
    count_ += other.count_;
}

std::optional<double> Histogram::quantile(double q) const {
    if (count_ == 0) return std::nullopt;
    const auto rank = static_cast<std::uint64_t>(
        std::max(1.0, std::ceil(std::clamp(q, 0.0, 1.0) * static_cast<double>(count_))));
    std::uint64_t seen = 0;
    for (const auto& [bucket, values] : buckets_) {
        seen += values;
        if (seen >= rank) return middle_of(bucket);
    }
    return middle_of(buckets_.rbegin()->first);
}

std::vector<std::uint8_t> Histogram::encode() const {
    std::vector<std::uint8_t> bytes;
    std::uint32_t before = 0;
    for (const auto& [bucket, values] : buckets_) {
        put_varint(bytes, bucket - before);
        put_varint(bytes, values);
        before = bucket;
    }
    return bytes;
}

std::optional<Histogram> Histogram::decode(std::span<const std::uint8_t> bytes) {
    Histogram histogram;
    std::uint64_t bucket = 0;
    while (!bytes.empty()) {
        const auto step = take_varint(bytes);
        const auto values = take_varint(bytes);
        if (!step || !values || *values == 0) return std::nullopt;
        bucket += *step;
        if (bucket >= 64 * sub_buckets) return std::nullopt;
        histogram.buckets_[static_cast<std::uint32_t>(bucket)] += *values;
        histogram.count_ += *values;
    }
    return histogram;
}

}  // namespace reports::stats
