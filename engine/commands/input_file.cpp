// SPDX-License-Identifier: Apache-2.0
// Bounded reading of files that a person names.
#include "engine/commands/input_file.h"

#include <fmt/format.h>

#include "engine/commands/usage_error.h"
#include "engine/format/text_file.h"

namespace engine::commands {
namespace {

constexpr std::size_t block_bytes = 65'536;

// Guaranteed elision makes an object that cannot be moved.
format::OpenFile open(const std::string& file) {
    return as_usage([&] { return format::OpenFile::input(file); });
}

}  // namespace

std::string read_input(const std::string& file) {
    return as_usage(
        [&] { return format::read_text(format::OpenFile::input(file), max_input_bytes); });
}

InputLines::InputLines(const std::string& file) : file_(open(file)) {}

bool InputLines::fill() {
    block_.resize(block_bytes);
    block_.resize(as_usage([&] { return file_.read(block_.data(), block_.size()); }));
    at_ = 0;
    return !block_.empty();
}

bool InputLines::next(std::string& line) {
    line.clear();
    ++number_;
    while (at_ < block_.size() || fill()) {
        const auto end = std::min(block_.find('\n', at_), block_.size());
        line.append(block_, at_, end - at_);
        if (line.size() > max_input_bytes) {
            throw UsageError(fmt::format("{}: more than {} bytes; give a shorter text", where(),
                                         max_input_bytes));
        }
        at_ = end + 1;
        if (end < block_.size()) return true;
    }
    return !line.empty();
}

std::string InputLines::where() const {
    return fmt::format("{}, line {}", file_.name(), number_);
}

}  // namespace engine::commands
