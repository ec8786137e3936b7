// SPDX-License-Identifier: Apache-2.0
// segments == one: a prompt that comes in several messages. After each but the last the model
// answers, and the answer is taken back by a snapshot.
#include <fmt/format.h>

#include "engine/checks/pass.h"
#include "engine/checks/tally.h"

namespace engine::checks {
namespace {

constexpr std::int64_t answer_tokens = 2;

// Answers greedily, then forgets the answer.
void answer_and_take_back(model::Session& session, std::int32_t token) {
    const model::Snapshot kept = session.snapshot();
    for (std::int64_t i = 0; i < answer_tokens; ++i) {
        session.forward({&token, 1}, model::Rows::last, [&](const model::LogitsBlock& block) {
            token = model::pick(block, 0).token;
        });
    }
    session.restore(kept);
}

// `ends`: where each message but the last ends.
void converse(Pass& pass, Ids tokens, std::vector<std::int64_t> ends, Comparison& comparison) {
    ends.push_back(static_cast<std::int64_t>(tokens.size()));
    std::int64_t begin = 0;
    for (const std::int64_t end : ends) {
        const auto message =
            tokens.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(end - begin));
        std::int32_t token = 0;
        pass.session.observe([&](const model::Residual& residual) { comparison.take(residual); });
        pass.session.forward(message, model::Rows::last, [&](const model::LogitsBlock& block) {
            token = model::pick(block, 0).token;
            comparison.take(block);
        });
        pass.session.observe({});
        if (end != ends.back()) {
            answer_and_take_back(pass.session, token);
        }
        begin = end;
    }
}

// Ends of `messages` messages, drawn; fewer where the prompt is too short for so many.
std::vector<std::int64_t> ends(Draw& draw, std::int64_t messages, std::int64_t tokens) {
    std::vector<std::int64_t> places;
    for (std::int64_t i = 1; i < messages; ++i) {
        places.push_back(draw.between(1, tokens - 1));
    }
    std::sort(places.begin(), places.end());
    places.erase(std::unique(places.begin(), places.end()), places.end());
    return places;
}

}  // namespace

Outcome check_segments(const Subject& subject) {
    const std::int64_t tokens = count_of(subject);
    if (tokens < 2) {
        return skipped("segments", "a prompt of 1 token is one message; give 2 or more");
    }
    const Recording one = record(subject);
    Tally tally("segments", subject.model.geometry());
    Draw draw(subject.seed);
    for (const std::int64_t messages : {2, 3, 5}) {
        const auto places = ends(draw, messages, tokens);
        Pass pass(subject, answer_tokens);
        Comparison comparison(one);
        converse(pass, subject.tokens, places, comparison);
        tally.add(fmt::format("messages end at {}", fmt::join(places, ", ")), comparison);
    }
    return tally.outcome();
}

}  // namespace engine::checks
