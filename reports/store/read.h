// SPDX-License-Identifier: Apache-2.0
// Rows back into records, where more than one reader needs them.
#pragma once

#include "reports/store/database.h"

namespace reports::store {

// From a row with the columns of table run and machine.hostname. A run that is still "running"
// but whose process is gone reads as "interrupted".
Run read_run(const Statement& row);

}  // namespace reports::store
