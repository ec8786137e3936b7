// SPDX-License-Identifier: Apache-2.0
// The checks there are, and the recording they share.
#include <array>

#include "engine/checks/pass.h"

namespace engine::checks {
namespace {

constexpr std::array checks{
    Check{"chunked", "the prompt in pieces says what it says in one call", check_chunked},
    Check{"resume", "from a snapshot it goes on as from the beginning", check_resume},
    Check{"repeat", "run again, in any session, process or number of threads", check_repeat},
    Check{"segments", "the prompt as several messages with answers taken back", check_segments},
};

}  // namespace

std::span<const Check> all() {
    return checks;
}

const Check* find(std::string_view name) {
    for (const Check& check : checks) {
        if (check.name == name) {
            return &check;
        }
    }
    return nullptr;
}

Recording record(const Subject& subject) {
    Recording recording(subject.model.geometry(), subject.options.precision, count_of(subject));
    Pass(subject).feed(subject.tokens, recording);
    return recording;
}

}  // namespace engine::checks
