// SPDX-License-Identifier: Apache-2.0
// Files that a person names: whole, or line by line, and never more than fits.
#pragma once

#include <cstddef>
#include <string>

#include "engine/format/open_file.h"

namespace engine::commands {

inline constexpr std::size_t max_input_bytes = 67'108'864;  // of a file, or of one line

// `-`, /dev/stdin and /dev/fd/N are what the process was given open. Throws UsageError naming the
// file: missing, a folder, a pipe or device by another name, not readable, over the limit.
std::string read_input(const std::string& file);

// The lines of such a file.
class InputLines {
  public:
    explicit InputLines(const std::string& file);  // throws UsageError

    // False: no more lines. Throws UsageError for a line over the limit, and when reading fails.
    bool next(std::string& line);

    std::string where() const;  // file and line, for messages

  private:
    bool fill();  // false: at the end

    format::OpenFile file_;
    std::string block_;
    std::size_t at_ = 0;
    std::size_t number_ = 0;
};

}  // namespace engine::commands
