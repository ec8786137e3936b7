// SPDX-License-Identifier: Apache-2.0
// Row-wise ops against float64 loops: norms, convolution, gather, sums, residual.
#include "engine/ops/causal_conv.h"
#include "engine/ops/gated_group_norm.h"
#include "engine/ops/rms_norm.h"
#include "tests/engine/op_fixture.h"

namespace {

using namespace op_fixture;

double silu(double x) {
    return x / (1 + std::exp(-x));
}

template <class T>
class RowOps : public testing::Test {};

TYPED_TEST_SUITE(RowOps, Precisions);

TYPED_TEST(RowOps, exp_is_right_to_the_last_places_and_at_its_ends) {
    using T = TypeParam;
    std::vector<T> x = random<T>(1000, 1, 80), y(1000);
    for (const auto* kernels : {&engine::cpu::choose_kernels<T>(Set::baseline),
                                &engine::cpu::choose_kernels<T>(Set::automatic)}) {
        kernels->exp(x.data(), y.data(), 1000);
        for (std::size_t i = 0; i < x.size(); ++i) {
            const double expected = std::exp(double(x[i]));
            const double ulp = sizeof(T) == 4 ? 1.2e-7 : 2.3e-16;
            ASSERT_NEAR(double(y[i]) / expected, 1.0, 2 * ulp) << x[i];
        }
        const T ends[] = {T(-1e4), T(1e4), T(0), T(-INFINITY), T(INFINITY), T(NAN)};
        T out[6];
        kernels->exp(ends, out, 6);
        EXPECT_EQ(out[0], T(0));
        EXPECT_EQ(out[1], T(INFINITY));
        EXPECT_EQ(out[2], T(1));
        EXPECT_EQ(out[3], T(0));
        EXPECT_EQ(out[4], T(INFINITY));
        EXPECT_TRUE(std::isnan(out[5]));
    }
}

TYPED_TEST(RowOps, log_is_right_to_the_last_places) {
    using T = TypeParam;
    const auto& kernels = engine::cpu::choose_kernels<T>(Set::automatic);
    for (const double x : {1e-30, 0.3, 0.99, 1.0, 1.01, 1.4143, 2.0, 77.7, 1e30}) {
        const double expected = std::log(double(T(x)));
        EXPECT_NEAR(double(kernels.log(T(x))), expected,
                    std::abs(expected) * (sizeof(T) == 4 ? 3e-7 : 1e-15));
    }
}

TYPED_TEST(RowOps, embedding_takes_the_rows_of_the_tokens_and_their_scale) {
    using T = TypeParam;
    using engine::ops::Format;
    const Index hidden = 32;
    std::vector<std::uint8_t> codes(4 * hidden / 2),
        scales(4 * hidden / 16, 0x40);  // blocks of 2.0
    for (std::size_t i = 0; i < codes.size(); ++i) codes[i] = std::uint8_t(i * 7);
    const engine::ops::Matrix table{Format::nvfp4,
                                    4,
                                    hidden,
                                    reinterpret_cast<const std::byte*>(codes.data()),
                                    reinterpret_cast<const std::byte*>(scales.data()),
                                    0.5f};
    const double values[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6, -0.0, -0.5, -1, -1.5, -2, -3, -4, -6};
    const std::int32_t tokens[] = {3, 0, 3};
    std::vector<double> expected;
    for (const std::int32_t token : tokens) {
        for (Index c = 0; c < hidden; ++c) {
            const int byte = codes[static_cast<std::size_t>((token * hidden + c) / 2)];
            expected.push_back(values[c % 2 ? byte >> 4 : byte & 15]);
        }
    }
    const auto x = everywhere<T>(0, [&](const Backend<T>& backend) {
        std::vector<T> result(3 * hidden);
        engine::cpu::embedding(backend, {&table, tokens, result.data()}, 3);
        return result;
    });
    EXPECT_EQ(distance(x, expected), 0.0);
}

TYPED_TEST(RowOps, rms_norm_meets_the_reference) {
    using T = TypeParam;
    for (const Index width : {1, 15, 16, 33, 192}) {
        const Index rows = 300;
        const auto x = random<T>(rows * width, 1), w = random<T>(width, 2);
        std::vector<double> expected;
        for (Index t = 0; t < rows; ++t) {
            double sum = 0;
            for (Index c = 0; c < width; ++c) sum += std::pow(double(x[t * width + c]), 2);
            for (Index c = 0; c < width; ++c) {
                expected.push_back(double(x[t * width + c]) /
                                   std::sqrt(sum / double(width) + 1e-5) * double(w[c]));
            }
        }
        const auto y = everywhere<T>(0, [&](const Backend<T>& backend) {
            std::vector<T> result(x.size());
            engine::cpu::rms_norm(backend, {x.data(), w.data(), result.data(), width, T(1e-5)},
                                  rows);
            return result;
        });
        EXPECT_LE(distance(y, expected),
                  bound<T>(engine::ops::rms_norm::declaration.tolerance_f32));
    }
}

TYPED_TEST(RowOps, causal_conv_sees_the_window_before_its_first_row) {
    using T = TypeParam;
    const Index rows = 40, channels = 37, taps = 4, stride = 50;
    const auto u = random<T>(rows * stride, 1), window = random<T>((taps - 1) * channels, 2);
    const auto w = random<T>(taps * channels, 3), bias = random<T>(channels, 4);
    std::vector<double> expected;
    for (Index t = 0; t < rows; ++t) {
        for (Index c = 0; c < channels; ++c) {
            double sum = double(bias[c]);
            for (Index k = 0; k < taps; ++k) {
                const Index from = t - taps + 1 + k;
                sum += double(w[k * channels + c]) *
                       double(from < 0 ? window[(from + taps - 1) * channels + c]
                                       : u[from * stride + c]);
            }
            expected.push_back(silu(sum));
        }
    }
    const auto y = everywhere<T>(0, [&](const Backend<T>& backend) {
        std::vector<T> result(rows * channels);
        engine::cpu::causal_conv(
            backend,
            {u.data(), stride, window.data(), w.data(), bias.data(), result.data(), channels, taps},
            rows);
        return result;
    });
    EXPECT_LE(distance(y, expected), bound<T>(engine::ops::causal_conv::declaration.tolerance_f32));
}

TYPED_TEST(RowOps, gated_group_norm_gates_first_and_norms_within_groups) {
    using T = TypeParam;
    const Index rows = 60, inner = 3 * 21, groups = 3, stride = 70;
    const auto y = random<T>(rows * inner, 1), z = random<T>(rows * stride, 2, 4),
               w = random<T>(inner, 3);
    std::vector<double> expected;
    for (Index t = 0; t < rows; ++t) {
        for (Index g = 0; g < groups; ++g) {
            std::vector<double> u;
            double sum = 0;
            for (Index c = g * 21; c < (g + 1) * 21; ++c) {
                u.push_back(double(y[t * inner + c]) * silu(double(z[t * stride + c])));
                sum += u.back() * u.back();
            }
            for (Index c = 0; c < 21; ++c) {
                expected.push_back(u[c] / std::sqrt(sum / 21 + 1e-5) * double(w[g * 21 + c]));
            }
        }
    }
    const auto out = everywhere<T>(0, [&](const Backend<T>& backend) {
        std::vector<T> result(rows * inner);
        engine::cpu::gated_group_norm(
            backend,
            {y.data(), z.data(), stride, w.data(), result.data(), inner, groups, T(1e-5), false},
            rows);
        return result;
    });
    const double tolerance = engine::ops::gated_group_norm::declaration.tolerance_f32;
    EXPECT_LE(distance(out, expected), bound<T>(tolerance));
}

TYPED_TEST(RowOps, gathered_rows_come_back_weighted_in_the_order_of_the_picks) {
    using T = TypeParam;
    const Index rows = 90, width = 19, top_k = 3;
    const auto x = random<T>(rows * width, 1), weights = random<T>(rows * top_k, 2);
    std::vector<std::int32_t> slots(rows * top_k);
    for (std::size_t i = 0; i < slots.size(); ++i) slots[i] = std::int32_t(slots.size() - 1 - i);
    std::vector<double> expected;
    for (Index t = 0; t < rows; ++t) {
        double weight = 0;
        for (Index k = 0; k < top_k; ++k) weight += double(weights[t * top_k + k]);
        for (Index c = 0; c < width; ++c) expected.push_back(weight * double(x[t * width + c]));
    }
    const auto out = everywhere<T>(0, [&](const Backend<T>& backend) {
        std::vector<T> packed(rows * top_k * width), result(rows * width);
        engine::cpu::row_gather(backend, {x.data(), slots.data(), packed.data(), width, top_k},
                                rows);
        EXPECT_EQ(packed[(rows * top_k - 1) * width], x[0]);
        engine::cpu::weighted_row_sum(backend,
                                      {packed.data(), rows * top_k, slots.data(), weights.data(),
                                       result.data(), width, top_k},
                                      rows);
        return result;
    });
    EXPECT_LE(distance(out, expected), bound<T>(1e-6));
}

TYPED_TEST(RowOps, residual_adds_one_or_two_addends) {
    using T = TypeParam;
    const Index count = 40001;
    const auto x = random<T>(count, 1), a = random<T>(count, 2), b = random<T>(count, 3);
    for (const bool second : {false, true}) {
        std::vector<double> expected;
        for (Index i = 0; i < count; ++i) {
            expected.push_back(double(x[i]) + double(a[i]) + (second ? double(b[i]) : 0.0));
        }
        const auto y = everywhere<T>(0, [&](const Backend<T>& backend) {
            std::vector<T> result = x;
            engine::cpu::residual_add(
                backend, {result.data(), a.data(), second ? b.data() : nullptr}, count);
            return result;
        });
        EXPECT_LE(distance(y, expected), bound<T>(1e-6));
    }
}

}  // namespace
