// SPDX-License-Identifier: Apache-2.0
// Cache and attention against a plain softmax in float64: tiles, split keys, odd head sizes.
#include "engine/ops/attention.h"

#include <algorithm>

#include "tests/engine/op_fixture.h"

namespace {

using namespace op_fixture;
using engine::cpu::KvCache;

struct Sizes {
    Index keys;  // in the cache at the end
    Index rows;  // of the last call; the others are in the cache before
    Index heads, kv_heads, head_dim;
};

template <class T>
struct Case {
    Sizes n;
    Index blocks = (n.keys + engine::cpu::key_block - 1) / engine::cpu::key_block;
    Index padded = engine::cpu::padded_dim(n.head_dim);
    Index first = n.keys - n.rows;
    std::vector<T> k = random<T>(n.keys * n.kv_heads * n.head_dim, 1, 2);
    std::vector<T> v = random<T>(n.keys * n.kv_heads * n.head_dim, 2);
    std::vector<T> q = random<T>(n.rows * n.heads * n.head_dim, 3, 2);

    std::vector<T> run(const Backend<T>& backend) const {
        const Index capacity = blocks * engine::cpu::key_block;
        std::vector<T> keys(n.kv_heads * capacity * n.head_dim);
        std::vector<T> values(n.kv_heads * capacity * padded);
        const KvCache<T> cache{keys.data(),       values.data(), capacity * n.head_dim,
                               capacity * padded, n.head_dim,    padded};
        engine::cpu::kv_write(backend, {cache, k.data(), v.data(), n.kv_heads, 0}, n.keys);
        std::vector<T> out(q.size());
        std::vector<T> partials(engine::cpu::attention_partials(n.heads, n.head_dim, capacity));
        engine::cpu::attention(backend,
                               {cache, q.data(), out.data(), n.heads, n.kv_heads, first,
                                T(1) / std::sqrt(T(n.head_dim))},
                               n.rows, partials.data());
        return out;
    }

    std::vector<double> expected() const {
        std::vector<double> out;
        for (Index t = 0; t < n.rows; ++t) {
            for (Index h = 0; h < n.heads; ++h) {
                const Index kv = h / (n.heads / n.kv_heads);
                std::vector<double> p;
                for (Index j = 0; j <= first + t; ++j) {
                    double score = 0;
                    for (Index d = 0; d < n.head_dim; ++d) {
                        score += double(q[(t * n.heads + h) * n.head_dim + d]) *
                                 double(k[(j * n.kv_heads + kv) * n.head_dim + d]);
                    }
                    p.push_back(score / std::sqrt(double(n.head_dim)));
                }
                const double peak = *std::max_element(p.begin(), p.end());
                double sum = 0;
                for (double& weight : p) sum += weight = std::exp(weight - peak);
                for (Index d = 0; d < n.head_dim; ++d) {
                    double value = 0;
                    for (std::size_t j = 0; j < p.size(); ++j) {
                        value += p[j] * double(v[(j * n.kv_heads + kv) * n.head_dim + d]);
                    }
                    out.push_back(value / sum);
                }
            }
        }
        return out;
    }
};

template <class T>
class AttentionOp : public testing::Test {};

TYPED_TEST_SUITE(AttentionOp, Precisions);

TYPED_TEST(AttentionOp, odd_shapes_meet_the_reference) {
    using T = TypeParam;
    for (const Sizes& sizes : {Sizes{1, 1, 1, 1, 1},
                               {5, 5, 4, 2, 8},
                               {70, 70, 4, 2, 20},
                               {129, 1, 6, 3, 64},
                               {200, 100, 8, 1, 16},
                               {1100, 3, 4, 2, 16},
                               {1060, 50, 2, 1, 16}}) {
        const Case<T> c{sizes};
        const Index scratch =
            engine::cpu::attention_scratch(sizes.head_dim, sizes.heads / sizes.kv_heads);
        const auto out =
            everywhere<T>(scratch, [&](const Backend<T>& backend) { return c.run(backend); });
        const double tolerance = engine::ops::attention::prefill.tolerance_f32;
        EXPECT_LE(distance(out, c.expected()), bound<T>(tolerance)) << sizes.keys << " keys";
    }
}

}  // namespace
