// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/find.h"

#include <algorithm>

#include <fmt/format.h>

#include "scenarios/plan/names.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/plan/read_file.h"

namespace scenarios::plan {

namespace fs = std::filesystem;

namespace {

bool ends_with_toml(const std::string& text) {
    return text.size() > 5 && text.compare(text.size() - 5, 5, ".toml") == 0;
}

std::vector<std::string> names_in(const std::vector<fs::path>& folders) {
    std::vector<std::string> names;
    for (const fs::path& folder : folders) {
        std::error_code ignored;
        for (const auto& entry : fs::directory_iterator(folder, ignored))
            if (entry.path().extension() == ".toml") names.push_back(entry.path().stem().string());
    }
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

std::string joined(const std::vector<std::string>& words) {
    std::string out;
    for (const std::string& word : words) out += (out.empty() ? "" : ", ") + word;
    return out.empty() ? "none" : out;
}

}  // namespace

// A checkout is a folder with .git (a folder, or a file in a linked work tree).
std::optional<fs::path> enclosing_checkout(fs::path folder) {
    for (;; folder = folder.parent_path()) {
        std::error_code ignored;
        if (fs::exists(folder / ".git", ignored)) return folder;
        if (folder == folder.parent_path()) return std::nullopt;
    }
}

std::vector<fs::path> scenario_folders(const std::optional<std::string>& option,
                                       const fs::path& from,
                                       const fs::path& executable) {
    if (option) return {fs::path(*option)};
    std::vector<fs::path> folders;
    if (const auto checkout = enclosing_checkout(fs::absolute(from)))
        folders.push_back(*checkout / "scenarios");
    const fs::path bin = executable.parent_path();
    folders.push_back((bin / "../../../scenarios").lexically_normal());
    folders.push_back((bin / "../share/tare/scenarios").lexically_normal());
    return folders;
}

fs::path find_scenario(const std::string& text, const std::vector<fs::path>& folders) {
    std::error_code ignored;
    if (text.find('/') != std::string::npos || ends_with_toml(text)) {
        const std::string why = why_unreadable(text);
        if (why.empty()) return text;
        throw NotFound(fmt::format("scenario file {} cannot be read: {}", in_quotes(text), why));
    }
    std::vector<std::string> searched;
    for (const fs::path& folder : folders) {
        const fs::path file = folder / (text + ".toml");
        if (fs::is_regular_file(file, ignored)) return file;
        searched.push_back(folder.string());
    }
    const auto names = names_in(folders);
    throw NotFound(
        fmt::format("scenario {} is not in {}. Scenarios there: {}.{} A path to a .toml "
                    "file works too.",
                    is_name(text) ? "'" + text + "'" : in_quotes(text), joined(searched),
                    joined(names), nearest_hint(text, names)));
}

}  // namespace scenarios::plan
