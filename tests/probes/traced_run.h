// SPDX-License-Identifier: Apache-2.0
// Runs the traced program under the probe and reads the captures it leaves.
#pragma once

#include <sys/types.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "probes/capture/reader.h"
#include "tests/fakes/temporary.h"

namespace probes {

struct Contents {
    capture::ProcessInfo process;
    std::map<std::uint32_t, capture::PathNode> nodes;
    std::vector<capture::PayloadSchema> schemas;
    std::vector<capture::Range> ranges;  // their `payload` is not valid any more
    std::vector<std::string> payloads;   // of ranges[i]
    std::map<std::uint32_t, std::string> thread_names;
    capture::Loss loss;

    // "outer/inner" of a range.
    std::string path(const capture::Range& range) const;

    // The only range of that path; fails the test and gives an empty one otherwise.
    capture::Range only(const std::string& path) const;
    std::vector<capture::Range> all(const std::string& path) const;
};

Contents read_capture(const std::filesystem::path& file);

using fakes::TemporaryFolder;
using Environment = std::map<std::string, std::string>;

// One run of `traced_program SCENE` with TARE_PROBE_OUT in a folder of its own.
class TracedRun {
  public:
    // Waits until the program ends, or for some 30 s.
    explicit TracedRun(const std::string& scene, const Environment& environment = {});

    // Only starts it; kill_it() ends it.
    struct Running {};

    TracedRun(Running, const std::string& scene);
    void kill_it();

    int status() const { return status_; }  // of waitpid

    bool exited_with(int code) const;
    bool was_killed_by(int signal) const;

    const std::string& said() const { return said_; }  // its stderr

    std::filesystem::path folder() const { return folder_->path(); }

    // Capture files, by name.
    std::vector<std::filesystem::path> files() const;
    Contents only_capture() const;

  private:
    void start(const std::string& scene, const Environment& environment);
    void wait_for_end();

    std::unique_ptr<TemporaryFolder> folder_ = std::make_unique<TemporaryFolder>();
    std::unique_ptr<TemporaryFolder> notes_ = std::make_unique<TemporaryFolder>();
    pid_t pid_ = 0;
    int status_ = -1;
    std::string said_;
};

std::string probe_library();

}  // namespace probes
