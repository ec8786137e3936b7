// SPDX-License-Identifier: Apache-2.0
// What a Store owns. For the files of reports/ that read and write its tables.
#pragma once

#include <filesystem>

#include "reports/store/database.h"
#include "reports/store/store.h"

namespace reports {

struct Store::Impl {
    std::filesystem::path folder;
    mutable store::Database database;
};

}  // namespace reports
