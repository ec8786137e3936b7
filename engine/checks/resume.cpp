// SPDX-License-Identifier: Apache-2.0
// resume == fresh: from a kept state, and really from it.
#include <fmt/format.h>

#include <set>

#include "engine/checks/pass.h"
#include "engine/checks/tally.h"

namespace engine::checks {
namespace {

class Resume {
  public:
    explicit Resume(const Subject& subject)
        : subject_(subject),
          fresh_(record(subject)),
          tally_("resume", subject.model.geometry()),
          first_(subject) {}

    void at(std::int64_t prefix) {
        prefix_ = prefix;
        first_.session.reset();
        first_.feed_unseen(tokens().first(static_cast<std::size_t>(prefix)));
        const model::Snapshot kept = first_.session.snapshot();
        go_on(first_, fmt::format("after a snapshot at {}, untouched", prefix));
        first_.session.restore(kept);
        first_.feed_unseen(others().subspan(static_cast<std::size_t>(first_.session.position())));
        restored(first_, kept, fmt::format("at {} in the same session, after others", prefix));
        Pass other(subject_);
        restored(other, kept, fmt::format("at {} in a fresh session", prefix));
        Pass larger(subject_, 1000, first_.session.threads() + 1);
        restored(larger, kept,
                 fmt::format("at {} in a larger session with {} threads", prefix,
                             larger.session.threads()));
    }

    const Outcome& outcome() const { return tally_.outcome(); }

  private:
    Ids tokens() const { return subject_.tokens; }

    // As long as the prompt, and nowhere equal to it.
    Ids others() {
        if (others_.empty()) {
            for (const std::int32_t id : subject_.tokens) {
                others_.push_back(
                    static_cast<std::int32_t>((id + 1) % subject_.model.geometry().vocab));
            }
        }
        return others_;
    }

    // What the session still lacks, wherever it stands.
    void go_on(Pass& pass, const std::string& name) {
        const std::int64_t from = pass.session.position();
        Comparison comparison(fresh_, from);
        pass.feed(tokens().subspan(static_cast<std::size_t>(from)), comparison);
        tally_.add(name, comparison);
    }

    // Equal rows are not enough: the prefix must not have been run again.
    void restored(Pass& pass, const model::Snapshot& kept, const std::string& name) {
        const auto before = pass.session.counters().tokens;
        pass.session.restore(kept);
        const std::int64_t position = pass.session.position();
        if (position != prefix_) {
            tally_.fail(name, fmt::format("nothing was reused: the session is at position {}, "
                                          "expected {}",
                                          position, prefix_));
            return;
        }
        go_on(pass, name);
        const auto run = pass.session.counters().tokens - before;
        const auto lacking = static_cast<std::uint64_t>(count_of(subject_) - prefix_);
        if (run != lacking) {
            tally_.fail(name + " (rows)",
                        fmt::format("{} tokens were run, expected {}", run, lacking));
        }
    }

    const Subject& subject_;
    const Recording fresh_;
    Tally tally_;
    Pass first_;
    std::vector<std::int32_t> others_;
    std::int64_t prefix_ = 0;
};

// Half, all but one, a drawn one, and the last multiple of 128.
std::set<std::int64_t> prefixes(std::int64_t tokens, std::uint64_t seed) {
    std::set<std::int64_t> all{tokens / 2, tokens - 1, Draw(seed).between(1, tokens - 1)};
    if (tokens > 128) {
        all.insert((tokens - 1) / 128 * 128);
    }
    return all;
}

}  // namespace

Outcome check_resume(const Subject& subject) {
    const std::int64_t tokens = count_of(subject);
    if (tokens < 2) {
        return skipped("resume", "a prompt of 1 token has no prefix to keep; give 2 or more");
    }
    Resume resume(subject);
    for (const std::int64_t prefix : prefixes(tokens, subject.seed)) {
        resume.at(prefix);
    }
    return resume.outcome();
}

}  // namespace engine::checks
