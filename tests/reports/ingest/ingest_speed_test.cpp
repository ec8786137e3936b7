// SPDX-License-Identifier: Apache-2.0
// Ingest in one pass and in flat memory. Speed is a ratio to reading the same file alone, so that
// the machine does not matter; the figures are printed.
#include <gtest/gtest.h>
#include <malloc.h>

#include <chrono>
#include <cstdlib>

#include "probes/capture/reader.h"
#include "reports/ingest/profile.h"
#include "reports/ingest/raw_file.h"
#include "reports/store/raw_files.h"
#include "tests/reports/ingest/synthetic.h"
#include "tests/reports/store/fixture.h"

namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) {
    return std::chrono::duration<double>(Clock::now() - start).count();
}

// Field of /proc/self/status in kB: VmRSS now, VmHWM at most since the last reset.
long memory_kb(const std::string& field) {
    std::ifstream file("/proc/self/status");
    for (std::string line; std::getline(file, line);) {
        if (line.starts_with(field + ":")) return std::stol(line.substr(field.size() + 1));
    }
    return 0;
}

void reset_peak() {
    std::ofstream("/proc/self/clear_refs") << "5";
}

struct Measured {
    long ranges = 0, grown_kb = 0;
    double file_mb = 0, read_s = 0, ingest_s = 0;
};

// `reps` phases of `layers` x 2 ops, ingested; peak memory above what was there before.
Measured measure(int reps, int layers) {
    tests::Folder folder;
    const auto file = folder.path() / "c.capture";
    Measured out;
    {
        tests::CaptureBuilder capture(file);
        for (int rep = 0; rep < reps; ++rep) {
            tests::PhaseSpec phase{.rep = rep, .start_ns = 1'000'000'000 + rep * 900'000'000LL};
            for (int layer = 0; layer < layers; ++layer) {
                const std::int64_t at = 1'000 + layer * 2'500LL;
                const std::string name = fmt::format("layer.{:02}.moe/", layer % 50);
                phase.ops.push_back({name + "router", "router", "router_topk", at, at + 700});
                phase.ops.push_back(
                    {name + "up", "expert_gemm", "expert_matmul", at + 900, at + 2'400});
            }
            phase.duration_ns = 5'000 + layers * 2'500LL;
            out.ranges += static_cast<long>(phase.ops.size()) * 3 / 2 + 1;
            capture.add(phase);
        }
        capture.finish();
    }
    out.file_mb = static_cast<double>(std::filesystem::file_size(file)) / 1e6;
    auto start = Clock::now();
    {
        probes::capture::Reader reader(file);
        while (reader.next()) {
        }
    }
    out.read_s = seconds_since(start);
    malloc_trim(0);  // what building the file left behind would hide what ingest takes
    reset_peak();
    const long before = memory_kb("VmRSS");
    start = Clock::now();
    const auto profile = reports::ingest::read_profile(file, {});
    out.ingest_s = seconds_since(start);
    out.grown_kb = memory_kb("VmHWM") - before;
    EXPECT_EQ(profile.phases.size(), static_cast<std::size_t>(reps));
    EXPECT_EQ(profile.late_ns, 0);
    return out;
}

void print(const char* what, const Measured& m) {
    fmt::print(
        "{}: {} ranges, {:.1f} MB: ingest {:.4f} s, {:.2f} x reading the file alone "
        "({:.4f} s), {:.2f} M records/s, memory +{} kB\n",
        what, m.ranges, m.file_mb, m.ingest_s, m.ingest_s / m.read_s, m.read_s,
        static_cast<double>(m.ranges) / m.ingest_s / 1e6, m.grown_kb);
}

TEST(ingest_speed, prefill_sized_capture) {
    const Measured m = measure(3, 330);
    print("prefill", m);
    EXPECT_LT(m.ingest_s, 1);
}

TEST(ingest_speed, hashing_takes_a_small_share_of_putting_a_capture_to_rest) {
    tests::Folder folder;
    const auto file = folder.path() / "1.capture";
    {
        tests::CaptureBuilder capture(file);
        tests::PhaseSpec phase{.duration_ns = 5'000 + 100'000 * 2'500LL};
        for (std::int64_t i = 0; i < 100'000; ++i)
            phase.ops.push_back({fmt::format("layer.{:02}.moe/up", i % 50), "expert_gemm",
                                 "expert_matmul", 1'000 + i * 2'500, 1'700 + i * 2'500 + i % 613});
        capture.add(phase);
        capture.finish();
    }
    auto start = Clock::now();
    const auto sizes = reports::ingest::compress_raw(file);
    const double compress_s = seconds_since(start);
    start = Clock::now();
    EXPECT_EQ(reports::store::raw_sha256(file.string() + ".zst"), sizes->sha256);
    const double hash_s = seconds_since(start);
    fmt::print(
        "put to rest: {:.1f} MB to {:.1f} MB in {:.4f} s, hashing what is stored {:.4f} s "
        "({:.1f} %)\n",
        static_cast<double>(sizes->content_bytes) / 1e6,
        static_cast<double>(sizes->stored_bytes) / 1e6, compress_s, hash_s,
        100 * hash_s / compress_s);
    EXPECT_LT(hash_s, compress_s / 2);
}

TEST(ingest_speed, memory_does_not_grow_with_the_number_of_ranges) {
    // In one phase, so that nothing can be let go of before its end.
    const bool long_run = std::getenv("TARE_LONG_TESTS") != nullptr;
    const Measured few = measure(1, 100'000);
    const Measured many = measure(1, long_run ? 1'000'000 : 300'000);
    print("few", few);
    print("many", many);
    // Both are past the capacity of the interval union.
    EXPECT_LT(many.grown_kb - few.grown_kb, 2'000);
    EXPECT_LT(many.grown_kb, 20'000);
}

}  // namespace
