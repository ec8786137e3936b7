// SPDX-License-Identifier: Apache-2.0
#include "reports/records/tokens.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

namespace reports {
namespace {

using Answers = std::map<int, const OutputRow*>;

// Rows come by request, the most frequent first.
Answers answers_of(const Report& report, bool& repeats) {
    Answers first;
    for (const OutputRow& row : report.outputs)
        if (!first.try_emplace(row.request, &row).second) repeats = false;
    return first;
}

std::optional<std::int64_t> token_at(const OutputRow& row, std::size_t position) {
    if (position >= row.tokens.size()) return std::nullopt;
    return row.tokens[position];
}

std::size_t first_difference(const OutputRow& a, const OutputRow& b) {
    const auto [x, y] =
        std::mismatch(a.tokens.begin(), a.tokens.end(), b.tokens.begin(), b.tokens.end());
    return static_cast<std::size_t>(x - a.tokens.begin());
}

TokenVerdict::Divergence divergence_of(int request, const OutputRow& a, const OutputRow& b) {
    TokenVerdict::Divergence out{.request = request, .position = first_difference(a, b)};
    if (out.position < a.margins.size()) out.margin = a.margins[out.position];
    out.a_token = token_at(a, out.position);
    out.b_token = token_at(b, out.position);
    return out;
}

}  // namespace

TokenVerdict compare_tokens(const Report& a, const Report& b) {
    TokenVerdict out;
    const Answers of_a = answers_of(a, out.a_repeats), of_b = answers_of(b, out.b_repeats);
    if (of_a.empty() || of_b.empty()) return out;
    std::size_t positions = 0, equal = 0;
    for (const auto& [request, x] : of_a) {
        const auto found = of_b.find(request);
        static const OutputRow none;  // a request that B does not answer differs from the start
        const OutputRow& y = found == of_b.end() ? none : *found->second;
        for (std::size_t i = 0; i < std::max(x->tokens.size(), y.tokens.size()); ++i) {
            ++positions;
            equal += token_at(*x, i) == token_at(y, i);
        }
        if (!out.first_divergence && x->tokens != y.tokens)
            out.first_divergence = divergence_of(request, *x, y);
    }
    out.identical = !out.first_divergence && of_a.size() == of_b.size();
    out.agreement =
        positions == 0 ? 1 : static_cast<double>(equal) / static_cast<double>(positions);
    return out;
}

std::string token_sentence(const TokenVerdict& tokens, const std::string& a, const std::string& b) {
    if (!tokens.first_divergence)
        return fmt::format(
            "tokens differ: one of {} and {} answers requests that the other does not", a, b);
    const auto& at = *tokens.first_divergence;
    const auto shown = [](const std::optional<std::int64_t>& token) {
        return token ? std::to_string(*token) : std::string("the end");
    };
    return fmt::format(
        "tokens differ first at request {}, position {}: {} in {}, {} in {}{}; {:.1f} % of "
        "positions agree",
        at.request, at.position, shown(at.a_token), a, shown(at.b_token), b,
        at.margin ? fmt::format(", where the margin of {} is {:.3g} logits", a, *at.margin) : "",
        100 * tokens.agreement);
}

}  // namespace reports
