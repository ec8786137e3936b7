// SPDX-License-Identifier: Apache-2.0
// The fault table: planted defects by which tests show that a check can fail. Off by default.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace engine::trace {

enum class FaultKind : std::uint8_t { delay, launch, token, maths, exit, hang };

struct Fault {
    FaultKind kind = FaultKind::delay;
    std::string spec;           // as given on the command line
    std::string pattern;        // delay, launch, exit, hang: glob over the whole range path
    double percent = 0;         // delay: of the op's own time
    int launches = 0;           // launch: extra op ranges per match
    std::int64_t request = 0;   // token
    std::int64_t position = 0;  // token: 0-based index into the request's generated tokens
    std::string maths;          // maths: name of a planted arithmetic defect
    bool struck = false;        // a range matched it
};

// Throws std::invalid_argument: what is wrong with `spec`, and the accepted forms.
Fault parse_fault(std::string_view spec);

// `*` matches any characters, '/' included; everything else matches itself.
bool glob_match(std::string_view pattern, std::string_view path);

// What happens at a range path, all faults taken together.
struct Strike {
    double delay_percent = 0;
    int extra_launches = 0;
    bool exits = false;
    bool hangs = false;
};

class FaultTable {
  public:
    FaultTable() = default;
    explicit FaultTable(std::span<const std::string> specs);  // throws as parse_fault

    bool empty() const { return faults_.empty(); }

    bool watches_paths() const;  // some fault is bound to a range path

    // Of a range path, remembered: the globs are matched once per path.
    const Strike& strike(const std::string& path);

    std::vector<std::string> specs() const;
    std::vector<std::string> maths() const;

    // The tokens a request is reported to have generated: flipped to the next id where planted.
    void flip_tokens(std::int64_t request, std::int64_t vocab, std::span<std::int32_t> tokens);

    // Specs that no range and no token has met so far; `maths` is the session's to check.
    std::vector<std::string> unmet() const;

  private:
    std::vector<Fault> faults_;
    std::unordered_map<std::string, Strike> strikes_;
};

}  // namespace engine::trace
