// SPDX-License-Identifier: Apache-2.0
// How fast captures are written and read, in ranges a second.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <string>

#include "probes/capture/reader.h"
#include "probes/capture/writer.h"

namespace {

using namespace probes::capture;

constexpr std::uint64_t range_count = 500'000;

std::string file_name() {
    return "/tmp/capture-cost-" + std::to_string(::getpid());
}

// Ranges with the engine's 72-byte payload, or without one.
void write_capture(bool has_payload) {
    std::remove(file_name().c_str());
    Writer writer = std::move(*Writer::create(file_name(), {}));
    writer.add(PayloadSchema{.id = 1, .name = "work", .fields = {}});
    writer.add(PathNode{.id = 1, .parent = 0, .name = "op", .domain = "tare", .category = "norm"});
    const std::array<std::byte, 72> payload{};
    Range range;
    range.path = 1;
    range.tid = 1;
    range.value = std::nan("");
    if (has_payload) {
        range.schema = 1;
        range.payload = payload;
    }
    for (std::uint64_t i = 1; i <= range_count; ++i) {
        range.id = i;
        range.root = i;
        range.start_ns = static_cast<std::int64_t>(i * 10);
        range.end_ns = range.start_ns + 5;
        writer.add(range);
    }
    writer.finish({});
}

void count_ranges(benchmark::State& state) {
    state.SetItemsProcessed(state.iterations() * static_cast<std::int64_t>(range_count));
    std::remove(file_name().c_str());
}

void write_ranges(benchmark::State& state) {
    for (auto _ : state) {
        write_capture(state.range(0) != 0);
    }
    count_ranges(state);
}

void read_ranges(benchmark::State& state) {
    write_capture(state.range(0) != 0);
    for (auto _ : state) {
        Reader reader(file_name());
        std::uint64_t seen = 0;
        while (auto record = reader.next()) {
            seen += std::holds_alternative<Range>(*record) ? 1 : 0;
        }
        if (seen != range_count) {
            state.SkipWithError("ranges are missing");
        }
    }
    count_ranges(state);
}

BENCHMARK(write_ranges)->ArgName("payload")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(read_ranges)->ArgName("payload")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace

BENCHMARK_MAIN();
