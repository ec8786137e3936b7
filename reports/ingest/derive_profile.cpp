// SPDX-License-Identifier: Apache-2.0
// Joins the phases of a capture with those of the engine's own timer and checks both.
#include "reports/ingest/derive_profile.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "reports/ingest/integrity.h"

namespace reports::ingest {
namespace {

void add_losses(const probes::capture::Loss& loss, Derived& out) {
    const std::pair<const char*, std::uint64_t> kinds[] = {
        {"dropped", loss.dropped},
        {"zero_stamps", loss.zero_stamps},
        {"negative", loss.negative},
        {"open_ranges", loss.open_ranges},
        {"unbalanced_pops", loss.unbalanced_pops},
        {"truncated_bytes", loss.truncated_bytes},
        {"unfinished", loss.finished ? 0u : 1u}};
    for (const auto& [kind, count] : kinds) {
        out.losses.push_back({kind, static_cast<std::int64_t>(count)});
        if (count == 0) continue;
        out.reasons.push_back(
            std::string_view(kind) == "unfinished"
                ? std::string("loss: the capture has no closing block; its process was killed or "
                              "crashed")
                : fmt::format("loss: {} is {} (must be 0): the capture is incomplete", kind,
                              count));
    }
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

// Phases of a trial stand in the order of the engine's rep lines.
PhaseStat* find(Derived& out, const EngineLines& lines, const PhaseProfile& profile) {
    const auto found = lines.rep_index.find({profile.phase, profile.rep});
    return found == lines.rep_index.end() ? nullptr : &out.phases[found->second];
}

void push(std::vector<std::string>& reasons, Breach breach) {
    if (breach) reasons.push_back(std::move(*breach));
}

// On the CPU backend all of the gap is the host's; the other classes do not exist.
void check_phase(const PhaseStat& phase, std::vector<std::string>& reasons) {
    const Where where{phase.phase, phase.rep};
    push(reasons, check_outside(where, *phase.sum_ns, *phase.outside_ns));
    push(reasons, check_records(where, *phase.records_expected, *phase.records_seen));
    push(reasons, check_gap(where, *phase.range_ns, *phase.gap_ns, *phase.gap.host_ns));
    push(reasons, check_timer(where, *phase.wall_ns, *phase.range_ns));
}

void add_kernels(const PhaseProfile& profile, Derived& out) {
    for (const KernelTotals& k : profile.kernels) {
        out.kernels.push_back({.rep = profile.rep,
                               .phase = profile.phase,
                               .path = k.path,
                               .family = path_family(k.path),
                               .kernel = k.kernel,
                               .role = k.role,
                               .calls = k.calls,
                               .total_ns = k.total_ns,
                               .min_ns = k.min_ns,
                               .max_ns = k.max_ns,
                               .histogram = k.histogram,
                               .bytes = k.bytes,
                               .flops = k.flops});
    }
}

void add_phase(const PhaseProfile& profile, const EngineLines& lines, Derived& out) {
    PhaseStat* phase = find(out, lines, profile);
    if (phase == nullptr) {
        out.reasons.push_back(
            fmt::format("the capture has {} rep {}, the engine's lines have not: one of them is "
                        "incomplete",
                        profile.phase, profile.rep));
        return;
    }
    if (phase->range_ns) {
        out.reasons.push_back(
            fmt::format("the capture has two ranges for {} rep {}; only the first "
                        "is shown",
                        profile.phase, profile.rep));
        return;
    }
    phase->range_ns = profile.range_ns;
    phase->busy_ns = profile.busy_ns;
    phase->sum_ns = profile.sum_ns;
    phase->gap_ns = profile.gap_ns;
    phase->outside_ns = profile.outside_ns;
    phase->gap.host_ns = profile.host_ns;
    phase->records_expected = lines.find_rep(profile.phase, profile.rep)->ops;
    phase->records_seen = profile.records;
    check_phase(*phase, out.reasons);
    add_kernels(profile, out);
}

// How often each kernel ran in a phase: the same in every rep, or it is not exact.
void add_calls(const Profile& profile, Derived& out) {
    std::map<std::pair<std::string, std::string>, std::map<int, std::int64_t>> calls;
    std::map<std::string, std::size_t> reps;
    for (const PhaseProfile& phase : profile.phases) {
        ++reps[phase.phase];
        for (const KernelTotals& k : phase.kernels) {
            calls[{phase.phase, k.kernel}][phase.rep] += k.calls;
        }
    }
    for (const auto& [key, by_rep] : calls) {
        const std::int64_t first = by_rep.begin()->second;
        const bool exact = by_rep.size() == reps[key.first] &&
                           std::all_of(by_rep.begin(), by_rep.end(),
                                       [&](const auto& r) { return r.second == first; });
        out.counts.push_back(
            {key.first, "calls." + key.second, static_cast<double>(first), "1", exact});
    }
}

void add_records_identity(Derived& out) {
    std::map<std::string, IdentityCheck> by_phase;
    for (const PhaseStat& phase : out.phases) {
        if (!phase.records_expected || !phase.records_seen) continue;
        IdentityCheck& sum = by_phase[phase.phase];
        sum.expected += static_cast<double>(*phase.records_expected);
        sum.seen += static_cast<double>(*phase.records_seen);
    }
    for (const auto& [phase, sum] : by_phase) {
        out.identities.push_back({phase, "capture_records", sum.expected, sum.seen});
    }
}

void add_capture(const Profile& profile, Derived& out) {
    out.planted = out.planted || !profile.process.fault.empty();
    out.capture = {.records = profile.records,
                   .kernel_ns = profile.kernel_ns,
                   .unattributed_ns = profile.unattributed_ns};
    add_losses(profile.loss, out);
    if (profile.late_ns > 0) {
        out.reasons.push_back(
            fmt::format("{} ns of kernel time came out of order and are not in the busy time",
                        profile.late_ns));
    }
    push(out.reasons, check_unattributed(profile.kernel_ns, profile.unattributed_ns));
}

// All of its gap is the time in which no range below it ran.
PhaseStat command_phase(const PhaseProfile& profile) {
    PhaseStat out{.phase = profile.phase,
                  .rep = profile.rep,
                  .range_ns = profile.range_ns,
                  .busy_ns = profile.busy_ns,
                  .sum_ns = profile.sum_ns,
                  .gap_ns = profile.gap_ns,
                  .outside_ns = profile.outside_ns,
                  .records_seen = profile.records};
    out.gap.host_ns = profile.host_ns;
    return out;
}

}  // namespace

void check_capture_is_ours(const store::TrialFacts& facts, const Profile& profile, Derived& out) {
    const std::int64_t start_ns = profile.process.start_raw_ns;
    if (start_ns == 0) return;  // cut before its first block: a loss, told as such
    if (start_ns >= facts.spawn_raw_ns && start_ns <= facts.exit_raw_ns) return;
    out.reasons.push_back(
        fmt::format("the capture begins at {} ns, the process lived from {} to {} ns: it is the "
                    "capture of another process",
                    start_ns, facts.spawn_raw_ns, facts.exit_raw_ns));
}

void add_command_profile(const store::TrialFacts& facts, const Profile& profile, Derived& out) {
    check_capture_is_ours(facts, profile, out);
    add_capture(profile, out);
    if (profile.phases.empty())
        out.reasons.push_back(
            "the capture holds no outermost range: the process opened no NVTX ranges that it also "
            "closed; open some, or set profiled_rounds = 0");
    if (profile.phases_left_out > 0)
        out.reasons.push_back(fmt::format(
            "the process opened {} outermost ranges; the limit is {}: put a range around them",
            most_phases + static_cast<std::size_t>(profile.phases_left_out), most_phases));
    std::set<std::pair<std::string, int>> seen;
    for (const PhaseProfile& one : profile.phases) {
        if (!seen.insert({one.phase, one.rep}).second) {
            out.reasons.push_back(
                fmt::format("the capture has two ranges for {} rep {}; only the first is shown",
                            one.phase, one.rep));
            continue;
        }
        const PhaseStat phase = command_phase(one);
        const Where where{phase.phase, phase.rep};
        push(out.reasons, check_outside(where, one.sum_ns, one.outside_ns));
        push(out.reasons, check_gap(where, one.range_ns, one.gap_ns, one.host_ns));
        out.phases.push_back(phase);
        add_kernels(one, out);
    }
    add_calls(profile, out);
}

std::string path_family(std::string_view path) {
    std::string family;
    for (std::size_t i = 0; i < path.size();) {
        std::size_t end = i;
        while (end < path.size() && is_digit(path[end])) ++end;
        const bool starts = i == 0 || path[i - 1] == '.' || path[i - 1] == '/';
        const bool ends = end == path.size() || path[end] == '.' || path[end] == '/';
        if (end > i && starts && ends) {
            family += '*';
            i = end;
        } else {
            family += path[i++];
        }
    }
    return family;
}

void add_profile(const EngineLines& lines, const Profile& profile, Derived& out) {
    add_capture(profile, out);
    for (const PhaseProfile& phase : profile.phases) add_phase(phase, lines, out);
    for (const PhaseStat& phase : out.phases) {
        if (phase.range_ns) continue;
        out.reasons.push_back(
            fmt::format("{} rep {} has no range in the capture: it was lost, or the process opened "
                        "none with payload schema \"phase\"",
                        phase.phase, phase.rep));
    }
    add_calls(profile, out);
    add_records_identity(out);
}

}  // namespace reports::ingest
