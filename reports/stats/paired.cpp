// SPDX-License-Identifier: Apache-2.0
#include "reports/stats/paired.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include <fmt/format.h>

namespace reports::stats {
namespace {

// ln(b/a) as sign * ln(larger/smaller): exact mirror images when the arms change places, and ties
// where whole numbers have the same quotient.
double log_ratio(double a, double b) {
    const auto [small, large] = std::minmax(a, b);
    const double quotient = large / small;
    const double size =
        std::isfinite(quotient) ? std::log(quotient) : std::log(large) - std::log(small);
    return b < a ? -size : size;
}

std::string where(const PairedRound& pair, const char* arm, double value) {
    return fmt::format("round {}, arm {}: {}", pair.round, arm, value);
}

// The worst of both values decides: not finite before not positive.
void narrow(PairedSample& sample, const PairedRound& pair) {
    const auto to = [&](Scale scale, std::string reason) {
        if (sample.scale >= scale) return;
        sample.scale = scale;
        sample.reason = std::move(reason);
    };
    for (const auto& [arm, value] : {std::pair{"a", *pair.a}, std::pair{"b", *pair.b}}) {
        if (!std::isfinite(value)) {
            to(Scale::reported_only, where(pair, arm, value) + " is not finite");
        } else if (value <= 0) {
            to(Scale::difference, where(pair, arm, value) + " has no logarithm");
        }
    }
    if (!std::isfinite(*pair.b - *pair.a))
        to(Scale::reported_only, fmt::format("round {}: B - A is not finite", pair.round));
}

std::string missing(const PairedRound& pair) {
    return fmt::format("{} no value in round {}",
                       pair.a ? "arm b has" : (pair.b ? "arm a has" : "both arms have"),
                       pair.round);
}

}  // namespace

PairedSample paired_sample(std::span<const PairedRound> rounds, Direction direction) {
    PairedSample sample;
    for (std::size_t i = 0; i < rounds.size(); ++i) {
        if (!rounds[i].a || !rounds[i].b) {
            sample.left_out.push_back({rounds[i].round, missing(rounds[i])});
            continue;
        }
        sample.kept.push_back(i);
        narrow(sample, rounds[i]);
    }
    if (sample.scale == Scale::reported_only) return sample;
    for (const std::size_t i : sample.kept) {
        const double a = *rounds[i].a, b = *rounds[i].b;
        const double worse = sample.scale == Scale::log_ratio ? log_ratio(a, b) : b - a;
        sample.worse.push_back(direction == Direction::higher ? -worse : worse);
    }
    return sample;
}

std::optional<double> margin_on(Scale scale, const Margin& margin) {
    if (scale == Scale::log_ratio && margin.share) return std::log1p(*margin.share);
    if (scale == Scale::difference) return margin.absolute;
    return std::nullopt;
}

}  // namespace reports::stats
