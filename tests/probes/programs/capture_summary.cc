// SPDX-License-Identifier: Apache-2.0
// capture_summary FILE…: what each capture holds, as a table of paths, for a person to read.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

#include "probes/capture/reader.h"

namespace {

using namespace probes::capture;

struct PathTotal {
    std::string path;
    std::uint64_t ranges = 0;
    std::int64_t total_ns = 0;
};

// Full path of every node, by id.
class Paths {
  public:
    void add(const PathNode& node) {
        const auto parent = totals_.find(node.parent);
        const auto prefix = parent == totals_.end() ? std::string() : parent->second.path + "/";
        totals_[node.id].path = prefix + node.name;
    }

    void count(const Range& range) {
        PathTotal& total = totals_[range.path];
        ++total.ranges;
        total.total_ns += range.end_ns - range.start_ns;
    }

    void print() const {
        for (const auto& [id, total] : totals_) {
            fmt::print("  {:<40} {:>8} ranges {:>12.1f} us\n", total.path, total.ranges,
                       static_cast<double>(total.total_ns) / 1e3);
        }
    }

  private:
    std::map<std::uint32_t, PathTotal> totals_;
};

void summarise(const std::string& file) {
    Reader reader(file);
    Paths paths;
    while (const auto record = reader.next()) {
        if (const auto* node = std::get_if<PathNode>(&*record)) paths.add(*node);
        if (const auto* range = std::get_if<Range>(&*record)) paths.count(*range);
    }
    const Loss& loss = reader.loss();
    fmt::print(
        "pid {}: status {} ({}); finished {}; lost: {} dropped, {} zero, {} negative, {} open\n",
        reader.process().pid, reader.process().status, reader.process().status_reason,
        loss.finished, loss.dropped, loss.zero_stamps, loss.negative, loss.open_ranges);
    paths.print();
}

}  // namespace

int main(int argc, char** argv) {
    try {
        for (int i = 1; i < argc; ++i) summarise(argv[i]);
    } catch (const std::runtime_error& error) {
        fmt::print(stderr, "capture_summary: {}\n", error.what());
        return 1;
    }
    return argc > 1 ? 0 : 2;
}
