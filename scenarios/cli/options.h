// SPDX-License-Identifier: Apache-2.0
// Options that several subcommands share.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "reports/records/report.h"
#include "reports/render/render.h"
#include "reports/store/store.h"

namespace CLI {
class App;
}

namespace scenarios::cli {

struct OutputOptions {
    std::string format = "table";
    std::string out;  // file; empty: stdout
    int top = 20;
    bool by_path = false;
};

// nullopt for an option that was not given.
std::optional<std::string> given(const std::string& text);

void add_store_option(CLI::App& command, std::string& store);
void add_format_option(CLI::App& command, std::string& format);
void add_output_options(CLI::App& command, OutputOptions& output);

reports::render::Options render_options(const OutputOptions& output);

// Waits for another writer, says so on stderr once, and gives up after $TARE_STORE_WAIT seconds
// (30) or when `stopped`.
reports::Patience patience(std::function<bool()> stopped = {});

// An existing store, for reading or writing. Throws UsageError when there is none.
reports::Store open_store(const std::string& option, reports::Store::Access access);

// A stored run as it is asked for: `arm` "" is every arm. Throws UsageError when there is no such
// run or arm.
reports::Report load_run(const reports::Store& store,
                         const std::string& run,
                         const std::string& arm);

void add_arm_option(CLI::App& command, std::string& arm);

// RUN as written ("" is the latest). Throws UsageError when there is no such run.
reports::Id find_run(const reports::Store& store, const std::string& text);

// Before hours are spent: throws UsageError when `file` cannot be written. "" is stdout.
void check_output_file(const std::string& file);

// To stdout, or to `file` (written beside it and renamed). Throws UsageError when it cannot.
void write_output(const std::string& text, const std::string& file);

// The same for a result that can be had again: the message of a failure says how.
void write_output(const std::string& text, const std::string& file, const std::string& again);

}  // namespace scenarios::cli
