// SPDX-License-Identifier: Apache-2.0
// The generator: codes are exact, bytes are pinned, slices are parts of the whole.
#include "engine/synthetic/fill.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>

#include "engine/format/sha256.h"
#include "engine/synthetic/scale.h"

namespace {

using namespace engine::synthetic;
using engine::format::widen_bf16;
using engine::format::widen_e4m3;
using Bytes = std::vector<std::byte>;

constexpr const char* in_proj = "backbone.layers.0.mixer.in_proj.weight";
constexpr const char* out_proj = "backbone.layers.0.mixer.out_proj.weight";
constexpr const char* expert = "backbone.layers.1.mixer.experts.0.up_proj.weight";
constexpr std::uint64_t largest_seed = ~std::uint64_t{0};

Entry entry(const char* name, const Rule& rule) {
    Entry result;
    result.name = name;
    result.rule = rule;
    return result;
}

Bytes bytes_of(const Entry& entry, std::uint64_t seed, std::uint64_t offset, std::size_t count) {
    Bytes bytes(count);
    fill(entry, seed, offset, bytes);
    return bytes;
}

constexpr Rule integers(Kind kind, bool paired) {
    return kind == Kind::e4m3
               ? Rule{.kind = kind, .paired = paired, .low = -240, .count = 481}
               : Rule{.kind = kind, .paired = paired, .low = -200, .count = 401, .exponent = -13};
}

// Values from an implementation in another language, written from the description alone.
TEST(SyntheticFill, the_bytes_of_a_seed_are_these_everywhere_and_for_ever) {
    const struct {
        Entry entry;
        std::uint64_t seed;
        std::size_t bytes;
        const char* sha256;
    } pinned[] = {
        {entry(in_proj, integers(Kind::bf16, false)), 0, 6000,
         "20a33b158a96b843c0c77a0ae029261b3fc2fac32414c68c0f4b637c2efdba55"},
        {entry(out_proj, integers(Kind::bf16, true)), 0, 6000,
         "18dcb8834ce29b924f0f64914d2404db080f4a7819bb5c835097906ed6e2cfe4"},
        {entry("backbone.layers.1.mixer.gate.weight", integers(Kind::f32, false)), 7, 6000,
         "ef79fe69c377a14724e9a9b5f7b0848eaa6b65da893e1ee2f5637fd8cacfec27"},
        {entry(in_proj, integers(Kind::e4m3, false)), 0, 3000,
         "c1079624c57adb7d751755998845239bb7020e39b16ddcb48cd30f91d1e19deb"},
        {entry(out_proj, integers(Kind::e4m3, true)), 0, 3000,
         "99205f6c73b08620bbbe6cb74e1da4573e01a3d149c41c6f3ee887e9b16a0ed3"},
        {entry(expert, {.kind = Kind::e2m1}), 0, 3000,
         "462b99e0e43bff328e03a46837412102ea49dbe67dbd070070037e41857f1e38"},
        {entry("backbone.layers.1.mixer.experts.0.down_proj.weight",
               {.kind = Kind::e2m1, .paired = true}),
         0, 3000, "67c7fb3b9d3954b0f36f110952edd57544e482e6bcbf934c2833a7b4f4036b90"},
        {entry("backbone.layers.1.mixer.experts.0.up_proj.weight_scale",
               {.kind = Kind::block_scale}),
         largest_seed, 3000, "86e806705f6b9bc3d81bbbc415749b1f422af7556747203e04d81a8567a86c29"}};

    for (const auto& pin : pinned) {
        EXPECT_EQ(engine::format::sha256_hex(bytes_of(pin.entry, pin.seed, 0, pin.bytes)),
                  pin.sha256)
            << pin.entry.name;
    }
}

TEST(SyntheticFill, any_slice_holds_the_bytes_that_the_whole_has_there) {
    const std::vector<Rule> rules{integers(Kind::bf16, false), integers(Kind::bf16, true),
                                  integers(Kind::f32, false),  integers(Kind::f32, true),
                                  integers(Kind::e4m3, false), integers(Kind::e4m3, true),
                                  {.kind = Kind::e2m1},        {.kind = Kind::e2m1, .paired = true},
                                  {.kind = Kind::block_scale}};
    for (const Rule& rule : rules) {
        const Entry whole = entry(in_proj, rule);
        const Bytes all = bytes_of(whole, 3, 0, 300);
        for (const std::uint64_t offset : {0u, 1u, 7u, 16u, 33u, 250u}) {
            for (const std::size_t count : {0u, 1u, 3u, 15u, 40u, 50u}) {
                const auto at = all.begin() + static_cast<std::ptrdiff_t>(offset);
                EXPECT_EQ(bytes_of(whole, 3, offset, count),
                          Bytes(at, at + static_cast<std::ptrdiff_t>(count)))
                    << "kind " << static_cast<int>(rule.kind) << ", " << count << " at " << offset;
            }
        }
    }
}

// The header's own group function is what device code would run; the host loops are faster forms.
TEST(SyntheticFill, the_fast_loops_make_what_the_portable_groups_make) {
    for (const Rule& rule : {integers(Kind::bf16, true), integers(Kind::e4m3, false),
                             Rule{.kind = Kind::e2m1, .paired = true}, Rule{.kind = Kind::e2m1},
                             Rule{.kind = Kind::block_scale}}) {
        const Entry whole = entry(out_proj, rule);
        const std::uint64_t key = stream_key(5, out_proj, whole.name.size());
        const std::uint32_t step = group_bytes(rule);
        const Bytes fast = bytes_of(whole, 5, 0, std::size_t{64} * step);
        for (std::uint64_t group = 0; group < 64; ++group) {
            std::uint8_t slow[most_group_bytes] = {};
            make_group(rule, key, group, slow);
            EXPECT_EQ(std::memcmp(slow, fast.data() + group * step, step), 0);
        }
    }
}

TEST(SyntheticFill, the_number_of_threads_changes_no_byte) {
    const Entry whole = entry(expert, {.kind = Kind::e2m1});
    std::vector<Bytes> results;
    for (const int threads : {1, 2, 7}) {
        Bytes bytes((std::size_t{9} << 20) + 5);
        const Slice slice{&whole, 0, bytes};
        fill(std::span(&slice, 1), 11, threads);
        results.push_back(std::move(bytes));
    }
    EXPECT_EQ(results[0], results[1]);
    EXPECT_EQ(results[0], results[2]);
}

TEST(SyntheticFill, tells_how_far_it_is) {
    const Entry e = entry(expert, integers(Kind::e4m3, false));
    Bytes bytes(20'000'000);
    const Slice slice{&e, 0, bytes};
    std::vector<std::uint64_t> seen;
    fill(std::span(&slice, 1), 11, 1, [&](std::uint64_t done, std::uint64_t total) {
        EXPECT_EQ(total, bytes.size());
        seen.push_back(done);
    });
    EXPECT_GT(seen.size(), 1u);
    EXPECT_TRUE(std::is_sorted(seen.begin(), seen.end()));
    EXPECT_EQ(seen.back(), bytes.size());
}

TEST(SyntheticFill, seeds_and_names_give_streams_of_their_own) {
    const Rule rule{.kind = Kind::e2m1};
    const Bytes one = bytes_of(entry(expert, rule), 0, 0, 64);
    EXPECT_NE(one, bytes_of(entry(expert, rule), 1, 0, 64));
    EXPECT_NE(one, bytes_of(entry(in_proj, rule), 0, 0, 64));
}

TEST(SyntheticCodes, are_exact) {
    for (std::int32_t j = -255; j <= 255; ++j) {
        for (const int exponent : {-20, -7, 0, 5}) {
            EXPECT_EQ(widen_bf16(bf16_code(j, exponent)), std::ldexp(float(j), exponent));
        }
    }
    for (const std::int32_t j : {0, 1, -3, 65'537, -16'777'215}) {
        EXPECT_EQ(std::bit_cast<float>(f32_code(j, -9)), std::ldexp(float(j), -9));
    }
    static_assert(bf16_code(3, -1) == 0x3fc0, "a constant expression: usable in device code");
}

TEST(SyntheticCodes, of_e4m3_are_the_nearest_and_the_even_one_of_two) {
    for (std::int32_t j = -448; j <= 448; ++j) {
        const std::uint8_t code = e4m3_code(j);
        const double error = std::abs(double(widen_e4m3(code)) - j);
        for (int other = 0; other < 256; ++other) {
            if ((other & 0x7f) == 0x7f || other == code) continue;  // not a number
            const double distance =
                std::abs(double(widen_e4m3(static_cast<std::uint8_t>(other))) - j);
            EXPECT_LE(error, distance) << j;
            if (error == distance && j != 0) {
                EXPECT_EQ(code & 1, 0) << j;
            }
        }
    }
}

TEST(SyntheticScale, gives_the_variance_asked_for_within_two_percent) {
    for (const Ratio variance : {Ratio{1, 1}, Ratio{1, 2688}, Ratio{144, 4096}, Ratio{3, 52 * 1856},
                                 Ratio{7, 1'000'003}, Ratio{1, 1u << 31}}) {
        const Rule rule = bf16_rule(variance);
        const double a = -rule.low;
        EXPECT_TRUE(a >= 128 && a <= 255) << a;
        const double given = a * (a + 1) / 3 * std::ldexp(1.0, 2 * rule.exponent);
        const double wanted = double(variance.over) / double(variance.under);
        EXPECT_NEAR(given / wanted, 1, 0.02);
    }
}

TEST(SyntheticScale, roots_are_the_largest_float32_not_above) {
    for (const Ratio square :
         {Ratio{2, 1}, Ratio{1, 37675}, Ratio{1, 3'000'000'000u}, Ratio{9, 4}}) {
        const float root = std::bit_cast<float>(f32_sqrt(square));
        const long double wanted = (long double)(square.over) / (long double)(square.under);
        const float next = std::nextafter(root, 10.0f);
        EXPECT_LE((long double)(root)*root, wanted);
        EXPECT_GT((long double)(next)*next, wanted);
    }
}

// Measured on what is drawn, against what scales are worked out from.
TEST(SyntheticScale, mean_squares_are_those_of_the_codes) {
    const Bytes codes = bytes_of(entry(expert, integers(Kind::e4m3, false)), 0, 0, 1 << 16);
    double sum = 0;
    for (const std::byte code : codes) {
        sum += std::pow(double(widen_e4m3(static_cast<std::uint8_t>(code))), 2);
    }
    const Ratio square = e4m3_mean_square();
    EXPECT_NEAR(sum / (1 << 16) * double(square.under) / double(square.over), 1, 0.02);
    const Bytes scales = bytes_of(entry(expert, {.kind = Kind::block_scale}), 0, 0, 1 << 16);
    sum = 0;
    for (const std::byte code : scales) {
        const double scale = widen_e4m3(static_cast<std::uint8_t>(code));
        EXPECT_TRUE(scale >= 32 && scale <= 60);
        sum += scale * scale;
    }
    EXPECT_NEAR(sum / (1 << 16) / double(block_scale_mean_square.over), 1, 0.02);
}

}  // namespace
