// SPDX-License-Identifier: Apache-2.0
// Closed descriptors at the start, and output that nothing took at the end.
#include "engine/format/standard_streams.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>

namespace {

using namespace engine::format;

// The exit code of a process of its own in which `body` runs.
template <class Body>
int in_child(const Body& body) {
    std::fflush(nullptr);
    const auto child = ::fork();
    if (child == 0) ::_exit(body());
    int status = 0;
    ::waitpid(child, &status, 0);
    return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

void stdout_to(const char* file) {
    ::dup2(::open(file, O_WRONLY), STDOUT_FILENO);
}

TEST(StandardStreams, that_are_closed_are_taken_by_no_other_file_and_fail) {
    EXPECT_EQ(in_child([] {
                  for (const int descriptor : {0, 1, 2}) ::close(descriptor);
                  open_standard_streams();
                  char byte = 0;
                  const bool other = ::open("/dev/null", O_RDONLY) > 2;
                  return other && ::read(0, &byte, 1) == -1 && ::write(1, &byte, 1) == -1 ? 7 : 8;
              }),
              7);
}

TEST(StandardStreams, that_are_open_stay) {
    EXPECT_EQ(in_child([] {
                  open_standard_streams();
                  stdout_to("/dev/null");
                  std::puts("text");
                  return exit_code_of_output("test", 0) == 0 ? 7 : 8;
              }),
              7);
}

TEST(StandardStreams, lost_output_is_exit_code_4_unless_the_code_is_worse) {
    const auto code_after = [](int code) {
        return in_child([code] {
            stdout_to("/dev/full");
            std::puts("text");
            return exit_code_of_output("test", code);
        });
    };
    EXPECT_EQ(code_after(0), 4);
    EXPECT_EQ(code_after(3), 4);
    EXPECT_EQ(code_after(2), 2);
    EXPECT_EQ(code_after(130), 130);
}

TEST(StandardStreams, the_reason_is_said_at_once) {
    EXPECT_EQ(in_child([] {
                  stdout_to("/dev/full");
                  try {
                      write_stdout("text");
                  } catch (const OutputLost& lost) {
                      return std::string(lost.what()).find("No space left") != std::string::npos &&
                                     !lost.reader_gone
                                 ? 7
                                 : 8;
                  }
                  return 9;
              }),
              7);
}

TEST(StandardStreams, a_reader_that_went_away_ends_nothing_by_a_signal) {
    EXPECT_EQ(in_child([] {
                  int ends[2];
                  if (::pipe(ends) != 0) return 1;
                  open_standard_streams();
                  ::dup2(ends[1], STDOUT_FILENO);
                  ::close(ends[0]);
                  std::puts("text");
                  const auto lost = lost_output();
                  return lost && lost->reader_gone && exit_code_of_output("test", 0) == 4 ? 7 : 8;
              }),
              7);
}

}  // namespace
