// SPDX-License-Identifier: Apache-2.0
// Weighted row sums by hand: order, accumulation, bounds and overlap.
#include "engine/ops/weighted_row_sum.h"

#include <gmock/gmock.h>

#include "tests/engine/op_fixture.h"
#include "tests/engine/scratch_files.h"

namespace {

using namespace op_fixture;
using testing::ElementsAre;
using testing::HasSubstr;

template <class T>
class WeightedRowSums : public testing::Test {
  protected:
    // dst [rows, width] as it is before; indices and weights [rows, terms]; source [4, width].
    std::vector<T> sum(std::vector<T> dst,
                       const std::vector<std::int32_t>& indices,
                       const std::vector<T>& weights,
                       Index terms,
                       bool accumulate) const {
        const Index rows = static_cast<Index>(dst.size()) / width_;
        return everywhere<T>(0, [&](const Backend<T>& backend) {
            std::vector<T> result = dst;
            engine::cpu::weighted_row_sum(backend,
                                          call(result, indices, weights, terms, accumulate), rows);
            return result;
        });
    }

    engine::cpu::WeightedRowSum<T> call(std::vector<T>& dst,
                                        const std::vector<std::int32_t>& indices,
                                        const std::vector<T>& weights,
                                        Index terms,
                                        bool accumulate) const {
        return {.packed = source_.data(),
                .packed_rows = 4,
                .slots = indices.data(),
                .weights = weights.data(),
                .out = dst.data(),
                .width = width_,
                .top_k = terms,
                .accumulate = accumulate};
    }

