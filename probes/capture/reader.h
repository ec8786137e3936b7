// SPDX-License-Identifier: Apache-2.0
// Reads a capture file record by record, in memory that does not grow with the number of ranges.
#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <variant>

#include "probes/capture/records.h"

namespace probes::capture {

// Not a capture file, or one of a newer format. The message names the file, the place, the value
// seen and the versions this build reads. A truncated or damaged tail is not an error: it is Loss.
struct CaptureError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The file cannot be opened or read now; code() is the system's. Says nothing about what is in it,
// so it is no CaptureError.
struct CaptureUnreadable : std::system_error {
    using std::system_error::system_error;
};

using Record = std::variant<PathNode, PayloadSchema, Range>;

class Reader {
  public:
    // Throws CaptureError and CaptureUnreadable; so does next() the latter.
    explicit Reader(const std::filesystem::path& file);
    ~Reader();
    Reader(Reader&&) noexcept;
    Reader& operator=(Reader&&) noexcept;

    // The status may be replaced by a later one: final once next() returned nullopt.
    const ProcessInfo& process() const;

    // The next record, or nullopt at the end. A Range's payload points into the reader.
    std::optional<Record> next();

    // Complete once next() returned nullopt.
    const Loss& loss() const;

    // Names given to threads, by tid. Complete once next() returned nullopt.
    const std::map<std::uint32_t, std::string>& thread_names() const;

    // Blocks of kinds this build does not know, skipped. Not a loss: a later probe wrote more.
    std::uint64_t unknown_blocks() const;

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace probes::capture
