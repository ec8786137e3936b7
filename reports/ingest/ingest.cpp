// SPDX-License-Identifier: Apache-2.0
// Reads a trial's raw files, stores what they say, compresses them.
#include "reports/ingest/ingest.h"

#include <fmt/format.h>

#include <chrono>

#include "probes/capture/reader.h"
#include "reports/ingest/conditions.h"
#include "reports/ingest/derive.h"
#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/ingest/raw_file.h"
#include "reports/store/derived.h"

namespace reports::ingest {
namespace {

namespace fs = std::filesystem;

constexpr const char* kinds[] = {"lines", "capture", "conditions", "stderr"};

fs::path raw_path(const Store& store, Id run, Id trial, const char* kind) {
    return store.raw_folder(run) / fmt::format("{}.{}", trial, kind);
}

// Content, or an empty text with the reason.
std::string read_or_say(const fs::path& plain,
                        const char* missing,
                        std::vector<std::string>& reasons) {
    try {
        if (auto content = read_raw(plain)) return std::move(*content);
        if (missing != nullptr) reasons.push_back(fmt::format("{}: {}", plain.string(), missing));
    } catch (const RawFileError& error) {
        reasons.push_back(error.what());
    }
    return {};
}

std::optional<Profile> read_capture(const fs::path& plain, std::vector<std::string>& reasons) {
    if (!raw_exists(plain)) {
        reasons.push_back(fmt::format(
            "{}: there is no capture; was libtare-probe.so loaded (NVTX_INJECTION64_PATH), and did "
            "the process open NVTX ranges? tare doctor checks the probe",
            plain.string()));
        return std::nullopt;
    }
    try {
        const PlainFile file(plain);
        return read_profile(file.path(), shipped_role_rules());
    } catch (const probes::capture::CaptureError& error) {
        reasons.push_back(error.what());
    } catch (const RawFileError& error) {
        reasons.push_back(error.what());
    }
    return std::nullopt;
}

Derived read_trial(const Store& store, Id trial, const store::TrialFacts& facts) {
    std::vector<std::string> reasons;
    const std::string text =
        read_or_say(raw_path(store, facts.run, trial, "lines"),
                    "the process printed nothing, or its lines were deleted", reasons);
    EngineLines lines = reasons.empty() ? read_engine_lines(text) : EngineLines{};
    Conditions conditions = read_conditions(
        read_or_say(raw_path(store, facts.run, trial, "conditions"), nullptr, reasons));
    std::optional<Profile> profile;
    if (facts.mode == Mode::profiled) {
        profile = read_capture(raw_path(store, facts.run, trial, "capture"), reasons);
    }
    Derived derived =
        derive(facts, lines, profile ? &*profile : nullptr, std::move(conditions.observed));
    derived.reasons.insert(derived.reasons.begin(), reasons.begin(), reasons.end());
    derived.reasons.insert(derived.reasons.end(), conditions.problems.begin(),
                           conditions.problems.end());
    return derived;
}

void put_to_rest(Store& store, Id trial, Id run) {
    std::vector<RawFile> files;
    for (const char* kind : kinds) {
        const fs::path plain = raw_path(store, run, trial, kind);
        try {
            const auto sizes = compress_raw(plain);
            if (!sizes) continue;
            files.push_back({.kind = kind,
                             .path = fs::relative(compressed_name(plain), store.folder()).string(),
                             .stored_bytes = sizes->stored_bytes,
                             .content_bytes = sizes->content_bytes});
        } catch (const RawFileError&) {
            // A damaged file has its reason already; one that cannot be compressed stays plain.
            const fs::path there = fs::exists(plain) ? plain : compressed_name(plain);
            const auto bytes = static_cast<std::int64_t>(fs::file_size(there));
            files.push_back({kind, fs::relative(there, store.folder()).string(), bytes, bytes});
        }
    }
    store::replace_raw_files(store, trial, files);
}

bool has_raw_files(const Store& store, Id trial, Id run) {
    for (const char* kind : kinds) {
        if (raw_exists(raw_path(store, run, trial, kind))) return true;
    }
    return false;
}

}  // namespace

Outcome ingest_trial(Store& store, Id trial) {
    const auto start = std::chrono::steady_clock::now();
    const store::TrialFacts facts = store::trial_facts(store, trial);
    const Derived derived = read_trial(store, trial, facts);
    store::replace_derived(store, trial, derived);
    put_to_rest(store, trial, facts.run);
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

int rebuild(Store& store) {
    int done = 0;
    for (const Id trial : store::all_trials(store)) {
        // Pruned raw files: what was derived from them is all there is, and stays.
        if (!has_raw_files(store, trial, store::trial_facts(store, trial).run)) continue;
        ingest_trial(store, trial);
        ++done;
    }
    return done;
}

}  // namespace reports::ingest
