// SPDX-License-Identifier: Apache-2.0
// Rows back into records, where more than one reader needs them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "reports/store/database.h"

namespace reports::store {

// A column that holds a JSON list or object. Throws StoreError naming file and column when it is
// damaged.
std::vector<std::string> need_texts(const Database& database,
                                    const Statement& row,
                                    const char* column);
std::map<std::string, std::string> need_text_map(const Database& database,
                                                 const Statement& row,
                                                 const char* column);

std::vector<std::int64_t> need_integers(const Database& database,
                                        const Statement& row,
                                        const char* column);
std::vector<double> need_numbers(const Database& database,
                                 const Statement& row,
                                 const char* column);

// From a row with the columns of table run and machine.hostname. A run that is still "running"
// but whose process is gone reads as "interrupted".
Run read_run(const Database& database, const Statement& row);

}  // namespace reports::store
