// SPDX-License-Identifier: Apache-2.0
// chunked == whole: a row's result does not depend on the rows that share its call.
#include <fmt/format.h>

#include "engine/checks/pass.h"
#include "engine/checks/tally.h"

namespace engine::checks {
namespace {

constexpr std::int64_t stride = 128;  // the scan's chunks, and what other backends may cut at
constexpr std::int64_t few = 64;      // of the last tokens are also fed one by one
constexpr int drawn_cuts = 3;

struct Case {
    std::string name;
    std::vector<std::int64_t> cuts;  // ascending; where a piece begins, but the first
};

std::vector<std::int64_t> every(std::int64_t step, std::int64_t from, std::int64_t tokens) {
    std::vector<std::int64_t> cuts;
    for (std::int64_t cut = from; cut < tokens; cut += step) {
        cuts.push_back(cut);
    }
    return cuts;
}

// Never at a multiple of the stride, unless there is no other place.
std::int64_t odd_cut(Draw& draw, std::int64_t tokens) {
    const std::int64_t cut = draw.between(1, tokens - 1);
    return cut % stride == 0 ? cut - 1 : cut;
}

std::vector<Case> cases(std::int64_t tokens, std::uint64_t seed) {
    std::vector<Case> all;
    if (tokens > stride) {
        all.push_back({"cut at every multiple of 128", every(stride, stride, tokens)});
    }
    Draw draw(seed);
    std::vector<std::int64_t> together;
    for (int i = 0; i < drawn_cuts; ++i) {
        together.push_back(odd_cut(draw, tokens));
        all.push_back({fmt::format("cut at {}", together.back()), {together.back()}});
    }
    std::sort(together.begin(), together.end());
    together.erase(std::unique(together.begin(), together.end()), together.end());
    all.push_back({fmt::format("cut at {}", fmt::join(together, ", ")), together});
    all.push_back({"first token alone", {1}});
    all.push_back({"last token alone", {tokens - 1}});
    const std::int64_t from = std::max<std::int64_t>(1, tokens - few);
    all.push_back({from == 1 ? "token by token" : fmt::format("token by token from {}", from),
                   every(1, from, tokens)});
    return all;
}

}  // namespace

Outcome check_chunked(const Subject& subject) {
    const std::int64_t tokens = count_of(subject);
    if (tokens < 2) {
        return skipped("chunked", "a prompt of 1 token cannot be cut; give 2 or more");
    }
    const Recording whole = record(subject);
    Tally tally("chunked", subject.model.geometry());
    Pass pass(subject);
    for (const Case& c : cases(tokens, subject.seed)) {
        Comparison comparison(whole);
        pass.session.reset();
        pass.feed(subject.tokens, pieces_of(c.cuts, tokens), comparison);
        tally.add(c.name, comparison);
    }
    return tally.outcome();
}

}  // namespace engine::checks
