// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/clock.h"

#include <ctime>

namespace scenarios::run {

namespace {

std::int64_t now_ns(clockid_t clock) {
    timespec now{};
    clock_gettime(clock, &now);
    return std::int64_t{now.tv_sec} * 1'000'000'000 + now.tv_nsec;
}

}  // namespace

std::int64_t raw_now_ns() {
    return now_ns(CLOCK_MONOTONIC_RAW);
}

std::int64_t real_now_ns() {
    return now_ns(CLOCK_REALTIME);
}

std::string utc_text(std::int64_t real_ns) {
    const std::time_t seconds = real_ns / 1'000'000'000;
    std::tm parts{};
    gmtime_r(&seconds, &parts);
    char text[32];
    const std::size_t length = std::strftime(text, sizeof text, "%Y-%m-%dT%H:%M:%SZ", &parts);
    return {text, length};
}

}  // namespace scenarios::run
