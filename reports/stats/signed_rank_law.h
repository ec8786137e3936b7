// SPDX-License-Identifier: Apache-2.0
// The exact law of Wilcoxon's T+, the sum of the ranks of the positive values, when every value is
// as likely to be positive as negative (F. Wilcoxon, Biometrics Bulletin 1, 1945).
//
// Adding a rank r to the law is p[t] <- (p[t] + p[t - r]) / 2. Every probability is a whole number
// over 2^n, so up to n = 53 doubles hold them exactly; beyond, each is off by at most n roundings.
#pragma once

#include <span>
#include <vector>

namespace reports::stats {

// More pairs than this are refused: 2^-1000 still fits a double, and the law takes a second.
inline constexpr int most_pairs = 1000;

// P(sum of the positive ones = t) for t = 0 .. sum of `ranks`; ranks > 0, as many as most_pairs at
// most (std::invalid_argument). Doubled mid-ranks give the conditional law under ties; ranks of 1
// give the binomial of a fair coin. No ranks: the sum is 0 for certain.
std::vector<double> sign_flip_law(std::span<const int> ranks);

std::vector<double> signed_rank_law(int n);  // ranks 1 .. n: no ties; t = 0 .. n(n+1)/2
std::vector<double> coin_law(int n);         // heads of n fair coins

double at_most(const std::vector<double>& law, int t);  // P(sum <= t); t < 0: 0

struct Tail {
    int c = -1;    // largest c with P(sum <= c) <= level; -1: not even P(sum = 0) fits
    double p = 0;  // P(sum <= c)
};

Tail tail_within(const std::vector<double>& law, double level);

}  // namespace reports::stats
