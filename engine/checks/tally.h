// SPDX-License-Identifier: Apache-2.0
// Collects the cases of one check into its outcome.
#pragma once

#include <string>

#include "engine/checks/checks.h"

namespace engine::checks {

class Tally {
  public:
    Tally(std::string check, const model::Geometry& geometry) : geometry_(geometry) {
        outcome_.check = std::move(check);
        outcome_.verdict = Verdict::pass;
    }

    // Passes if the comparison is complete and without a difference.
    void add(const std::string& name, const Comparison& comparison);
    // Fails whatever was compared.
    void fail(const std::string& name, const std::string& why);

    const Outcome& outcome() const { return outcome_; }

  private:
    void note_failure(const std::string& name, const std::string& why);

    const model::Geometry& geometry_;
    Outcome outcome_;
};

Outcome skipped(std::string check, std::string reason);

}  // namespace engine::checks
