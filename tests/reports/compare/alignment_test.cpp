// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/alignment.h"

#include <gtest/gtest.h>

#include <random>

namespace reports::compare {
namespace {

using Sequence = std::vector<Launched>;

// One letter a kernel; a digit behind it is its shape.
Sequence of(const std::string& text) {
    Sequence out;
    for (const char c : text) {
        if (c >= '0' && c <= '9')
            out.back().shape = c;
        else
            out.push_back({std::string(1, c), ""});
    }
    return out;
}

// "x=x ab>c +n -o": as, sign, bs.
std::string aligned(const std::string& a_text, const std::string& b_text) {
    const Sequence a = of(a_text), b = of(b_text);
    std::string out;
    for (const Aligned& one : align(a, b)) {
        out += out.empty() ? "" : " ";
        for (const std::size_t i : one.a) out += a[i].name;
        out += one.match == Match::matched   ? "="
               : one.match == Match::renamed ? "~"
               : one.match == Match::split   ? "<"
               : one.match == Match::fused   ? ">"
               : one.match == Match::added   ? "+"
                                             : "-";
        for (const std::size_t j : one.b) out += b[j].name;
    }
    return out;
}

TEST(Alignment, equal_sequences_match_one_by_one) {
    EXPECT_EQ(aligned("abc", "abc"), "a=a b=b c=c");
    EXPECT_EQ(aligned("", ""), "");
}

TEST(Alignment, what_is_left_between_anchors_is_the_same_work_by_another_name) {
    EXPECT_EQ(aligned("axc", "ayc"), "a=a x~y c=c");
    EXPECT_EQ(aligned("axzc", "aywc"), "a=a x~y z~w c=c") << "as many: in order";
}

TEST(Alignment, one_for_two_is_split_and_two_for_one_fused) {
    EXPECT_EQ(aligned("axc", "aywc"), "a=a x<yw c=c");
    EXPECT_EQ(aligned("axzc", "ayc"), "a=a xz>y c=c");
}

TEST(Alignment, one_side_alone_is_new_or_gone) {
    EXPECT_EQ(aligned("ac", "abc"), "a=a +b c=c");
    EXPECT_EQ(aligned("abc", "ac"), "a=a b- c=c");
    EXPECT_EQ(aligned("", "ab"), "+a +b");
    EXPECT_EQ(aligned("ab", ""), "a- b-");
}

TEST(Alignment, leftovers_do_not_pair_across_an_anchor) {
    EXPECT_EQ(aligned("xa", "ay"), "x- a=a +y");
}

TEST(Alignment, another_launch_shape_is_the_same_kernel_unless_its_own_shape_is_there) {
    EXPECT_EQ(aligned("a1b", "a2b"), "a=a b=b");
    EXPECT_EQ(aligned("a1", "a2a1"), "+a a=a");
}

// Longest by trying all of them.
std::size_t longest(const Sequence& a, const Sequence& b, std::size_t i = 0, std::size_t j = 0) {
    if (i == a.size() || j == b.size()) return 0;
    std::size_t best = std::max(longest(a, b, i + 1, j), longest(a, b, i, j + 1));
    if (a[i].name == b[j].name && a[i].shape == b[j].shape)
        best = std::max(best, 1 + longest(a, b, i + 1, j + 1));
    return best;
}

void expect_each_once_in_order(const std::vector<Aligned>& all, std::size_t a, std::size_t b) {
    std::size_t next_a = 0, next_b = 0;
    for (const Aligned& one : all) {
        for (const std::size_t i : one.a) EXPECT_EQ(i, next_a++);
        for (const std::size_t j : one.b) EXPECT_EQ(j, next_b++);
        EXPECT_EQ(one.a.empty(), one.match == Match::added);
        EXPECT_EQ(one.b.empty(), one.match == Match::gone);
        EXPECT_EQ(one.a.size() < one.b.size() && !one.a.empty(), one.match == Match::split);
        EXPECT_EQ(one.a.size() > one.b.size() && !one.b.empty(), one.match == Match::fused);
    }
    EXPECT_EQ(next_a, a);
    EXPECT_EQ(next_b, b);
}

TEST(Alignment, anchors_are_as_many_as_a_search_of_all_subsequences_finds) {
    std::mt19937_64 random(3);
    const auto draw = [&](int letters, int shapes) {
        Sequence out;
        for (std::size_t n = random() % 8; n > 0; --n)
            out.push_back({std::string(1, static_cast<char>('a' + random() % letters)),
                           std::to_string(random() % shapes)});
        return out;
    };
    for (int i = 0; i < 6000; ++i) {
        const int letters = 1 + i % 5, shapes = 1 + i % 2;
        const Sequence a = draw(letters, shapes), b = draw(letters, shapes);
        const auto all = align(a, b);
        expect_each_once_in_order(all, a.size(), b.size());
        std::size_t anchors = 0;
        for (const Aligned& one : all) {
            if (one.match != Match::matched) continue;
            const Launched &x = a[one.a[0]], &y = b[one.b[0]];
            EXPECT_EQ(x.name, y.name);
            anchors += x.shape == y.shape;
        }
        EXPECT_EQ(anchors, longest(a, b));
    }
}

}  // namespace
}  // namespace reports::compare
