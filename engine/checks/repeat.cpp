// SPDX-License-Identifier: Apache-2.0
// repeat == repeat: the same bytes every time.
#include <fmt/format.h>

#include "engine/checks/pass.h"
#include "engine/checks/tally.h"

namespace engine::checks {

Outcome check_repeat(const Subject& subject) {
    Tally tally("repeat", subject.model.geometry());
    Recording first(subject.model.geometry(), subject.options.precision, count_of(subject));
    Pass pass(subject);
    pass.feed(subject.tokens, first);
    const auto again = [&](const std::string& name, Pass& other) {
        Comparison comparison(first);
        other.feed(subject.tokens, comparison);
        tally.add(name, comparison);
    };
    pass.session.reset();
    again("same session after a reset", pass);
    Pass fresh(subject);
    again("fresh session", fresh);
    for (const int threads : {1, 2, 4}) {
        if (threads == pass.session.threads()) continue;
        Pass other(subject, 0, threads);
        again(fmt::format("fresh session with {} thread{}", threads, threads > 1 ? "s" : ""),
              other);
    }
    if (subject.fresh_process) {
        Recording elsewhere(subject.model.geometry(), subject.options.precision, count_of(subject));
        subject.fresh_process(elsewhere);
        Comparison comparison(first);
        elsewhere.replay(comparison);
        tally.add("fresh process", comparison);
    }
    return tally.outcome();
}

}  // namespace engine::checks
