// SPDX-License-Identifier: Apache-2.0
// Reads a trial's raw files, stores what they say, compresses them.
#include "reports/ingest/ingest.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <set>
#include <stdexcept>
#include <system_error>

#include "engine/format/system_words.h"
#include "probes/capture/reader.h"
#include "reports/ingest/command_lines.h"
#include "reports/ingest/conditions.h"
#include "reports/ingest/derive.h"
#include "reports/ingest/derive_command.h"
#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/ingest/raw_file.h"
#include "reports/store/derived.h"
#include "reports/store/raw_files.h"

namespace reports::ingest {
namespace {

namespace fs = std::filesystem;

fs::path raw_path(const Store& store, Id run, Id trial, const std::string& kind) {
    return store.raw_folder(run) / fmt::format("{}.{}", trial, kind);
}

// Of the files that lie there.
std::set<std::string> kinds_of(const Store& store, Id run, Id trial) {
    std::set<std::string> kinds;
    std::error_code error;
    const fs::path folder = store.raw_folder(run);
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        auto name = store::raw_name(at->path().filename().string());
        if (name && name->trial == trial) kinds.insert(std::move(name->kind));
    }
    if (error && error != std::errc::no_such_file_or_directory)
        throw RawFileUnreachable(fmt::format("{}: cannot be read: {}", folder.string(),
                                             engine::format::system_words(error.value())));
    return kinds;
}

// What reading a trial's raw files came upon.
struct Findings {
    std::vector<std::string> reasons;
    bool damaged = false;  // a file is not what was written
};

// Content, or an empty text with the reason.
std::string read_or_say(const fs::path& plain, const char* missing, Findings& findings) {
    try {
        if (auto content = read_raw(plain)) return std::move(*content);
        if (missing != nullptr)
            findings.reasons.push_back(fmt::format("{}: {}", plain.string(), missing));
    } catch (const RawFileError& error) {
        findings.damaged = true;
        findings.reasons.push_back(error.what());
    }
    return {};
}

// "; there are captures of other processes: 12.host.77.capture", or "". The runner leaves them
// under their own names.
std::string other_captures(const std::string& trial, const std::set<std::string>& kinds) {
    std::string names;
    for (const std::string& kind : kinds) {
        if (!kind.ends_with(".capture")) continue;
        names += fmt::format("{}{}.{}", names.empty() ? "" : ", ", trial, kind);
    }
    return names.empty() ? "" : "; there are captures of other processes: " + names;
}

std::optional<Profile> read_capture(const fs::path& plain,
                                    const std::set<std::string>& kinds,
                                    Phases phases,
                                    Findings& findings) {
    if (!raw_exists(plain)) {
        findings.reasons.push_back(fmt::format(
            "{}: there is no capture; was libtare-probe.so loaded (NVTX_INJECTION64_PATH), and did "
            "the process open NVTX ranges? tare doctor checks the probe{}",
            plain.string(), other_captures(plain.stem().string(), kinds)));
        return std::nullopt;
    }
    try {
        const PlainFile file(plain);
        return read_profile(file.path(), shipped_role_rules(), phases);
    } catch (const probes::capture::CaptureError& error) {
        findings.reasons.push_back(error.what());
    } catch (const probes::capture::CaptureUnreadable& error) {
        throw RawFileUnreachable(fmt::format("{}: cannot be read: {}", plain.string(),
                                             engine::format::system_words(error.code().value())));
    } catch (const RawFileError& error) {
        findings.damaged = true;
        findings.reasons.push_back(error.what());
    }
    return std::nullopt;
}

Derived of_engine(const store::TrialFacts& facts,
                  const fs::path& lines_file,
                  const Profile* profile,
                  Conditions& conditions,
                  Findings& findings) {
    Findings of_lines;
    const std::string text =
        read_or_say(lines_file, "the process printed nothing, or its lines were deleted", of_lines);
    const EngineLines lines = of_lines.reasons.empty() ? read_engine_lines(text) : EngineLines{};
    findings.damaged = findings.damaged || of_lines.damaged;
    findings.reasons.insert(findings.reasons.begin(), of_lines.reasons.begin(),
                            of_lines.reasons.end());
    return derive(facts, lines, profile, std::move(conditions.observed));
}

// A command that writes no metric lines has its wall time all the same.
Derived of_command(const store::TrialFacts& facts,
                   const fs::path& results_file,
                   const Profile* profile,
                   Conditions& conditions,
                   Findings& findings) {
    const CommandLines lines = read_command_lines(read_or_say(results_file, nullptr, findings));
    return derive_command(facts, lines, profile, std::move(conditions.observed));
}

Derived read_trial(const Store& store,
                   Id trial,
                   const store::TrialFacts& facts,
                   const std::set<std::string>& kinds,
                   bool& damaged) {
    Findings findings;
    const auto path = [&](const char* kind) { return raw_path(store, facts.run, trial, kind); };
    Conditions conditions = read_conditions(read_or_say(path("conditions"), nullptr, findings));
    std::optional<Profile> profile;
    if (facts.mode == Mode::profiled)
        profile = read_capture(path("capture"), kinds,
                               facts.is_command ? Phases::outermost : Phases::declared, findings);
    const Profile* seen = profile ? &*profile : nullptr;
    Derived derived = facts.is_command
                          ? of_command(facts, path("results"), seen, conditions, findings)
                          : of_engine(facts, path("lines"), seen, conditions, findings);
    derived.reasons.insert(derived.reasons.begin(), findings.reasons.begin(),
                           findings.reasons.end());
    damaged = findings.damaged;
    derived.reasons.insert(derived.reasons.end(), conditions.problems.begin(),
                           conditions.problems.end());
    return derived;
}

std::optional<std::string> hash_if_readable(const fs::path& file) {
    try {
        return store::raw_sha256(file);
    } catch (const std::system_error&) {
        return std::nullopt;
    }
}

// nullopt: there is no such file.
std::optional<RawFile> at_rest(const Store& store, Id run, Id trial, const std::string& kind) {
    const fs::path plain = raw_path(store, run, trial, kind);
    const auto path_of = [&](const fs::path& file) {
        return fmt::format("raw/{}/{}", run, file.filename().string());
    };
    try {
        auto packed = compress_raw(plain);
        if (!packed) return std::nullopt;
        return RawFile{.kind = kind,
                       .path = path_of(compressed_name(plain)),
                       .stored_bytes = packed->stored_bytes,
                       .content_bytes = packed->content_bytes,
                       .sha256 = std::move(packed->sha256)};
    } catch (const std::runtime_error&) {
        // A damaged file has its reason already; one that cannot be compressed stays plain.
        std::error_code error;
        const fs::path there = fs::exists(plain, error) ? plain : compressed_name(plain);
        const auto bytes = static_cast<std::int64_t>(fs::file_size(there, error));
        if (error) return std::nullopt;
        return RawFile{.kind = kind,
                       .path = path_of(there),
                       .stored_bytes = bytes,
                       .content_bytes = bytes,
                       .sha256 = hash_if_readable(there)};
    }
}

// `listed` files, already compared, stay as they are: a process killed here leaves no row without
// its file.
void put_to_rest(Store& store,
                 Id trial,
                 Id run,
                 const std::set<std::string>& kinds,
                 const std::vector<RawFile>& listed) {
    std::vector<RawFile> files = listed;
    for (RawFile& file : files) {
        if (!file.sha256) file.sha256 = hash_if_readable(store.folder() / file.path);
    }
    for (const std::string& kind : kinds) {
        const bool known = std::any_of(listed.begin(), listed.end(),
                                       [&](const RawFile& file) { return file.kind == kind; });
        if (known) continue;
        if (auto file = at_rest(store, run, trial, kind)) files.push_back(std::move(*file));
    }
    store::replace_raw_files(store, trial, files);
}

// "", or why the trial keeps the figures it has.
std::string remake(Store& store, Id trial, const store::TrialFacts& facts) {
    const auto listed = store::raw_files_of(store, trial);
    const auto kinds = kinds_of(store, facts.run, trial);
    bool damaged = false;
    const Derived derived = read_trial(store, trial, facts, kinds, damaged);
    if (damaged) return fmt::format("trial {}: {}", trial, derived.reasons.front());
    store::replace_derived(store, trial, derived);
    put_to_rest(store, trial, facts.run, kinds, listed);
    return "";
}

// "", or what is wrong with the files that ingest listed.
std::string changed(const Store& store, Id trial) {
    const auto problems = store::raw_file_problems(store, trial);
    if (problems.empty()) return "";
    for (const auto& problem : problems) {
        if (problem.unreadable) throw RawFileUnreachable(problem.text);
    }
    return problems.front().text;
}

// Runs whose process is alive: it ingests and compresses their files itself.
std::set<Id> runs_going_on(const Store& store) {
    std::set<Id> out;
    for (const auto& summary : store.list()) {
        if (summary.run.status == "running") out.insert(summary.run.id);
    }
    return out;
}

}  // namespace

