// SPDX-License-Identifier: Apache-2.0
// What a person can do about an error of the system (errno).
#pragma once

#include <string>

namespace engine::format {

// A limit of the process or a lack of the machine: says nothing about the file that was named.
bool is_lack(int error);

// "Too many open files: raise the limit of open files (ulimit -n)": the system's words for the
// error and what to do about it.
std::string system_words(int error);

}  // namespace engine::format
