// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/options.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <memory>
#include <utility>

#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include "engine/format/standard_streams.h"
#include "reports/queries/report_query.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/output_file.h"
#include "scenarios/cli/say.h"

namespace scenarios::cli {

namespace {

constexpr int narrowest_columns = 60;

int terminal_columns() {
    winsize size{};
    const bool known = ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
    return known ? std::max<int>(narrowest_columns, size.ws_col) : reports::render::Options{}.width;
}

}  // namespace

std::optional<std::string> given(const std::string& text) {
    return text.empty() ? std::nullopt : std::optional(text);
}

void add_store_option(CLI::App& command, std::string& store) {
    command
        .add_option("--store", store,
                    "Store folder (default: $TARE_STORE, else .tare/ of the enclosing checkout, "
                    "else $XDG_DATA_HOME/tare)")
        ->type_name("DIR");
}

void add_format_option(CLI::App& command, std::string& format) {
    command.add_option("--format", format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json"}))
        ->capture_default_str();
}

void add_output_options(CLI::App& command, OutputOptions& output) {
    command.add_option("--format", output.format, "How the result is written")
        ->check(CLI::IsMember({"table", "markdown", "csv", "json", "html"}))
        ->capture_default_str();
    command.add_option("--out", output.out, "Write to FILE instead of stdout")->type_name("FILE");
    command.add_option("--top", output.top, "Kernel rows in a table or markdown; 0: all")
        ->check(CLI::Range(0, 1'000'000))
        ->capture_default_str();
    command.add_flag("--by-path", output.by_path,
                     "One row per range path (default: per op over all layers)");
}

reports::render::Options render_options(const OutputOptions& output) {
    using reports::render::Format;
    reports::render::Options options;
    options.format = output.format == "json"       ? Format::json
                     : output.format == "html"     ? Format::html
                     : output.format == "csv"      ? Format::csv
                     : output.format == "markdown" ? Format::markdown
                                                   : Format::table;
    options.top = output.top;
    options.by_path = output.by_path;
    const bool to_terminal = output.out.empty() && isatty(STDOUT_FILENO) != 0;
    options.color = to_terminal && std::getenv("NO_COLOR") == nullptr;
    options.width = terminal_columns();
    return options;
}

reports::Patience patience(std::function<bool()> stopped) {
    reports::Patience out;
    if (const char* text = std::getenv("TARE_STORE_WAIT")) {
        char* end = nullptr;
        const double seconds = std::strtod(text, &end);
        if (end == text || *end != '\0' || !(seconds >= 0 && seconds <= 86'400))
            throw UsageError(
                fmt::format("TARE_STORE_WAIT = \"{}\" is not a number of seconds from 0 "
                            "to 86400",
                            text));
        out.longest_s = seconds;
    }
    auto told = std::make_shared<bool>(false);
    out.waiting = [longest_s = out.longest_s, told, stopped = std::move(stopped)](double waited_s) {
        if (waited_s >= 1 && !std::exchange(*told, true))
            std::fprintf(stderr,
                         "tare: another process is writing to the store; waiting for it, at most "
                         "%.3g s ($TARE_STORE_WAIT)\n",
                         longest_s);
        // Others hold it for moments only: what was measured is worth those.
        return waited_s < 2 || !stopped || !stopped();
    };
    return out;
}

reports::Store open_store(const std::string& option, reports::Store::Access access) {
    try {
        const auto folder = reports::store_folder(given(option));
        // Opening to write would make a store: whoever wants to change one wants it to be there.
        if (access == reports::Store::Access::read_write)
            reports::Store(folder, reports::Store::Access::read_only, patience());
        return reports::Store(folder, access, patience());
    } catch (const reports::MachineLacks&) {
        throw;  // nothing to correct on the command line
    } catch (const reports::StoreError& error) {
        throw UsageError(error.what());
    }
}

reports::Id find_run(const reports::Store& store, const std::string& text) {
    try {
        return store.resolve_run(given(text));
    } catch (const reports::StoreError& error) {
        throw UsageError(error.what());
    }
}

reports::Report load_run(const reports::Store& store,
                         const std::string& run,
                         const std::string& arm) {
    const reports::Id id = find_run(store, run);
    if (arm.empty()) return reports::load_report(store, id);
    try {
        return reports::load_arm_report(store, id, arm);
    } catch (const reports::NoSuchArm& error) {
        throw UsageError(error.what());
    }
}

void add_arm_option(CLI::App& command, std::string& arm) {
    command.add_option("--arm", arm, "One arm of the run (default: all of them)")
        ->type_name("NAME");
}

void check_output_file(const std::string& file) {
    if (file.empty()) return;
    refuse_database(file);
    namespace fs = std::filesystem;
    std::error_code error;
    const auto status = fs::status(file, error);
    // A device or a pipe is written to; a file is replaced by one made in its folder.
    const bool direct = fs::exists(status) && !fs::is_regular_file(status);
    const auto folder = fs::absolute(file).parent_path();
    int why = fs::is_directory(status)                    ? EISDIR
              : status.type() == fs::file_type::none      ? error.value()
              : direct && access(file.c_str(), W_OK) != 0 ? errno
                                                          : 0;
    if (why == 0 && !direct && access(folder.c_str(), W_OK | X_OK) != 0) why = errno;
    if (why != 0)
        throw UsageError(
            fmt::format("--out {}: cannot be written there ({}); name a file in a folder you "
                        "may write",
                        file, std::strerror(why)));
}

void write_output(const std::string& text, const std::string& file) {
    OutputFile output(file);
    output.write(text);
    output.finish();
}

void write_output(const std::string& text, const std::string& file, const std::string& again) {
    try {
        write_output(text, file);
    } catch (const UsageError& error) {
        throw UsageError(fmt::format("{}. {}", error.what(), again));
    } catch (const engine::format::OutputLost& lost) {
        say(again);
        throw;
    }
}

}  // namespace scenarios::cli
