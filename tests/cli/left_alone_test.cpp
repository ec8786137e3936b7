// SPDX-License-Identifier: Apache-2.0
// What was not named, or was named by mistake, is left as it was.
#include <gtest/gtest.h>

#include <filesystem>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"

namespace {

namespace fs = std::filesystem;

fakes::Result score_to(const std::string& file) {
    return fakes::engine(
        {"score", "--model", fakes::small_bf16, "--tokens", "1,2", "--logits-out", file});
}

TEST(LogitsOut, leaves_files_with_names_like_its_own_alone) {
    const fakes::TemporaryFolder folder;
    const auto other = folder.write("a.tmp", "precious");
    const fs::path file = folder.path() / "a";
    EXPECT_EQ(score_to(file.string()).exit_code, 0);
    EXPECT_EQ(fs::file_size(other), 8U);
    EXPECT_GT(fs::file_size(file), 8U);
}

TEST(LogitsOut, writes_through_a_link) {
    const fakes::TemporaryFolder folder;
    const auto target = folder.write("target", "old");
    const fs::path link = folder.path() / "link";
    fs::create_symlink(target, link);
    EXPECT_EQ(score_to(link.string()).exit_code, 0);
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_GT(fs::file_size(target), 8U);
}

TEST(LogitsOut, never_replaces_a_device) {
    EXPECT_EQ(score_to("/dev/null").exit_code, 0);
    EXPECT_TRUE(fs::is_character_file("/dev/null"));
}

}  // namespace
