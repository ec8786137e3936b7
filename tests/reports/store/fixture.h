// SPDX-License-Identifier: Apache-2.0
// A store in a folder of its own, removed when the test ends, and records to put into it.
#pragma once

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <string>

#include "reports/store/store.h"

namespace tests {

class Folder {
  public:
    Folder() {
        static std::atomic<int> next{0};
        // In memory where there is such a place: a store synchronises often.
        const std::filesystem::path memory = "/dev/shm";
        path_ = (std::filesystem::is_directory(memory) ? memory
                                                       : std::filesystem::temp_directory_path()) /
                ("tare-test-" + std::to_string(getpid()) + "-" + std::to_string(next++));
        std::filesystem::create_directories(path_);
    }

    ~Folder() {
        std::error_code error;
        std::filesystem::remove_all(path_, error);
    }

    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;

    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;
};

inline std::string read_file(const std::filesystem::path& path) {
    std::ifstream file(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
}

inline void write_file(const std::filesystem::path& path, const std::string& content) {
    std::ofstream file(path, std::ios::binary);
    file << content;
}

inline reports::Run a_run() {
    return {.started_utc = "2026-11-30T12:00:00Z",
            .command_line = {"tare", "run", "prefill-4k"},
            .suite_commit = "c0ffee",
            .backend = "cpu",
            .note = "first"};
}

inline reports::Scenario a_scenario() {
    return {.name = "prefill-4k",
            .resolved_json = R"({"reps":3})",
            .sha256 = "5ce",
            .prompt_sha256 = "9a0"};
}

inline reports::Machine a_machine() {
    char host[256] = "";
    gethostname(host, sizeof host - 1);
    return {.machine_class = "cpu-test-2",
            .hostname = host,
            .cpu_model = "Test CPU",
            .cores = 2,
            .memory_bytes = 8'000'000'000,
            .kernel = "6.1",
            .missing = {{"gpu_name", "no GPU"}}};
}

inline reports::Plan a_plan() {
    return {.timed_rounds = 3,
            .profiled_rounds = 1,
            .warm_up = 1,
            .reps = 2,
            .seed = 0xfedcba9876543210,
            .time_limit_s = 60,
            .json = "{}"};
}

inline reports::Arm an_arm() {
    return {.name = "a", .command = {"tare-engine", "bench"}, .environment = {{"K", "V"}}};
}

inline reports::Build a_build() {
    return {.binary_path = "/build/tare-engine",
            .binary_sha256 = "b1",
            .commit = "c0ffee",
            .compiler = "GNU-12.2",
            .flags = "-O2",
            .protocol = 1,
            .missing = {{"dirty_diff_sha256", "the tree was clean"}}};
}

inline reports::Model a_model() {
    return {.name = "small-bf16", .sha256 = "3d", .missing = {}};
}

inline reports::Trial a_trial(reports::Mode mode = reports::Mode::timed, int round = 0) {
    return {.round = round,
            .mode = mode,
            .valid = true,
            .exit_code = 0,
            .spawn_raw_ns = 1'000'000,
            .exit_raw_ns = 900'000'000,
            .start_real_ns = 1'700'000'000'000'000'000};
}

// What the StoreError that `body` throws says.
inline std::string message_of(const std::function<void()>& body) {
    try {
        body();
    } catch (const reports::StoreError& error) {
        return error.what();
    }
    return "(no StoreError)";
}

}  // namespace tests
