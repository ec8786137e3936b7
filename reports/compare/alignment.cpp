// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/alignment.h"

#include <algorithm>
#include <cstdint>
#include <utility>

namespace reports::compare {
namespace {

using Sequence = std::vector<Launched>;

// A stretch of both sequences: [first, last) of each.
struct Stretch {
    std::size_t a, a_last, b, b_last;
};

using Anchors = std::vector<std::pair<std::size_t, std::size_t>>;

// Textbook dynamic programming; equal ends, which are nearly all there is, cost no table.
template <class Equal>
Anchors common_subsequence(const Sequence& a, const Sequence& b, Stretch in, Equal equal) {
    Anchors front, back;
    while (in.a < in.a_last && in.b < in.b_last && equal(a[in.a], b[in.b]))
        front.emplace_back(in.a++, in.b++);
    while (in.a < in.a_last && in.b < in.b_last && equal(a[in.a_last - 1], b[in.b_last - 1]))
        back.emplace_back(--in.a_last, --in.b_last);
    const std::size_t rows = in.a_last - in.a, columns = in.b_last - in.b;
    // length[i][j]: of the longest within a[i..] and b[j..].
    std::vector<std::vector<std::uint32_t>> length(rows + 1,
                                                   std::vector<std::uint32_t>(columns + 1));
    for (std::size_t i = rows; i-- > 0;)
        for (std::size_t j = columns; j-- > 0;)
            length[i][j] = equal(a[in.a + i], b[in.b + j])
                               ? length[i + 1][j + 1] + 1
                               : std::max(length[i + 1][j], length[i][j + 1]);
    for (std::size_t i = 0, j = 0; i < rows && j < columns;) {
        if (equal(a[in.a + i], b[in.b + j]))
            front.emplace_back(in.a + i++, in.b + j++);
        else
            ++(length[i + 1][j] >= length[i][j + 1] ? i : j);
    }
    front.insert(front.end(), back.rbegin(), back.rend());
    return front;
}

std::vector<std::size_t> numbers(std::size_t first, std::size_t last) {
    std::vector<std::size_t> out;
    for (; first < last; ++first) out.push_back(first);
    return out;
}

void pair_leftovers(const Stretch& in, std::vector<Aligned>& out) {
    const std::size_t of_a = in.a_last - in.a, of_b = in.b_last - in.b;
    if (of_a == of_b) {
        for (std::size_t i = 0; i < of_a; ++i)
            out.push_back({Match::renamed, {in.a + i}, {in.b + i}});
    } else if (of_b == 0) {
        for (std::size_t i = in.a; i < in.a_last; ++i) out.push_back({Match::gone, {i}, {}});
    } else if (of_a == 0) {
        for (std::size_t j = in.b; j < in.b_last; ++j) out.push_back({Match::added, {}, {j}});
    } else {
        out.push_back({of_b > of_a ? Match::split : Match::fused, numbers(in.a, in.a_last),
                       numbers(in.b, in.b_last)});
    }
}

// What lies between anchors goes to `between`.
template <class Between>
void walk(const Anchors& anchors, Stretch in, std::vector<Aligned>& out, Between between) {
    for (const auto& [i, j] : anchors) {
        between(Stretch{in.a, i, in.b, j});
        out.push_back({Match::matched, {i}, {j}});
        in.a = i + 1;
        in.b = j + 1;
    }
    between(in);
}

}  // namespace

std::vector<Aligned> align(const std::vector<Launched>& a, const std::vector<Launched>& b) {
    const auto same_launch = [](const Launched& x, const Launched& y) {
        return x.name == y.name && x.shape == y.shape;
    };
    const auto same_name = [](const Launched& x, const Launched& y) { return x.name == y.name; };
    std::vector<Aligned> out;
    const Stretch whole{0, a.size(), 0, b.size()};
    walk(common_subsequence(a, b, whole, same_launch), whole, out, [&](const Stretch& gap) {
        walk(common_subsequence(a, b, gap, same_name), gap, out,
             [&](const Stretch& rest) { pair_leftovers(rest, out); });
    });
    return out;
}

}  // namespace reports::compare
