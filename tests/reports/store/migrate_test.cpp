// SPDX-License-Identifier: Apache-2.0
// Old files are migrated and kept, new ones refused; nothing in between.
#include "reports/store/migrate.h"

#include <gmock/gmock.h>

#include "tests/reports/store/fixture.h"

namespace {

using reports::Store;
using reports::store::Database;
using reports::store::Migration;
using reports::store::open_database;
using testing::AllOf;
using testing::HasSubstr;
using tests::Folder;
using tests::message_of;
namespace fs = std::filesystem;

const std::vector<Migration> one = {
    {1, "001_friend.sql",
     "create table friend (name text) strict; insert into friend values ('Ada');"}};
const std::vector<Migration> two = {
    one[0],
    {2, "002_age.sql", "alter table friend add column age integer; update friend set age = 36;"}};
const std::vector<Migration> broken = {
    one[0], {2, "002_broken.sql", "delete from friend; alter table nobody add column x integer;"}};

std::int64_t age(const Database& database) {
    auto row = database.prepare("select age from friend");
    row.step();
    return row.need_integer("age");
}

TEST(migrate, shipped_steps_are_numbered_without_holes) {
    const auto steps = reports::store::shipped_migrations();
    ASSERT_FALSE(steps.empty());
    for (std::size_t i = 0; i < steps.size(); ++i) {
        EXPECT_EQ(steps[i].version, static_cast<int>(i) + 1) << steps[i].name;
    }
}

TEST(migrate, older_file_is_backed_up_and_migrated) {
    Folder folder;
    open_database(folder.path(), one, {});
    const Database database = open_database(folder.path(), two, {});
    EXPECT_EQ(database.user_version(), 2);
    EXPECT_EQ(age(database), 36);
    const Database backup(folder.path() / "tare.db.backup-v1", Database::Open::read_only, {});
    EXPECT_EQ(backup.user_version(), 1);
    auto row = backup.prepare("select name from friend");
    ASSERT_TRUE(row.step());
    EXPECT_EQ(row.need_text("name"), "Ada");
}

TEST(migrate, an_earlier_backup_is_never_overwritten) {
    Folder folder;
    tests::write_file(folder.path() / "tare.db.backup-v1", "precious");
    open_database(folder.path(), one, {});
    open_database(folder.path(), two, {});
    EXPECT_EQ(tests::read_file(folder.path() / "tare.db.backup-v1"), "precious");
    EXPECT_TRUE(fs::exists(folder.path() / "tare.db.backup-v1.2"));
}

TEST(migrate, new_file_makes_no_backup) {
    Folder folder;
    open_database(folder.path(), two, {});
    EXPECT_FALSE(fs::exists(folder.path() / "tare.db.backup-v1"));
    EXPECT_FALSE(fs::exists(folder.path() / "tare.db.backup-v0"));
}

TEST(migrate, newer_file_is_refused_with_both_versions) {
    Folder folder;
    open_database(folder.path(), two, {});
    const auto before = tests::read_file(folder.path() / "tare.db");
    for (const auto access : {Store::Access::read_write, Store::Access::read_only}) {
        EXPECT_THAT(message_of([&] { open_database(folder.path(), one, {.access = access}); }),
                    AllOf(HasSubstr("schema version 2"), HasSubstr("reads up to 1")));
    }
    EXPECT_EQ(tests::read_file(folder.path() / "tare.db"), before);
}

TEST(migrate, failed_step_leaves_the_file_as_it_was) {
    Folder folder;
    open_database(folder.path(), one, {});
    EXPECT_THAT(message_of([&] { open_database(folder.path(), broken, {}); }),
                AllOf(HasSubstr("002_broken.sql"), HasSubstr("as before")));
    const Database database = open_database(folder.path(), one, {});
    EXPECT_EQ(database.user_version(), 1);
    EXPECT_TRUE(database.prepare("select name from friend").step());
}

TEST(migrate, reader_of_an_older_file_migrates_it) {
    Folder folder;
    open_database(folder.path(), one, {});
    const Database database =
        open_database(folder.path(), two, {.access = Store::Access::read_only});
    EXPECT_EQ(age(database), 36);
    EXPECT_TRUE(fs::exists(folder.path() / "tare.db.backup-v1"));
}

}  // namespace
