// SPDX-License-Identifier: Apache-2.0
// Store: opening, and deleting runs.
#include "reports/store/store.h"

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/migrate.h"

namespace reports {

namespace fs = std::filesystem;

Store::Store(fs::path folder, Access access) {
    store::Database database =
        store::open_database(folder, store::shipped_migrations(), {.access = access});
    impl_ = std::make_unique<Impl>(Impl{std::move(folder), std::move(database)});
}

Store::~Store() = default;
Store::Store(Store&&) noexcept = default;

const fs::path& Store::folder() const {
    return impl_->folder;
}

fs::path Store::raw_folder(Id run) const {
    return folder() / "raw" / std::to_string(run);
}

int Store::schema_version() const {
    return impl_->database.user_version();
}

Store::Impl& Store::impl() const {
    return *impl_;
}

namespace {

std::int64_t folder_bytes(const fs::path& folder) {
    std::int64_t bytes = 0;
    std::error_code error;
    for (const auto& entry : fs::recursive_directory_iterator(folder, error)) {
        if (entry.is_regular_file(error))
            bytes += static_cast<std::int64_t>(entry.file_size(error));
    }
    return bytes;
}

}  // namespace

std::int64_t Store::prune(const std::vector<Id>& runs, bool raw_only) {
    std::int64_t freed = 0;
    const auto statement = store::embedded(raw_only ? "store/statements/delete_raw_files.sql"
                                                    : "store/statements/delete_run.sql");
    for (const Id run : runs) {
        resolve_run(std::to_string(run));
        // Rows first: a raw file without a row is found by nobody, a row without its file misleads.
        store::Database::Transaction transaction(impl_->database);
        impl_->database.run(statement, {run});
        transaction.commit();
        freed += folder_bytes(raw_folder(run));
        std::error_code error;
        fs::remove_all(raw_folder(run), error);
        if (error) {
            throw StoreError(raw_folder(run).string() + ": cannot be removed (" + error.message() +
                             "); its rows are gone, delete the folder by hand");
        }
    }
    return freed;
}

}  // namespace reports
