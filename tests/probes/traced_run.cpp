// SPDX-License-Identifier: Apache-2.0
// Starting, ending and reading traced programs.
#include "tests/probes/traced_run.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <fstream>
#include <iterator>

namespace probes {
namespace fs = std::filesystem;

std::string probe_library() {
    return std::string(TARE_BUILD_DIR) + "/lib/libtare-probe.so";
}

std::string Contents::path(const capture::Range& range) const {
    std::string path;
    for (std::uint32_t id = range.path; id != 0; id = nodes.at(id).parent) {
        path = path.empty() ? nodes.at(id).name : nodes.at(id).name + "/" + path;
    }
    return path;
}

std::vector<capture::Range> Contents::all(const std::string& wanted) const {
    std::vector<capture::Range> found;
    std::copy_if(ranges.begin(), ranges.end(), std::back_inserter(found),
                 [&](const capture::Range& range) { return path(range) == wanted; });
    return found;
}

capture::Range Contents::only(const std::string& wanted) const {
    const std::vector<capture::Range> found = all(wanted);
    EXPECT_EQ(found.size(), 1u) << wanted;
    return found.empty() ? capture::Range{} : found[0];
}

Contents read_capture(const fs::path& file) {
    Contents contents;
    capture::Reader reader(file);
    while (std::optional<capture::Record> record = reader.next()) {
        if (auto* node = std::get_if<capture::PathNode>(&*record)) {
            contents.nodes.emplace(node->id, *node);
        } else if (auto* schema = std::get_if<capture::PayloadSchema>(&*record)) {
            contents.schemas.push_back(*schema);
        } else {
            const auto& range = std::get<capture::Range>(*record);
            contents.ranges.push_back(range);
            contents.payloads.emplace_back(reinterpret_cast<const char*>(range.payload.data()),
                                           range.payload.size());
        }
    }
    contents.process = reader.process();
    contents.thread_names = reader.thread_names();
    contents.loss = reader.loss();
    return contents;
}

TracedRun::TracedRun(const std::string& scene, const Environment& environment) {
    start(scene, environment);
    wait_for_end();
}

TracedRun::TracedRun(Running, const std::string& scene) {
    start(scene, {});
}

void TracedRun::start(const std::string& scene, const Environment& environment) {
    Environment all = {{"NVTX_INJECTION64_PATH", probe_library()},
                       {"TARE_PROBE_OUT", folder().string()}};
    for (const auto& [name, value] : environment) {
        all[name] = value;
    }
    const std::string program = std::string(TARE_BUILD_DIR) + "/tests/probes/traced_program";
    const std::string notes = (notes_->path() / "stderr").string();
    pid_ = ::fork();
    if (pid_ != 0) {
        return;
    }
    ::setpgid(0, 0);  // so that nothing it starts outlives the test
    const int out = ::open(notes.c_str(), O_WRONLY | O_CREAT, 0600);
    ::dup2(out, STDERR_FILENO);
    for (const auto& [name, value] : all) {
        if (value.empty()) {
            ::unsetenv(name.c_str());
        } else {
            ::setenv(name.c_str(), value.c_str(), 1);
        }
    }
    ::execl(program.c_str(), "traced_program", scene.c_str(), nullptr);
    ::_exit(127);
}

void TracedRun::wait_for_end() {
    constexpr int longest_ms = 30'000;
    for (int waited_ms = 0; ::waitpid(pid_, &status_, WNOHANG) == 0; ++waited_ms) {
        if (waited_ms == longest_ms) {
            ADD_FAILURE() << "the program did not end";
            ::kill(-pid_, SIGKILL);
        }
        ::usleep(1000);
    }
    std::ifstream notes(notes_->path() / "stderr");
    said_ = std::string(std::istreambuf_iterator<char>(notes), {});
}

void TracedRun::kill_it() {
    ::kill(pid_, SIGKILL);
    wait_for_end();
}

bool TracedRun::exited_with(int code) const {
    return WIFEXITED(status_) && WEXITSTATUS(status_) == code;
}

bool TracedRun::was_killed_by(int signal) const {
    return WIFSIGNALED(status_) && WTERMSIG(status_) == signal;
}

std::vector<fs::path> TracedRun::files() const {
    std::vector<fs::path> found;
    for (const fs::directory_entry& entry : fs::directory_iterator(folder())) {
        if (entry.path().extension() == ".capture") {
            found.push_back(entry.path());
        }
    }
    std::sort(found.begin(), found.end());
    return found;
}

Contents TracedRun::only_capture() const {
    const std::vector<fs::path> found = files();
    EXPECT_EQ(found.size(), 1u) << said_;
    return found.empty() ? Contents{} : read_capture(found[0]);
}

}  // namespace probes
