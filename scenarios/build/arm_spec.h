// SPDX-License-Identifier: Apache-2.0
// ARM as users write it: `REF` or `build:DIR`, then any of `+args:...` and `+env:K=V`.
#pragma once

#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace scenarios::build {

// The message names the arm, the part and the accepted form.
struct ArmSyntax : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Where the program comes from: a git ref, a folder that holds a build, or (neither) the build
// that is at hand.
struct ArmSpec {
    std::string text;  // as written
    std::optional<std::string> ref, build_folder;
    std::vector<std::string> arguments;              // after the scenario's own
    std::map<std::string, std::string> environment;  // on top of the caller's
};

// Only "+args:" and "+env:" outside double quotes start a new part. One surrounding pair of double
// quotes around a part's value is removed; args are then split as a POSIX shell would. A text may
// begin with `args:` or `env:`: the build at hand, changed. Throws ArmSyntax.
ArmSpec parse_arm(const std::string& text);

}  // namespace scenarios::build
