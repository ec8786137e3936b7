// SPDX-License-Identifier: Apache-2.0
// Files that people name: whole, by line, missing, too large.
#include "engine/commands/input_file.h"

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include "engine/commands/usage_error.h"
#include "engine/format/sha256.h"
#include "tests/engine/scratch_files.h"

namespace {

using engine::commands::InputLines, engine::commands::max_input_bytes, engine::commands::read_input;
using testing::AllOf, testing::HasSubstr;

std::string refusal(const std::filesystem::path& file) {
    return scratch::message_of([&] { read_input(file.string()); });
}

TEST(InputFile, is_read_whole) {
    const scratch::Directory directory;
    const std::string text("a\0b\r\n\xFF", 6);
    EXPECT_EQ(read_input(directory.write("a", text).string()), text);
    EXPECT_EQ(read_input(directory.write("empty", "").string()), "");
}

TEST(InputFile, that_cannot_be_read_is_named_with_the_reason) {
    const scratch::Directory directory;
    EXPECT_THAT(refusal("/nowhere/a.txt"), AllOf(HasSubstr("/nowhere/a.txt: cannot be opened"),
                                                 HasSubstr("No such file or directory")));
    EXPECT_THAT(refusal(directory.path()), HasSubstr("is a directory, not a regular file"));
    if (::geteuid() == 0) return;  // root may read everything
    const auto secret = directory.write("secret", "x");
    ::chmod(secret.c_str(), 0);
    EXPECT_THAT(refusal(secret), HasSubstr("Permission denied"));
}

// The size is asked for first, so that not a byte of a huge file is read.
TEST(InputFile, of_two_gigabytes_is_refused_at_once) {
    const scratch::Directory directory;
    const auto file = directory.write("sparse", "x");
    std::filesystem::resize_file(file, std::uintmax_t{2} << 30);
    EXPECT_THAT(refusal(file), HasSubstr("2147483648 bytes, over the limit of 67108864"));
    std::filesystem::resize_file(file, max_input_bytes);
    EXPECT_EQ(read_input(file.string()).size(), max_input_bytes);
}

// Opening a pipe would wait for a writer, a device may wait or never end.
TEST(InputFile, that_is_a_pipe_or_a_device_is_refused_at_once) {
    const scratch::Directory directory;
    const auto pipe = (directory.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    EXPECT_THAT(refusal(pipe), HasSubstr("pipe: is a pipe, not a regular file"));
    EXPECT_THAT(scratch::message_of([&] { InputLines lines(pipe); }), HasSubstr("is a pipe"));
    EXPECT_THAT(scratch::message_of([&] { engine::format::sha256_file(pipe); }),
                HasSubstr("is a pipe"));
    EXPECT_THAT(refusal("/dev/zero"), HasSubstr("is a device, not a regular file"));
}

// What a shell's <(…) names, and the limit where the size is not known.
TEST(InputFile, that_the_process_was_given_open_may_be_a_pipe_or_a_device) {
    int ends[2];
    ASSERT_EQ(::pipe(ends), 0);
    ASSERT_EQ(::write(ends[1], "one\ntwo", 7), 7);
    ::close(ends[1]);
    const auto name = "/dev/fd/" + std::to_string(ends[0]);
    InputLines lines(name);
    std::string line;
    EXPECT_TRUE(lines.next(line) && line == "one");
    EXPECT_TRUE(lines.next(line) && line == "two");
    EXPECT_FALSE(lines.next(line));
    EXPECT_EQ(read_input(name), "");
    ::close(ends[0]);
    EXPECT_THAT(refusal(name), HasSubstr("cannot be opened: Bad file descriptor"));
    const int zero = ::open("/dev/zero", O_RDONLY);
    EXPECT_THAT(refusal("/proc/self/fd/" + std::to_string(zero)),
                HasSubstr("more than 67108864 bytes"));
    ::close(zero);
}

TEST(InputFile, comes_line_by_line_too) {
    const scratch::Directory directory;
    InputLines lines(directory.write("a", "one\n\nthree").string());
    std::string line;
    EXPECT_TRUE(lines.next(line));
    EXPECT_EQ(line, "one");
    EXPECT_TRUE(lines.next(line));
    EXPECT_EQ(line, "");
    EXPECT_THAT(lines.where(), HasSubstr("/a, line 2"));
    EXPECT_TRUE(lines.next(line));
    EXPECT_EQ(line, "three");
    EXPECT_FALSE(lines.next(line));
    EXPECT_THROW(InputLines("/nowhere"), engine::commands::UsageError);
    EXPECT_THROW(InputLines(directory.path().string()).next(line), engine::commands::UsageError);
}

}  // namespace
