// SPDX-License-Identifier: Apache-2.0
// Which kernels of two arms play the same part within one range path.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "reports/records/verdict.h"

namespace reports::compare {

// Kernels of a path in the order in which the process first ran them.
struct Launched {
    std::string name;   // base name
    std::string shape;  // of the launch; empty where a backend has none
};

// Kernels of A that kernels of B stand for: indices into the two sequences.
struct Aligned {
    Match match = Match::matched;
    std::vector<std::size_t> a, b;
};

// Anchors are a longest common subsequence of name and shape; between these one of names alone, as
// a kernel may be launched otherwise. What is left between two anchors is paired in order (renamed)
// when it is as many on both sides, else it is one whole: split where B has more kernels, fused
// where it has fewer; left on one side alone it is new or gone. Every index occurs once, in order.
std::vector<Aligned> align(const std::vector<Launched>& a, const std::vector<Launched>& b);

}  // namespace reports::compare
