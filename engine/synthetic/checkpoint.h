// SPDX-License-Identifier: Apache-2.0
// Writes a synthetic checkpoint as a folder that any reader of the format can open.
#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <stdexcept>

#include "engine/synthetic/spec.h"

namespace engine::synthetic {

struct WriteOptions {
    std::filesystem::path directory;            // absent or empty
    std::uint64_t shard_bytes = 5'000'000'000;  // of weights in a file, unless one tensor is larger
    int threads = 0;                            // 0: one per core
    std::function<void(std::uint64_t, std::uint64_t)> progress;  // bytes written, of how many
    std::function<bool()> interrupted = [] { return false; };
};

struct Written {
    std::uint64_t bytes = 0;  // of the weights' files
    std::size_t shards = 0;
    std::size_t tensors = 0;
};

struct Interrupted : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The folder appears under its name when everything is written, not before: until then it is
// `.NAME.partial.PID` beside it, which is removed when anything fails. Memory does not grow with
// the model. Throws std::runtime_error with path, needed and free bytes, and what to do; and
// Interrupted.
Written write_checkpoint(const Spec& spec, const WriteOptions& options);

}  // namespace engine::synthetic