    static constexpr Index width_ = 2;
    std::vector<T> source_{1, 2, 10, 20, 100, 200, 1000, 2000};
};

TYPED_TEST_SUITE(WeightedRowSums, Precisions);

TYPED_TEST(WeightedRowSums, are_stored_over_what_was_there) {
    EXPECT_THAT(this->sum({7, 7, 7, 7}, {0, 3, 1, 2}, {2, 1, 3, 4}, 2, false),
                ElementsAre(1002, 2004, 430, 860));
}

TYPED_TEST(WeightedRowSums, are_added_to_what_was_there) {
    EXPECT_THAT(this->sum({7, -7, 0.5, 1}, {0, 3, 1, 2}, {2, 1, 3, 4}, 2, true),
                ElementsAre(1009, 1997, 430.5, 861));
}

TYPED_TEST(WeightedRowSums, a_row_may_be_picked_twice_and_by_several) {
    EXPECT_THAT(this->sum({0, 0, 0, 0}, {1, 1, 1, 1}, {1, 2, 3, 4}, 2, false),
                ElementsAre(30, 60, 70, 140));
}

TYPED_TEST(WeightedRowSums, negative_and_zero_weights_count_as_such) {
    EXPECT_THAT(this->sum({1, 1}, {3, 2, 0}, {-1, 10, 0}, 3, true), ElementsAre(1, 1));
    EXPECT_THAT(this->sum({1, 1}, {3, 2, 0}, {0, 0, 0}, 3, false), ElementsAre(0, 0));
}

TYPED_TEST(WeightedRowSums, first_and_last_row_of_the_source_are_within_it) {
    EXPECT_THAT(this->sum({0, 0}, {0, 3}, {1, 1}, 2, false), ElementsAre(1001, 2002));
}

TYPED_TEST(WeightedRowSums, a_sum_of_no_terms_is_zero) {
    EXPECT_THAT(this->sum({5, 6}, {}, {}, 0, true), ElementsAre(5, 6));
    EXPECT_THAT(this->sum({5, 6}, {}, {}, 0, false), ElementsAre(0, 0));
}

TYPED_TEST(WeightedRowSums, of_no_rows_touch_nothing) {
    const Machine<TypeParam> machine(Set::automatic, 2, 0);
    std::vector<TypeParam> dst{5, 6};
    const std::vector<std::int32_t> indices;
    const std::vector<TypeParam> weights;
    engine::cpu::weighted_row_sum(*machine, this->call(dst, indices, weights, 3, true), 0);
    EXPECT_THAT(dst, ElementsAre(5, 6));
}

// In another order the small terms would be lost or kept otherwise.
TYPED_TEST(WeightedRowSums, terms_are_added_in_the_order_of_the_picks) {
    using T = TypeParam;
    const T big = sizeof(T) == 4 ? T(16777216) : T(9007199254740992);  // 1 is lost beside it
    EXPECT_THAT(this->sum({0, 0}, {0, 0, 0}, {big, 1, -big}, 3, false), ElementsAre(0, 0));
    EXPECT_THAT(this->sum({0, 0}, {0, 0, 0}, {big, -big, 1}, 3, false), ElementsAre(1, 2));
    EXPECT_THAT(this->sum({big, 0}, {0, 0}, {1, -1}, 2, true), ElementsAre(big, 0))
        << "the sum is complete before it is added";
}

// Wider than a block of columns, more rows than a task: against a plain loop, to the bit.
TYPED_TEST(WeightedRowSums, of_any_shape_are_those_of_a_plain_loop) {
    using T = TypeParam;
    for (const Index width : {1, 63, 64, 65, 200}) {
        const Index rows = 300, terms = 3, from = 50;
        const auto source = random<T>(from * width, 1), weights = random<T>(rows * terms, 2);
        const auto before = random<T>(rows * width, 3);
        std::vector<std::int32_t> indices(static_cast<std::size_t>(rows * terms));
        for (std::size_t i = 0; i < indices.size(); ++i) indices[i] = std::int32_t(i * 7 % 50);
        for (const bool accumulate : {false, true}) {
            std::vector<T> expected = before;
            for (Index i = 0; i < rows; ++i) {
                for (Index c = 0; c < width; ++c) {
                    T sum = 0;
                    for (Index j = 0; j < terms; ++j) {
                        const T term =
                            weights[i * terms + j] * source[indices[i * terms + j] * width + c];
                        sum = j == 0 ? term : sum + term;
                    }
                    T& dst = expected[i * width + c];
                    dst = accumulate ? dst + sum : sum;
                }
            }
            const auto seen = everywhere<T>(0, [&](const Backend<T>& backend) {
                std::vector<T> dst = before;
                engine::cpu::weighted_row_sum(backend,
                                              {.packed = source.data(),
                                               .packed_rows = from,
                                               .slots = indices.data(),
                                               .weights = weights.data(),
                                               .out = dst.data(),
                                               .width = width,
                                               .top_k = terms,
                                               .accumulate = accumulate},
                                              rows);
                return dst;
            });
            EXPECT_EQ(std::memcmp(seen.data(), expected.data(), seen.size() * sizeof(T)), 0)
                << width;
        }
    }
}

TYPED_TEST(WeightedRowSums, a_row_beyond_the_source_is_refused_before_anything_is_written) {
    const Machine<TypeParam> machine(Set::automatic, 2, 0);
    for (const std::int32_t wrong : {4, -1}) {
        std::vector<TypeParam> dst{5, 6, 7, 8};
        const std::vector<std::int32_t> indices{0, 1, 2, 0, wrong, 1};
        const std::vector<TypeParam> weights(6, TypeParam(1));
        const auto call = this->call(dst, indices, weights, 3, false);
        EXPECT_EQ(scratch::message_of([&] { engine::cpu::weighted_row_sum(*machine, call, 2); }),
                  "weighted_row_sum: row index [1, 1] is " + std::to_string(wrong) +
                      ", the source has 4 rows");
        EXPECT_THAT(dst, ElementsAre(5, 6, 7, 8));
        EXPECT_THROW(engine::cpu::weighted_row_sum(*machine, call, 2), std::out_of_range);
    }
}

TYPED_TEST(WeightedRowSums, the_destination_has_memory_of_its_own) {
    using T = TypeParam;
    const Machine<T> machine(Set::automatic, 2, 0);
    std::vector<T> memory(20, T(1));
    const std::vector<std::int32_t> indices{0, 1};
    const auto run = [&](T* packed, T* weights, T* out) {
        return scratch::message_of([&] {
            engine::cpu::weighted_row_sum(*machine,
                                          {.packed = packed,
                                           .packed_rows = 4,
                                           .slots = indices.data(),
                                           .weights = weights,
                                           .out = out,
                                           .width = 2,
                                           .top_k = 2},
                                          1);
        });
    };
    T* m = memory.data();
    EXPECT_EQ(run(m, m + 10, m + 8), "") << "side by side is no overlap";
    EXPECT_THAT(run(m, m + 10, m + 7), HasSubstr("the destination overlaps the source"));
    EXPECT_THAT(run(m + 3, m + 14, m + 2), HasSubstr("overlaps the source"));
    EXPECT_THAT(run(m + 4, m + 1, m), HasSubstr("overlaps the weights"));
}

TEST(WeightedRowSumOp, counts_the_destination_where_it_is_read) {
    namespace op = engine::ops::weighted_row_sum;
    const auto stored = op::work({.hidden = 10, .top_k = 3}).at(7);
    EXPECT_EQ(stored.bytes_read, 7 * 3 * (40 + 4 + 4));
    EXPECT_EQ(stored.bytes_written, 7 * 40);
    EXPECT_EQ(stored.flops, 7 * 2 * 3 * 10);
    const auto added = op::work({.hidden = 10, .top_k = 3, .accumulates = true}).at(7);
    EXPECT_EQ(added.bytes_read, stored.bytes_read + 7 * 40);
    EXPECT_EQ(added.flops, stored.flops + 7 * 10);
}

}  // namespace