Outcome ingest_trial(Store& store, Id trial) {
    const auto start = std::chrono::steady_clock::now();
    const store::TrialFacts facts = store::trial_facts(store, trial);
    const auto kinds = kinds_of(store, facts.run, trial);
    bool damaged = false;
    const Derived derived = read_trial(store, trial, facts, kinds, damaged);
    store::replace_derived(store, trial, derived);
    put_to_rest(store, trial, facts.run, kinds, {});
    Outcome outcome{.valid = derived.reasons.empty() && facts.process_valid,
                    .reasons = derived.reasons};
    if (!facts.process_valid) {
        outcome.reasons.insert(outcome.reasons.begin(), facts.process_reason);
    }
    if (derived.capture) outcome.capture_records = derived.capture->records;
    outcome.seconds =
        std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    return outcome;
}

Rebuilt rebuild(Store& store) {
    Rebuilt out;
    const std::set<Id> going_on = runs_going_on(store);
    for (const Id trial : store::all_trials(store)) {
        const store::TrialFacts facts = store::trial_facts(store, trial);
        if (going_on.contains(facts.run)) {
            out.kept.push_back(
                fmt::format("trial {}: run {} is being measured; rebuild again when it is over",
                            trial, facts.run));
            continue;
        }
        std::string kept = changed(store, trial);
        if (kept.empty()) {
            if (kinds_of(store, facts.run, trial).empty()) continue;
            kept = remake(store, trial, facts);
        }
        if (kept.empty()) {
            ++out.trials;
        } else {
            out.kept.push_back(kept);
        }
    }
    return out;
}

}  // namespace reports::ingest
