// SPDX-License-Identifier: Apache-2.0
#include "reports/ingest/derive_command.h"

#include <map>

#include "reports/ingest/derive_profile.h"

namespace reports::ingest {
namespace {

// What is exact is a count: equal or not, no matter how often it was measured.
void add_metrics(const CommandLines& lines, Derived& out) {
    std::map<std::string, int> reps;
    for (const MetricLine& line : lines.metrics) {
        if (line.direction == Direction::exact)
            out.counts.push_back({std::nullopt, line.name, line.value, line.unit, true});
        else
            out.command_samples.push_back(
                {line.name, line.unit, line.direction, reps[line.name]++, line.value});
    }
}

}  // namespace

Derived derive_command(const store::TrialFacts& facts,
                       const CommandLines& lines,
                       const Profile* profile,
                       std::vector<Condition> conditions) {
    Derived out{
        .reasons = lines.problems, .timer = "monotonic_raw", .conditions = std::move(conditions)};
    if (facts.process_valid && facts.exit_raw_ns > facts.spawn_raw_ns)
        out.samples.push_back({"process_wall_ns",
                               {},
                               {},
                               static_cast<double>(facts.exit_raw_ns - facts.spawn_raw_ns)});
    add_metrics(lines, out);
    if (profile != nullptr) add_command_profile(facts, *profile, out);
    return out;
}

}  // namespace reports::ingest
