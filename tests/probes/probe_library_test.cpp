// SPDX-License-Identifier: Apache-2.0
// The probe's file: what it shows and what it needs.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdio>
#include <set>
#include <sstream>

#include "tests/probes/traced_run.h"

namespace probes {
namespace {

std::string output_of(const std::string& command) {
    std::FILE* pipe = ::popen(command.c_str(), "r");
    std::string output;
    std::array<char, 4096> buffer;
    while (const std::size_t count = std::fread(buffer.data(), 1, buffer.size(), pipe)) {
        output.append(buffer.data(), count);
    }
    ::pclose(pipe);
    return output;
}

TEST(probe_library, exports_the_three_entry_points_and_nothing_else) {
    std::istringstream lines(output_of("nm -D --defined-only " + probe_library()));
    std::set<std::string> names;
    std::string address;
    std::string type;
    std::string name;
    while (lines >> address >> type >> name) {
        names.insert(name);
    }
    EXPECT_EQ(names, (std::set<std::string>{"InitializeInjection", "InitializeInjectionNvtx2",
                                            "InitializeInjectionNvtxExtension"}));
}

#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST(probe_library, needs_only_the_c_library_and_stays_loaded) {
    const std::string dynamic = output_of("readelf -dW " + probe_library());
    std::istringstream lines(dynamic);
    std::string line;
    const std::set<std::string> allowed = {"libc.so.6", "libdl.so.2", "libpthread.so.0",
                                           "ld-linux-x86-64.so.2", "ld-linux-aarch64.so.1"};
    bool has_needed = false;
    while (std::getline(lines, line)) {
        if (line.find("(NEEDED)") == std::string::npos) {
            continue;
        }
        has_needed = true;
        const std::size_t begin = line.find('[') + 1;
        const std::string library = line.substr(begin, line.find(']') - begin);
        EXPECT_TRUE(allowed.contains(library)) << library;
    }
    EXPECT_TRUE(has_needed) << dynamic;
    EXPECT_NE(dynamic.find("NODELETE"), std::string::npos);
}
#endif

TEST(probe_library, without_a_folder_the_program_goes_on_untraced_and_says_so) {
    const TracedRun run("names", {{"TARE_PROBE_OUT", ""}});
    EXPECT_TRUE(run.exited_with(0));
    EXPECT_NE(run.said().find("TARE_PROBE_OUT is not set"), std::string::npos) << run.said();
    EXPECT_EQ(std::count(run.said().begin(), run.said().end(), '\n'), 1);
}

TEST(probe_library, with_a_folder_that_cannot_be_written_the_program_goes_on_untraced) {
    const TracedRun run("images", {{"TARE_PROBE_OUT", "/proc/no/such/folder"}});
    EXPECT_TRUE(run.exited_with(0));
    EXPECT_NE(run.said().find("TARE_PROBE_OUT=/proc/no/such/folder: No such file"),
              std::string::npos)
        << run.said();
    EXPECT_EQ(std::count(run.said().begin(), run.said().end(), '\n'), 1) << run.said();
}

TEST(probe_library, a_ring_size_that_is_none_is_said_and_ignored) {
    const TracedRun run("names", {{"TARE_PROBE_RING", "many"}});
    EXPECT_NE(run.said().find("TARE_PROBE_RING=many"), std::string::npos) << run.said();
    EXPECT_TRUE(run.only_capture().loss.finished);
}

TEST(probe_library, cuda_starts_a_capture_that_says_why_it_has_no_gpu_records) {
    const TracedRun run("as_cuda", {{"CUDA_INJECTION64_PATH", probe_library()}});
    EXPECT_TRUE(run.exited_with(0));
    const Contents contents = run.only_capture();
    EXPECT_EQ(contents.process.status, "nvtx_only");
    EXPECT_NE(contents.process.status_reason.find("collects no GPU records"), std::string::npos)
        << contents.process.status_reason;
    EXPECT_TRUE(contents.loss.finished);
}

TEST(probe_library, cuda_gets_its_success_even_when_nothing_is_traced) {
    const TracedRun run(
        "as_cuda", {{"CUDA_INJECTION64_PATH", probe_library()}, {"TARE_PROBE_OUT", "/proc/no"}});
    EXPECT_TRUE(run.exited_with(0));
}

}  // namespace
}  // namespace probes
