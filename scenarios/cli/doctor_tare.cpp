// SPDX-License-Identifier: Apache-2.0
// Doctor: the parts of tare itself, and where results go.
#include <sys/statvfs.h>
#include <unistd.h>

#include <algorithm>

#include <fmt/format.h>

#include "engine/format/safetensors.h"
#include "reports/store/store.h"
#include "scenarios/cli/capability.h"
#include "scenarios/cli/library.h"
#include "scenarios/cli/options.h"
#include "scenarios/cli/table.h"
#include "scenarios/plan/find.h"
#include "scenarios/run/greeting.h"
#include "scenarios/run/paths.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr int protocol_read = 1;
constexpr double little_disk_bytes = 1 << 30;

// The shipped models, wherever scenarios are found.
std::vector<fs::path> model_folders(const Surroundings& where) {
    std::vector<fs::path> out;
    std::error_code none;
    for (const fs::path& scenarios :
         plan::scenario_folders(where.scenarios, fs::current_path(), where.executable)) {
        for (const auto& entry : fs::directory_iterator(scenarios / "models", none))
            if (fs::exists(entry.path() / "config.json")) out.push_back(entry.path());
        if (!out.empty()) break;
    }
    std::sort(out.begin(), out.end());
    return out;
}

Capability models(const Surroundings& where) {
    Capability out{.name = "shipped models", .enables = "the shipped scenarios", .needed = true};
    for (const fs::path& folder : model_folders(where)) {
        const std::string model = folder.filename().string();
        out.seen += out.seen.empty() ? "" : "; ";
        try {
            const auto tensors = engine::format::Safetensors::open_directory(folder);
            out.seen += fmt::format("{}: {} tensors", model, tensors.tensors().size());
        } catch (const std::exception& error) {
            out.status = Status::missing;
            out.seen += fmt::format("{}: {}", model, error.what());
        }
    }
    if (out.seen.empty()) {
        out.status = Status::missing;
        out.seen = "none found in scenarios/models";
    }
    if (out.status != Status::ok)
        out.fix =
            "run tare inside its checkout or name the folder with --scenarios; if it is the right "
            "one, "
            "check the files out again";
    return out;
}

run::Greeting ask_engine(const Surroundings& where, const fs::path& model) {
    run::Options options;
    options.engine = where.engine;
    options.scenario.backend = "cpu";
    options.scenario.model_folder = model;
    return run::greet(options, run::greeting_time_limit_s, -1);
}

Capability engine(const Surroundings& where) {
    Capability out{.name = "engine", .enables = "tare run", .needed = true};
    const auto broken = [&](const std::string& seen, const std::string& fix) {
        out.status = Status::missing;
        out.seen = seen;
        out.fix = fix;
        return out;
    };
    const std::string path = where.engine.string();
    if (access(path.c_str(), X_OK) != 0)
        return broken(path + ": not a program that can be run",
                      "build tare-engine, or name one with --engine");
    const auto folders = model_folders(where);
    if (folders.empty())
        return broken(path + ": there, not tried without a model", "see shipped models");
    const run::Greeting answer = ask_engine(where, folders.front());
    if (!answer.hello)
        return broken(
            fmt::format("{}: no hello line{}", path, answer.end.empty() ? "" : "; " + answer.end),
            "build tare-engine again, or name one that speaks protocol 1 with --engine");
    const int protocol = answer.hello->protocol.value_or(0);
    if (protocol != protocol_read || !answer.end.empty())
        return broken(fmt::format("{}: protocol {}, this tare reads {}{}", path, protocol,
                                  protocol_read, answer.end.empty() ? "" : "; " + answer.end),
                      "build tare and tare-engine from one checkout");
    out.seen = fmt::format("{}, protocol {}, commit {}", path, protocol,
                           answer.hello->commit ? answer.hello->commit->substr(0, 12) : "unknown");
    return out;
}

Capability probe(const Surroundings& where) {
    Capability out{
        .name = "NVTX probe", .enables = "the breakdown by range and kernel", .needed = true};
    const fs::path file = run::probe_beside(where.executable);
    out.seen = file.string();
    const Library library({file.string()});
    for (const char* symbol : {"InitializeInjectionNvtx2", "InitializeInjectionNvtxExtension"}) {
        if (library.function<void>(symbol) != nullptr) continue;
        out.status = Status::missing;
        out.seen =
            library ? fmt::format("{} does not export {}", file.string(), symbol) : library.error();
        out.fix = "build libtare-probe.so; without it only timed trials run (--profiled-rounds 0)";
        break;
    }
    return out;
}

// The folder itself, or the nearest one above it that exists.
fs::path existing(fs::path folder) {
    std::error_code none;
    while (!fs::exists(folder, none) && folder != folder.parent_path())
        folder = folder.parent_path();
    return folder;
}

std::string store_state(const fs::path& folder) {
    if (!fs::exists(folder / "tare.db")) return "none yet, made by the first run";
    const reports::Store store(folder, reports::Store::Access::read_only);
    return fmt::format("schema version {}, {} runs", store.schema_version(), store.list().size());
}

Capability store(const Surroundings& where) {
    Capability out{.name = "store", .enables = "keeping and reporting runs", .needed = true};
    const auto broken = [&](const std::string& seen) {
        out.status = Status::missing;
        out.seen = seen;
        out.fix = "name a folder you may write with --store DIR or $TARE_STORE";
        return out;
    };
    try {
        const fs::path folder = fs::absolute(reports::store_folder(given(where.store)));
        const fs::path there = existing(folder);
        if (access(there.c_str(), W_OK | X_OK) != 0 || !fs::is_directory(there))
            return broken(fmt::format("{}: not a folder you may write", there.string()));

        struct statvfs disk {};

        const bool known = statvfs(there.c_str(), &disk) == 0;
        const double free = static_cast<double>(disk.f_bavail) * static_cast<double>(disk.f_frsize);
        out.seen = fmt::format("{}: {}, {} free on the disk", folder.string(), store_state(folder),
                               known ? mebibytes(free) : "unknown space");
        if (known && free < little_disk_bytes) {
            out.status = Status::limited;
            out.fix = "less than 1 GiB free; `tare prune --keep N --raw-only` drops raw files";
        }
        return out;
    } catch (const std::exception& error) {
        return broken(error.what());
    }
}

}  // namespace

Capabilities tare_capabilities(const Surroundings& where) {
    return {engine(where), probe(where), models(where), store(where)};
}

}  // namespace scenarios::cli
