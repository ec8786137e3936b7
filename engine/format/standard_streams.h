// SPDX-License-Identifier: Apache-2.0
// Standard input, output and error of a program: safe at its start, and what was printed at its
// end.
#pragma once

#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>

namespace engine::format {

// First thing in main(). A descriptor 0 to 2 that is closed is opened on /dev/null, so that no file
// opened later takes its number; it is opened the wrong way round, so that reading from a closed
// standard input and writing to a closed standard output still fail. A reader that goes away is
// from now on an error of the write (SIGPIPE is ignored: children that are started inherit that
// unless whoever starts them resets it).
void open_standard_streams();

// stdout could not take everything. The message says why.
struct OutputLost : std::runtime_error {
    explicit OutputLost(int error);  // an errno; 0: not known any more

    bool reader_gone;  // who read it has had enough, as `head` has: not worth a message
};

void write_stdout(std::string_view text);  // pushed out at once; throws OutputLost

// Why stdout has not taken everything printed so far, by whatever function. Flushes; the reason is
// known only to the first who asks.
std::optional<OutputLost> lost_output();

// Last thing in main(): `code`, or 4 when output was lost and `code` says no worse, with a line on
// stderr that begins with `program` (none when the reader went away).
int exit_code_of_output(std::string_view program, int code);

}  // namespace engine::format
