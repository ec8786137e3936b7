// SPDX-License-Identifier: Apache-2.0
// Compares listed raw files with those on the disk.
#include "reports/store/raw_files.h"

#include <fmt/format.h>

#include <cerrno>
#include <charconv>
#include <cstdio>
#include <map>
#include <memory>
#include <set>
#include <system_error>
#include <utility>

#include "engine/format/sha256.h"
#include "engine/format/system_words.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::store {
namespace {

namespace fs = std::filesystem;

struct Listed {
    Id run = 0, trial = 0;
    RawFile file;
};

// The whole list at once: hashing takes long, and a row that is being read holds a snapshot of the
// database.
std::vector<Listed> listed(const Store& store, const std::optional<Id>& trial) {
    Statement row = store.impl().database.prepare(embedded(
        trial ? "store/statements/trial_raw_files.sql" : "store/statements/all_raw_files.sql"));
    if (trial) row.bind({*trial});
    std::vector<Listed> out;
    while (row.step()) {
        out.push_back({.run = row.need_integer("run"),
                       .trial = row.need_integer("trial"),
                       .file = {.kind = row.need_text("kind"),
                                .path = row.need_text("path"),
                                .stored_bytes = row.need_integer("stored_bytes"),
                                .content_bytes = row.need_integer("content_bytes"),
                                .sha256 = row.text("sha256")}});
    }
    return out;
}

constexpr const char* what_to_do =
    "its figures stay, it cannot be rebuilt or exported. Put the file back from a copy, or run the "
    "scenario again";

// What is wrong with one file; "" when nothing is.
struct Verdict {
    std::string seen;
    bool unreadable = false;
};

Verdict cannot_be_read(int error) {
    return {.seen = "cannot be read: " + engine::format::system_words(error), .unreadable = true};
}

Verdict compared(const fs::path& file, const RawFile& stored) {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    if (status.type() == fs::file_type::not_found)
        return {.seen = fmt::format("is gone; {}", what_to_do)};
    if (status.type() == fs::file_type::none) return cannot_be_read(error.value());
    if (!fs::is_regular_file(status))
        return {.seen = fmt::format("is no regular file; {}", what_to_do)};
    const auto size = fs::file_size(file, error);
    if (error) return cannot_be_read(error.value());
    if (static_cast<std::int64_t>(size) != stored.stored_bytes)
        return {.seen = fmt::format("has {} bytes, {} were stored; {}", size, stored.stored_bytes,
                                    what_to_do)};
    if (!stored.sha256) return {};
    try {
        const std::string sha256 = raw_sha256(file);
        if (sha256 == *stored.sha256) return {};
        return {.seen = fmt::format("has sha256 {}, {} was stored; {}", sha256, *stored.sha256,
                                    what_to_do)};
    } catch (const std::system_error& failed) {
        return cannot_be_read(failed.code().value());
    }
}

RawFileProblem problem(Id run, Id trial, const fs::path& file, const Verdict& verdict) {
    return {
        .trial = trial,
        .file = file,
        .unreadable = verdict.unreadable,
        .text = fmt::format("run {}, trial {}: {} {}", run, trial, file.string(), verdict.seen)};
}

class Comparison {
  public:
    Comparison(const Store& store, const KindFilter& looked_at)
        : store_(store), looked_at_(looked_at) {}

    std::vector<RawFileProblem> of(const std::vector<Listed>& files) {
        for (const Listed& one : files) take(one);
        for (const Id run : runs_) look_for_others(run);
        return std::move(problems_);
    }

  private:
    bool looks_at(const std::string& kind) const { return !looked_at_ || looked_at_(kind); }

    void take(const Listed& one) {
        names_.insert(fs::path(one.file.path).filename().string());
        bool& hashed = hashed_[one.trial];
        hashed = hashed || one.file.sha256.has_value();
        runs_.insert(one.run);
        if (!looks_at(one.file.kind)) return;
        const fs::path file = store_.folder() / one.file.path;
        const Verdict verdict = compared(file, one.file);
        if (!verdict.seen.empty()) problems_.push_back(problem(one.run, one.trial, file, verdict));
    }

