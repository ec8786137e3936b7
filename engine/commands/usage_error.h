// SPDX-License-Identifier: Apache-2.0
// The error of a person who must change what they asked for: exit code 2.
#pragma once

#include <filesystem>
#include <stdexcept>

#include "engine/format/file_message.h"

namespace engine::commands {

// The message says what, where, the value seen, the limit, and what to do next.
struct UsageError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// What `make` throws about its arguments is the person's to mend.
template <class Make>
auto as_usage(Make make) {
    try {
        return make();
    } catch (const UsageError&) {
        throw;
    } catch (const std::filesystem::filesystem_error& error) {
        throw UsageError(format::file_message(error));
    } catch (const std::logic_error& error) {  // invalid_argument, out_of_range
        throw UsageError(error.what());
    } catch (const std::runtime_error& error) {  // files
        throw UsageError(error.what());
    }
}

}  // namespace engine::commands
