// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/init_project.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <regex>
#include <set>
#include <sstream>

#include <fmt/format.h>

#include "scenarios/plan/build_recipe.h"
#include "scenarios/plan/names.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t most_looked_at = 1 << 20;  // of a build file: what follows is not looked for

std::string fill_in(const std::string& what) {
    return fmt::format("{}: {}", plan::placeholder_mark, what);
}

const std::string unknown_artefact = fill_in("the program that the command leaves, e.g. build/app");

// First group of the first line that matches.
std::optional<std::string> first_match(const std::string& text, const std::regex& pattern) {
    std::istringstream in(text);
    std::smatch found;
    for (std::string line; std::getline(in, line);)
        if (line.size() < 1000 && std::regex_search(line, found, pattern)) return found[1].str();
    return std::nullopt;
}

Project of_cmake(const fs::path&, const std::string& text) {
    static const std::regex executable(R"(^\s*add_executable\s*\(\s*([A-Za-z0-9_.+-]+))",
                                       std::regex::icase);
    const auto name = first_match(text, executable);
    Project out;
    out.build_command =
        "cmake -S . -B build -DCMAKE_BUILD_TYPE=Release && cmake --build build --parallel";
    out.artefact = name ? "build/" + *name : unknown_artefact;
    out.packages = "build-essential cmake";
    return out;
}

// Targets that are no files.
std::set<std::string> phony_targets(const std::string& text) {
    std::set<std::string> out = {"all", "clean", "install", "test", "check"};
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) {
        if (line.rfind(".PHONY:", 0) != 0) continue;
        std::istringstream words(line.substr(7));
        for (std::string word; words >> word;) out.insert(word);
    }
    return out;
}

// The first target that is a file, else what the first one asks for.
Project of_make(const fs::path&, const std::string& text) {
    static const std::regex rule(R"(^([A-Za-z0-9_./+-]+)\s*:(?!=)\s*([A-Za-z0-9_./+-]*))");
    const auto phony = phony_targets(text);
    Project out{.found = {}, .build_command = "make", .artefact = unknown_artefact};
    std::istringstream in(text);
    std::smatch found;
    for (std::string line; std::getline(in, line);) {
        if (line.size() >= 1000 || !std::regex_search(line, found, rule) || line[0] == '.')
            continue;
        const std::string target = found[1], first = found[2];
        const bool is_file = phony.count(target) == 0;
        if (!is_file && (first.empty() || phony.count(first) > 0)) continue;
        out.artefact = is_file ? target : first;
        break;
    }
    return out;
}

Project of_cargo(const fs::path&, const std::string& text) {
    static const std::regex name(R"re(^\s*name\s*=\s*"([A-Za-z0-9_-]+)")re");
    const auto found = first_match(text, name);
    Project out;
    out.build_command = "cargo build --release";
    out.artefact = found ? "target/release/" + *found : unknown_artefact;
    out.packages = "cargo";
    return out;
}

// One file that holds the package: what a copied script would import, it would take from elsewhere.
Project of_python(const fs::path& top, const std::string& text) {
    static const std::regex script(
        R"re(^\s*[A-Za-z0-9_.-]+\s*=\s*"([A-Za-z0-9_]+(\.[A-Za-z0-9_]+)*:[A-Za-z0-9_]+)"\s*$)re");
    const auto section = text.find("[project.scripts]");
    const auto entry =
        section == std::string::npos ? std::nullopt : first_match(text.substr(section), script);
    Project out;
    out.command = {"python3", "{program}"};
    out.packages = "python3";
    out.artefact = "build/app.pyz";
    out.build_command =
        fill_in("e.g. python3 -m zipapp src -m 'package.module:main' -o build/app.pyz");
    if (!entry) return out;
    const std::string package = entry->substr(0, entry->find_first_of(".:"));
    const std::string in = fs::is_directory(top / "src" / package) ? "src/" : "";
    if (!fs::is_directory(top / (in + package))) return out;
    out.build_command = fmt::format(
        "mkdir -p build/app && cp -r {}{} build/app/ && python3 -m zipapp build/app -m '{}' -o "
        "build/app.pyz",
        in, package, *entry);
    return out;
}

Project unknown() {
    return {.found = {},
            .build_command = fill_in("how a commit is built, e.g. make -j8"),
            .artefact = unknown_artefact};
}

}  // namespace

Project guess_project(const fs::path& top) {
    using Guess = std::function<Project(const fs::path&, const std::string&)>;
    static const std::pair<const char*, Guess> guesses[] = {{"CMakeLists.txt", of_cmake},
                                                            {"GNUmakefile", of_make},
                                                            {"Makefile", of_make},
                                                            {"Cargo.toml", of_cargo},
                                                            {"pyproject.toml", of_python}};
    for (const auto& [file, guess] : guesses) {
        std::error_code error;
        if (!fs::is_regular_file(top / file, error)) continue;
        const auto text = run::read_text(top / file);
        if (!text) continue;
        Project out = guess(top, text->substr(0, most_looked_at));
        out.found = file;
        return out;
    }
    return unknown();
}

std::string scenario_name(const Project& project, const fs::path& top) {
    std::string name = fs::path(project.artefact).stem().string();
    if (project.artefact.rfind(plan::placeholder_mark, 0) == 0) name = top.filename().string();
    for (char& c : name) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (!plan::is_name(std::string("a") + c)) c = '-';
    }
    name = name.substr(0, plan::longest_name);
    return plan::is_name(name) ? name : "app";
}

bool is_whole(const Project& project) {
    return project.build_command.rfind(plan::placeholder_mark, 0) != 0 &&
           project.artefact.rfind(plan::placeholder_mark, 0) != 0;
}

}  // namespace scenarios::cli
