// SPDX-License-Identifier: Apache-2.0
// What the process under test says about itself in its first line, and about a rep in the line
// that ends it. Only what the runner needs while it runs; ingest reads the lines in full.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace scenarios::run {

struct Hello {
    std::optional<int> protocol;
    std::optional<std::string> commit, dirty_diff_sha256, compiler, flags, build_type, sanitize;
    std::optional<std::string> model_name, model_sha256, prompt_sha256;
};

// nullopt: not a hello line.
std::optional<Hello> parse_hello(std::string_view line);

// begin_ns of a rep line (CLOCK_MONOTONIC_RAW). nullopt: not a rep line.
std::optional<std::int64_t> parse_rep_begin(std::string_view line);

}  // namespace scenarios::run
