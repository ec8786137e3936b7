// SPDX-License-Identifier: Apache-2.0
// Token checks: a prompt fed in another way, or again, must say the same, bit for bit.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/checks/recording.h"
#include "engine/model/model.h"
#include "engine/model/session.h"

namespace engine::checks {

struct Subject {
    const model::Model& model;
    model::SessionOptions options;  // of every session; max_tokens is the checks' own business
    std::vector<std::int32_t> tokens;
    std::uint64_t seed = 1;  // of the drawn cuts

    // Fills a recording from another process that runs the same prompt. Empty: no such case.
    std::function<void(Recording&)> fresh_process = {};
};

enum class Verdict : std::uint8_t { pass, fail, skipped };

std::string_view name(Verdict verdict);  // "PASS", "FAIL", "SKIPPED"

struct Outcome {
    std::string check;
    Verdict verdict = Verdict::skipped;  // never a pass
    std::string reason;                  // empty: it passed
    std::int64_t cases = 0;
    std::vector<std::string> failed;  // names of the cases that failed
    std::optional<Difference> first_difference;
    std::string first_case;  // where it was seen
};

struct Check {
    std::string_view name;
    std::string_view about;
    Outcome (*run)(const Subject&);
};

std::span<const Check> all();
const Check* find(std::string_view name);  // nullptr: there is none

// The prompt in one call, in a session of its own.
Recording record(const Subject& subject);

Outcome check_chunked(const Subject& subject);   // cut into calls, it says what it says whole
Outcome check_resume(const Subject& subject);    // from a kept state, what a fresh run says
Outcome check_repeat(const Subject& subject);    // again, elsewhere, on more threads: the same
Outcome check_segments(const Subject& subject);  // in several messages, what it says as one

}  // namespace engine::checks
