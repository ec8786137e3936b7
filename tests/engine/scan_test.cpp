// SPDX-License-Identifier: Apache-2.0
// The state-space scan against the recurrence in float64, in one call and in steps.
#include "engine/ops/ssd_scan.h"
#include "tests/engine/op_fixture.h"

namespace {

using namespace op_fixture;
using engine::cpu::SsdScan;

struct Sizes {
    Index rows, heads, head_dim, groups, states;
};

template <class T>
struct Case {
    Sizes n;
    Index channels = n.heads * n.head_dim + 2 * n.groups * n.states;
    Index padded = (n.head_dim + 15) / 16 * 16;
    std::vector<T> conv = random<T>(n.rows * channels, 1);
    std::vector<T> dt = random<T>(n.rows * n.heads, 2, 25);  // beyond 20: the linear branch
    std::vector<T> dt_bias = random<T>(n.heads, 3);
    std::vector<T> decay = random<T>(n.heads, 4);
    std::vector<T> skip = random<T>(n.heads, 5);

    explicit Case(const Sizes& sizes) : n(sizes) {
        for (T& rate : decay) rate = -std::abs(rate);
    }

    SsdScan<T> op(Index first, Index rows, T* state, T* y) const {
        return {conv.data() + first * channels,
                channels,
                dt.data() + first * n.heads,
                n.heads,
                dt_bias.data(),
                decay.data(),
                skip.data(),
                state,
                y + first * n.heads * n.head_dim,
                rows,
                n.heads,
                n.head_dim,
                n.groups,
                n.states,
                T(0),
                T(INFINITY)};
    }

    std::vector<double> expected() const {
        std::vector<double> y(static_cast<std::size_t>(n.rows * n.heads * n.head_dim));
        for (Index h = 0; h < n.heads; ++h) {
            const Index g = h / (n.heads / n.groups), inner = n.heads * n.head_dim;
            std::vector<double> s(static_cast<std::size_t>(n.head_dim * n.states));
            for (Index t = 0; t < n.rows; ++t) {
                const T* row = conv.data() + t * channels;
                const T *b = row + inner + g * n.states, *c = b + n.groups * n.states;
                const double raw = double(dt[t * n.heads + h] + dt_bias[h]);
                const double step = raw > 20 ? raw : std::log1p(std::exp(raw));
                for (Index p = 0; p < n.head_dim; ++p) {
                    const double x = double(row[h * n.head_dim + p]);
                    double sum = double(skip[h]) * x;
                    for (Index k = 0; k < n.states; ++k) {
                        double& cell = s[p * n.states + k];
                        cell = std::exp(step * double(decay[h])) * cell + step * x * double(b[k]);
                        sum += cell * double(c[k]);
                    }
                    y[t * inner + h * n.head_dim + p] = sum;
                }
            }
        }
        return y;
    }
};

template <class T>
class ScanOp : public testing::Test {};

TYPED_TEST_SUITE(ScanOp, Precisions);

TYPED_TEST(ScanOp, odd_shapes_meet_the_reference) {
    using T = TypeParam;
    for (const Sizes& sizes :
         {Sizes{1, 1, 1, 1, 1}, {9, 2, 5, 1, 3}, {33, 6, 64, 2, 16}, {20, 4, 24, 4, 7}}) {
        const Case<T> c(sizes);
        const auto y = everywhere<T>(0, [&](const Backend<T>& backend) {
            std::vector<T> state(sizes.heads * sizes.states * c.padded);
            std::vector<T> result(sizes.rows * sizes.heads * sizes.head_dim);
            engine::cpu::ssd_scan(backend, c.op(0, sizes.rows, state.data(), result.data()));
            return result;
        });
        const double tolerance = engine::ops::ssd_scan::declaration.tolerance_f32;
        EXPECT_LE(distance(y, c.expected()), sizeof(T) == 4 ? tolerance : 1e-12);
    }
}

TYPED_TEST(ScanOp, steps_carry_the_state_to_the_same_bytes) {
    using T = TypeParam;
    const Sizes sizes{30, 4, 24, 2, 9};
    const Case<T> c(sizes);
    const Machine<T> machine(Set::automatic, 2, 0);
    std::vector<T> state(sizes.heads * sizes.states * c.padded), other = state;
    std::vector<T> whole(sizes.rows * sizes.heads * sizes.head_dim), steps = whole;
    engine::cpu::ssd_scan(*machine, c.op(0, sizes.rows, state.data(), whole.data()));
    for (Index t = 0; t < sizes.rows; ++t) {
        engine::cpu::ssd_scan(*machine, c.op(t, 1, other.data(), steps.data()));
    }
    EXPECT_EQ(whole, steps);
    EXPECT_EQ(state, other);
}

}  // namespace
