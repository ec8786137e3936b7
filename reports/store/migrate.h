// SPDX-License-Identifier: Apache-2.0
// Brings a database file to this build's schema, or says why it cannot be.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/store/database.h"

namespace reports::store {

// One step of the schema: reports/schema/NNN_name.sql takes a file from version NNN - 1 to NNN.
struct Migration {
    int version = 0;
    std::string name;
    std::string_view sql;
};

// The steps built into this binary, in order.
std::vector<Migration> shipped_migrations();

struct OpenOptions {
    Store::Access access = Store::Access::read_write;
    Patience patience = {};
};

// Opens <folder>/tare.db. Read-write: creates folder and schema; an older file is first copied to
// tare.db.backup-v<N>, then migrated in one transaction. Read-only works on a folder that cannot
// be written. Throws StoreError, with both versions when the file is newer than this build.
Database open_database(const std::filesystem::path& folder,
                       std::span<const Migration> migrations,
                       const OpenOptions& options);

}  // namespace reports::store
