// SPDX-License-Identifier: Apache-2.0
// Samples, counts and identities from the engine's lines; then what the capture adds.
#include "reports/ingest/derive.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "engine/format/sha256.h"
#include "reports/ingest/derive_profile.h"

namespace reports::ingest {
namespace {

constexpr const char* capture_clock = "monotonic_raw";

// The process must be the one the run says was measured.
void check_provenance(const store::TrialFacts& facts, const EngineLines& lines, Derived& out) {
    const auto differ = [&](const char* what, const std::optional<std::string>& recorded,
                            const std::optional<std::string>& said) {
        if (!recorded || !said || *recorded == *said) return;
        out.reasons.push_back(
            fmt::format("the process says {} {}, the run was written down with {}: not the same",
                        what, *said, *recorded));
    };
    differ("commit", facts.commit, lines.commit);
    differ("model sha256", facts.model_sha256, lines.model_sha256);
    differ("prompt sha256", facts.prompt_sha256, lines.prompt_sha256);
    if (lines.clock && *lines.clock != capture_clock) {
        out.reasons.push_back(fmt::format("the process times with clock '{}', the suite with '{}'",
                                          *lines.clock, capture_clock));
    }
}

// "--moe dense" or "--moe=dense" in the arm's command; without one the engine gathers.
std::string declared_moe(const std::vector<std::string>& command) {
    std::string declared = "gather";
    for (std::size_t i = 0; i < command.size(); ++i) {
        if (command[i] == "--moe" && i + 1 < command.size()) declared = command[i + 1];
        if (command[i].rfind("--moe=", 0) == 0) declared = command[i].substr(6);
    }
    return declared;
}

void check_moe(const store::TrialFacts& facts, const EngineLines& lines, Derived& out) {
    const std::string declared = declared_moe(facts.command);
    if (!lines.moe || *lines.moe == declared) return;
    out.reasons.push_back(fmt::format("the process ran its experts as '{}', its arm asks for '{}'",
                                      *lines.moe, declared));
}

void add_rep(const RepLine& rep, Derived& out) {
    const std::int64_t wall_ns = rep.end_ns - rep.begin_ns;
    out.phases.push_back(
        {.phase = rep.phase, .rep = rep.rep, .wall_ns = wall_ns, .tokens = rep.tokens});
    out.samples.push_back({"wall_ns", rep.phase, rep.rep, static_cast<double>(wall_ns)});
    out.samples.push_back({"tokens_per_s", rep.phase, rep.rep,
                           static_cast<double>(rep.tokens) * 1e9 / static_cast<double>(wall_ns)});
}

// A count of a rep is a count of the phase when all reps agree; else it is not exact and the first
// rep's is kept, with the reason.
void add_count(const std::string& phase,
               const char* name,
               const char* unit,
               std::int64_t value,
               Derived& out) {
    for (Count& known : out.counts) {
        if (known.phase != phase || known.name != name) continue;
        if (known.value != static_cast<double>(value)) {
            known.exact = false;
            out.reasons.push_back(fmt::format("{}: {} is {} in one rep and {} in another", phase,
                                              name, known.value, value));
        }
        return;
    }
    out.counts.push_back({phase, name, static_cast<double>(value), unit, true});
}

void add_identity(const std::optional<std::string>& phase,
                  const char* name,
                  std::optional<std::int64_t> expected,
                  std::optional<std::int64_t> seen,
                  Derived& out,
                  bool must_hold = true) {
    if (!expected || !seen) return;
    for (IdentityCheck& known : out.identities) {
        if (known.phase != phase || known.name != name) continue;
        known.expected += static_cast<double>(*expected);
        known.seen += static_cast<double>(*seen);
        return;
    }
    out.identities.push_back(
        {phase, name, static_cast<double>(*expected), static_cast<double>(*seen), must_hold});
}

void add_counters(const EngineLines& lines, Derived& out) {
    for (const RepLine& rep : lines.reps) {
        add_count(rep.phase, "ops", "1", rep.ops, out);
        add_count(rep.phase, "tokens", "1", rep.tokens, out);
    }
    for (const CountersLine& line : lines.counters) {
        const RepLine* rep = lines.find_rep(line.phase, line.rep);
        if (rep == nullptr) {
            out.reasons.push_back(fmt::format("counters of {} rep {} come without their rep line",
                                              line.phase, line.rep));
            continue;
        }
        add_identity(line.phase, "ops_executed", line.ops_planned, rep->ops, out);
        // Dense experts do every row by declaration: what binds them is what they planned.
        add_identity(line.phase, "expert_rows", line.expert_rows_asked, line.expert_rows_done, out,
                     lines.moe != "dense");
        add_identity(line.phase, "expert_rows_planned", line.expert_rows_planned,
                     line.expert_rows_done, out);
        if (line.expert_rows_done) {
            add_count(line.phase, "expert_rows", "rows", *line.expert_rows_done, out);
        }
        if (line.experts_hit) add_count(line.phase, "experts_hit", "1", *line.experts_hit, out);
    }
}

void add_memory(const MemoryLine& memory, Derived& out) {
    const auto add = [&](const char* name, std::optional<std::int64_t> bytes, bool exact) {
        if (!bytes) return;
        out.counts.push_back({std::nullopt, name, static_cast<double>(*bytes), "bytes", exact});
    };
    // Each thread's scratch is in these two: they are not the same on every machine. Their parts
    // below are.
    add("planned_bytes", memory.planned_bytes, false);
    add("used_bytes", memory.used_bytes, false);
    add("scratch_planned_bytes", memory.scratch_planned_bytes, true);
    add("scratch_used_bytes", memory.scratch_used_bytes, true);
    add("state_bytes", memory.state_bytes, true);
    add("weights_bytes", memory.weights_bytes, true);
    add("peak_bytes", memory.peak_bytes, false);
    add_identity(std::nullopt, "scratch_bytes", memory.scratch_planned_bytes,
                 memory.scratch_used_bytes, out);
    if (memory.peak_bytes) {
        out.samples.push_back({"peak_bytes", {}, {}, static_cast<double>(*memory.peak_bytes)});
    }
}

// Of ids beyond int32, which no engine has, the lowest 32 bits count: the hash differs.
std::string tokens_sha256(const std::vector<std::int64_t>& tokens) {
    std::vector<std::int32_t> ids;
    for (const std::int64_t token : tokens) ids.push_back(static_cast<std::int32_t>(token));
    return engine::format::token_ids_sha256(ids);
}

void add_output(const OutputLine& line, Derived& out) {
    out.outputs.push_back({line.request, line.tokens, line.margins, line.sha256});
    const std::string computed = tokens_sha256(line.tokens);
    if (computed == line.sha256) return;
    out.reasons.push_back(
        fmt::format("output of request {}: sha256 {} was printed, its tokens have {}", line.request,
                    line.sha256, computed));
}

void add_losses(const EngineLines& lines, Derived& out) {
    for (const LossLine& l : lines.losses) {
        out.text_losses.push_back({l.request, l.name, l.tokens, l.nll_sum, l.nll_mean, l.sha256});
    }
    const bool scored = std::any_of(lines.reps.begin(), lines.reps.end(),
                                    [](const RepLine& rep) { return rep.phase == "score"; });
    if (scored && lines.ended && lines.losses.empty()) {
        out.reasons.push_back("the process scored texts and printed no line of type \"loss\"");
    }
}

void add_cold_start(const store::TrialFacts& facts, const EngineLines& lines, Derived& out) {
    if (!lines.first_token_ns || facts.spawn_raw_ns <= 0) return;
    const std::int64_t cold_start_ns = *lines.first_token_ns - facts.spawn_raw_ns;
    if (cold_start_ns <= 0) {
        out.reasons.push_back(fmt::format(
            "the first token is stamped {} ns before its process was started", -cold_start_ns));
        return;
    }
    out.samples.push_back({"cold_start_ns", {}, {}, static_cast<double>(cold_start_ns)});
}

}  // namespace

Derived derive(const store::TrialFacts& facts,
               const EngineLines& lines,
               const Profile* profile,
               std::vector<Condition> conditions) {
    Derived out{.reasons = lines.problems,
                .planted = !lines.faults.empty(),
                .protocol = lines.protocol,
                .timer = lines.clock,
                .conditions = std::move(conditions)};
    check_provenance(facts, lines, out);
    check_moe(facts, lines, out);
    for (const RepLine& rep : lines.reps) add_rep(rep, out);
    if (lines.ended && lines.reps.empty()) {
        out.reasons.push_back("the process finished without a measured rep");
    }
    add_counters(lines, out);
    if (lines.memory) add_memory(*lines.memory, out);
    for (const OutputLine& line : lines.outputs) add_output(line, out);
    add_losses(lines, out);
    add_cold_start(facts, lines, out);
    if (profile != nullptr) {
        check_capture_is_ours(facts, *profile, out);
        add_profile(lines, *profile, out);
    }
    return out;
}

}  // namespace reports::ingest
