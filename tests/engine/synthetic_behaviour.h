// SPDX-License-Identifier: Apache-2.0
// Runs a synthetic model over random tokens and measures what its scales promise.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/synthetic/open.h"

namespace behaviour {

struct Layer {
    std::string kind;
    double rms = 0;         // of the residual stream after it
    double common = 0;      // share of its mean square that all tokens share
    double load = 0;        // moe: rows of the busiest expert over the mean
    std::int64_t idle = 0;  // moe: experts without a row
};

struct Seen {
    std::vector<Layer> layers;
    double embedding_rms = 0;
    double median_margin = 0;
    std::int64_t distinct_picks = 0;  // different tokens among the rows' top ones
    double seconds = 0;
};

// Tokens are drawn uniformly from the vocabulary, by `seed`.
Seen run(const engine::model::Model& model, std::int64_t tokens, std::uint64_t seed);

std::string table(const std::string& title, const Seen& seen);  // for the test's log

// A smaller member of a family: its config with some keys replaced.
engine::synthetic::Spec scaled(const std::string& name, const std::string& replacements);

}  // namespace behaviour