    // Stores that know no hashes do not list captures of other processes.
    bool is_other(const RawName& name, const std::string& file_name) const {
        const auto trial = hashed_.find(name.trial);
        if (trial == hashed_.end() || !looks_at(name.kind)) return false;
        if (!trial->second && name.kind != "capture" && name.kind.ends_with(".capture"))
            return false;
        return names_.count(file_name) == 0;
    }

    void look_for_others(Id run) {
        const fs::path folder = store_.raw_folder(run);
        std::error_code error;
        for (fs::directory_iterator at(folder, error), end; !error && at != end;
             at.increment(error)) {
            const std::string file_name = at->path().filename().string();
            const auto name = raw_name(file_name);
            if (!name || !is_other(*name, file_name)) continue;
            problems_.push_back(problem(
                run, name->trial, at->path(),
                {.seen = "is not listed and would be read with what was stored or in its place; "
                         "its figures stay, it cannot be rebuilt or exported. No tare put it "
                         "there: look at it, and take it away"}));
        }
        if (error && error != std::errc::no_such_file_or_directory)
            problems_.push_back(
                problem(run, hashed_.begin()->first, folder, cannot_be_read(error.value())));
    }

    const Store& store_;
    const KindFilter& looked_at_;
    std::set<std::string> names_;  // each begins with its trial: once in the whole store
    std::map<Id, bool> hashed_;    // by trial: any of its files has its hash recorded
    std::set<Id> runs_;
    std::vector<RawFileProblem> problems_;
};

// Rows go before files when a run is pruned meanwhile: what is no longer listed may be gone.
void leave_out_pruned(const Store& store,
                      const std::optional<Id>& trial,
                      std::vector<RawFileProblem>& problems) {
    if (problems.empty()) return;
    std::set<Id> still;
    for (const Listed& one : listed(store, trial)) still.insert(one.trial);
    std::erase_if(problems, [&](const auto& one) { return still.count(one.trial) == 0; });
}

std::vector<RawFileProblem> problems_of(const Store& store,
                                        const std::optional<Id>& trial,
                                        const KindFilter& looked_at) {
    auto problems = Comparison(store, looked_at).of(listed(store, trial));
    leave_out_pruned(store, trial, problems);
    return problems;
}

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};

}  // namespace

std::optional<RawName> raw_name(const std::string& file_name) {
    RawName out;
    const char* end = file_name.data() + file_name.size();
    const auto parsed = std::from_chars(file_name.data(), end, out.trial);
    if (parsed.ec != std::errc() || parsed.ptr == end || *parsed.ptr != '.') return std::nullopt;
    out.kind.assign(parsed.ptr + 1, end);
    constexpr std::string_view compressed = ".zst";
    out.packed = out.kind.ends_with(compressed);
    if (out.packed) out.kind.resize(out.kind.size() - compressed.size());
    for (const char* kind : {"lines", "stdout", "results", "capture", "conditions", "stderr"}) {
        if (out.kind == kind) return out;
    }
    if (out.kind.ends_with(".capture")) return out;
    return std::nullopt;
}

std::string raw_sha256(const fs::path& file) {
    const auto fail = [&] {
        throw std::system_error(errno, std::generic_category(), file.string());
    };
    const std::unique_ptr<std::FILE, CloseFile> input(std::fopen(file.c_str(), "rbe"));
    if (!input) fail();
    engine::format::Sha256 digest;
    std::vector<std::byte> piece(std::size_t{1} << 20);
    while (const std::size_t size = std::fread(piece.data(), 1, piece.size(), input.get()))
        digest.update({piece.data(), size});
    if (std::ferror(input.get()) != 0) fail();
    return digest.hex();
}

std::vector<RawFile> raw_files_of(const Store& store, Id trial) {
    std::vector<RawFile> out;
    for (Listed& one : listed(store, trial)) out.push_back(std::move(one.file));
    return out;
}

std::vector<RawFileProblem> raw_file_problems(const Store& store) {
    return problems_of(store, std::nullopt, {});
}

std::vector<RawFileProblem> raw_file_problems(const Store& store,
                                              Id trial,
                                              const KindFilter& looked_at) {
    return problems_of(store, trial, looked_at);
}

}  // namespace reports::store
