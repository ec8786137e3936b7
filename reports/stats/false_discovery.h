// SPDX-License-Identifier: Apache-2.0
// Many tests at once: q-values (Y. Benjamini, Y. Hochberg, J. R. Statist. Soc. B 57, 1995).
#pragma once

#include <vector>

namespace reports::stats {

// q of each p, in the order given: the smallest share of false discoveries at which it would count
// as one. Values outside [0, 1]: std::invalid_argument.
std::vector<double> benjamini_hochberg(const std::vector<double>& p);

// Whether n rounds can lead to a q of `level` among m tests at all: the smallest two-sided p of n
// signs is 2^(1-n). A q that cannot be reached is not printed.
bool q_within_reach(int n, int m, double level = 0.05);

}  // namespace reports::stats
