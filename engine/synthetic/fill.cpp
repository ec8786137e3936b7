// SPDX-License-Identifier: Apache-2.0
// Fills whole groups in a loop without branches on the rule, and parts of groups at the ends.
#include "engine/synthetic/fill.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstring>
#include <system_error>
#include <thread>

namespace engine::synthetic {

namespace {

static_assert(std::endian::native == std::endian::little, "codes are stored as the machine does");

constexpr std::uint64_t piece_bytes = std::uint64_t{4} << 20;

// Codes of a rule's integers, looked up instead of worked out: bf16 and e4m3 only.
template <class Code>
std::vector<Code> code_table(const Rule& rule) {
    std::vector<Code> table(static_cast<std::size_t>(rule.count));
    for (std::int32_t i = 0; i < rule.count; ++i) {
        table[static_cast<std::size_t>(i)] = static_cast<Code>(code_of(rule, integer(rule, i)));
    }
    return table;
}

template <class Code, bool Paired>
void look_up(const Rule& rule,
             std::uint64_t key,
             std::uint64_t first,
             std::uint64_t groups,
             std::byte* out) {
    constexpr auto sign = static_cast<Code>(Code{1} << (8 * sizeof(Code) - 1));
    const std::vector<Code> table = code_table<Code>(rule);
    const auto count = static_cast<std::uint32_t>(rule.count);
    for (std::uint64_t g = first; g < first + groups; ++g) {
        const std::uint64_t bits = draw(key, g);
        std::array<Code, Paired ? 8 : 4> codes;
        for (std::size_t lane = 0; lane < 4; ++lane) {
            const auto part = static_cast<std::uint32_t>(bits >> (16 * lane)) & 0xffffu;
            const Code code = table[part * count >> 16];
            codes[Paired ? 2 * lane : lane] = code;
            if constexpr (Paired) codes[2 * lane + 1] = static_cast<Code>(code ^ sign);
        }
        std::memcpy(out, codes.data(), sizeof codes);
        out += sizeof codes;
    }
}

void plain_groups(const Rule& rule,
                  std::uint64_t key,
                  std::uint64_t first,
                  std::uint64_t groups,
                  std::byte* out) {
    const Rule own = rule;  // no store can change it
    const std::uint32_t step = group_bytes(own);
    for (std::uint64_t g = first; g < first + groups; ++g, out += step) {
        make_group(own, key, g, reinterpret_cast<std::uint8_t*>(out));
    }
}

void unpaired_codes(std::uint64_t key, std::uint64_t first, std::uint64_t groups, std::byte* out) {
    for (std::uint64_t g = first; g < first + groups; ++g, out += 8) {
        const std::uint64_t bits = draw(key, g);
        std::memcpy(out, &bits, 8);
    }
}

// Spreads eight nibbles over the low halves of eight bytes.
std::uint64_t spread(std::uint32_t nibbles) {
    std::uint64_t x = nibbles;
    x = (x | x << 16) & 0x0000ffff0000ffffu;
    x = (x | x << 8) & 0x00ff00ff00ff00ffu;
    return (x | x << 4) & 0x0f0f0f0f0f0f0f0fu;
}

void paired_codes(std::uint64_t key, std::uint64_t first, std::uint64_t groups, std::byte* out) {
    for (std::uint64_t g = first; g < first + groups; ++g, out += 16) {
        const std::uint64_t bits = draw(key, g);
        const std::array low{spread(static_cast<std::uint32_t>(bits)),
                             spread(static_cast<std::uint32_t>(bits >> 32))};
        const std::array both{low[0] | (low[0] ^ 0x0808080808080808u) << 4,
                              low[1] | (low[1] ^ 0x0808080808080808u) << 4};
        std::memcpy(out, both.data(), 16);
    }
}

void block_scales(std::uint64_t key, std::uint64_t first, std::uint64_t groups, std::byte* out) {
    constexpr std::uint64_t base = block_scale_code(0) * 0x0101010101010101u;
    for (std::uint64_t g = first; g < first + groups; ++g, out += 8) {
        const std::uint64_t codes = base | (draw(key, g) & 0x0707070707070707u);
        std::memcpy(out, &codes, 8);
    }
}

void whole_groups(const Rule& rule,
                  std::uint64_t key,
                  std::uint64_t first,
                  std::uint64_t groups,
                  std::byte* out) {
    if (groups == 0) return;
    switch (rule.kind) {
        case Kind::bf16:
            return rule.paired ? look_up<std::uint16_t, true>(rule, key, first, groups, out)
                               : look_up<std::uint16_t, false>(rule, key, first, groups, out);
        case Kind::e4m3:
            return rule.paired ? look_up<std::uint8_t, true>(rule, key, first, groups, out)
                               : look_up<std::uint8_t, false>(rule, key, first, groups, out);
        case Kind::e2m1:
            return rule.paired ? paired_codes(key, first, groups, out)
                               : unpaired_codes(key, first, groups, out);
        case Kind::block_scale:
            return block_scales(key, first, groups, out);
        default:
            return plain_groups(rule, key, first, groups, out);
    }
}

// Some bytes of one group.
void part_of_group(const Rule& rule,
                   std::uint64_t key,
                   std::uint64_t group,
                   std::uint64_t skipped,
                   std::span<std::byte> out) {
    if (out.empty()) return;  // its pointer may be null, which memcpy must not be given
    std::array<std::uint8_t, most_group_bytes> bytes{};
    make_group(rule, key, group, bytes.data());
    std::memcpy(out.data(), bytes.data() + skipped, out.size());
}

std::vector<Slice> cut(std::span<const Slice> slices) {
    std::vector<Slice> pieces;
    for (const Slice& slice : slices) {
        for (std::uint64_t at = 0; at < slice.out.size(); at += piece_bytes) {
            const auto bytes = std::min<std::uint64_t>(piece_bytes, slice.out.size() - at);
            pieces.push_back({slice.entry, slice.offset + at, slice.out.subspan(at, bytes)});
        }
    }
    return pieces;
}

}  // namespace

void fill(const Entry& entry, std::uint64_t seed, std::uint64_t offset, std::span<std::byte> out) {
    const std::uint64_t key = stream_key(seed, entry.name.data(), entry.name.size());
    const std::uint64_t step = group_bytes(entry.rule), skipped = offset % step;
    std::uint64_t group = offset / step;
    if (skipped != 0) {
        const std::uint64_t head = std::min<std::uint64_t>(step - skipped, out.size());
        part_of_group(entry.rule, key, group++, skipped, out.first(head));
        out = out.subspan(head);
    }
    const std::uint64_t groups = out.size() / step;
    whole_groups(entry.rule, key, group, groups, out.data());
    part_of_group(entry.rule, key, group + groups, 0, out.subspan(groups * step));
}

void fill(std::span<const Slice> slices,
          std::uint64_t seed,
          int threads,
          const Progress& progress) {
    const std::vector<Slice> pieces = cut(slices);
    std::uint64_t total = 0;
    for (const Slice& piece : pieces) total += piece.out.size();
    std::atomic<std::size_t> next{0};
    std::atomic<std::uint64_t> done{0};
    const auto work = [&](bool tells) {
        for (std::size_t i = next++; i < pieces.size(); i = next++) {
            fill(*pieces[i].entry, seed, pieces[i].offset, pieces[i].out);
            const std::uint64_t now = done += pieces[i].out.size();
            if (tells) progress(now, total);
        }
    };
    const unsigned wanted = threads > 0 ? static_cast<unsigned>(threads)
                                        : std::max(1u, std::thread::hardware_concurrency());
    std::vector<std::jthread> helpers;
    for (std::size_t i = 1; i < std::min<std::size_t>(wanted, pieces.size()); ++i) {
        try {
            helpers.emplace_back(work, false);
        } catch (const std::system_error&) {  // a limit of threads: fewer make the same bytes
            break;
        }
    }
    work(static_cast<bool>(progress));
}

}  // namespace engine::synthetic
