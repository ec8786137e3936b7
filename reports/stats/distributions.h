// SPDX-License-Identifier: Apache-2.0
// Distributions that are not ours to compute. Boost.Math stays inside distributions.cpp.
#pragma once

namespace reports::stats {

// t with P(T <= t) = p. 0 < p < 1, freedom > 0 (std::domain_error).
double student_t_quantile(double p, double freedom);

}  // namespace reports::stats
