// SPDX-License-Identifier: Apache-2.0
// Verdicts of comparisons and gates: one a run, replaced as a whole.
#pragma once

#include <optional>

#include "reports/records/stored_verdict.h"
#include "reports/store/store.h"

namespace reports::store {

void replace_verdict(Store& store, Id run, const StoredVerdict& verdict);

// nullopt: nothing was concluded from this run, or by a tare that did not keep it.
std::optional<StoredVerdict> verdict_of(const Store& store, Id run);

}  // namespace reports::store
