// SPDX-License-Identifier: Apache-2.0
// What a comparison or a gate concluded, as the store keeps it with the run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace reports {

// One metric of a pair of arms, or one check of a gate.
struct StoredMetricVerdict {
    std::string a, b;  // arms; of a gate `a` is empty, and `b` too where all arms are meant
    std::string name;
    std::string verdict;  // "regressed"; "not gated" without a margin
    std::optional<double> ratio, lo, hi, level, margin;
    std::optional<std::int64_t> rounds;  // that were looked at
    std::string reason;

    bool operator==(const StoredMetricVerdict&) const = default;
};

struct StoredVerdict {
    std::string kind;  // "ab", "gate"
    std::string verdict;
    int exit_code = 4;
    std::vector<std::string> reasons;
    std::string suite_version;  // of the tare that concluded
    std::vector<StoredMetricVerdict> metrics;
};

// Whoever concluded it.
inline bool same_conclusion(const StoredVerdict& x, const StoredVerdict& y) {
    return x.kind == y.kind && x.verdict == y.verdict && x.exit_code == y.exit_code &&
           x.reasons == y.reasons && x.metrics == y.metrics;
}

}  // namespace reports
