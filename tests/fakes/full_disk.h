// SPDX-License-Identifier: Apache-2.0
// A disk that is full after a number of bytes (tests/fakes/disk_full.cpp, preloaded).
#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <string>
#include <utility>
#include <vector>

#include "tests/fakes/temporary.h"

namespace fakes {

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool preload_works = false;  // a sanitizer's runtime must come first in a process
#else
constexpr bool preload_works = true;
#endif

class FullDisk {
  public:
    // Files below `under` share `after` bytes, over all processes that get env().
    FullDisk(std::string under, std::int64_t after) : under_(std::move(under)), after_(after) {
        counter_ = folder_.write("counter", std::string(8, '\0')).string();
    }

    std::vector<std::pair<std::string, std::string>> env() const {
        return {{"LD_PRELOAD", TARE_BUILD_DIR "/tests/fakes/disk-full.so"},
                {"DISK_FULL_UNDER", under_},
                {"DISK_FULL_AFTER", std::to_string(after_)},
                {"DISK_FULL_COUNTER", counter_}};
    }

    // Bytes that processes wanted to write so far.
    std::int64_t wanted() const {
        std::ifstream in(counter_, std::ios::binary);
        std::int64_t bytes = 0;
        in.read(reinterpret_cast<char*>(&bytes), sizeof bytes);
        return bytes;
    }

    bool was_full() const { return wanted() > after_; }

  private:
    TemporaryFolder folder_;
    std::string under_, counter_;
    std::int64_t after_;
};

}  // namespace fakes
