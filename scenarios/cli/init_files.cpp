// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/init_files.h"

#include <algorithm>
#include <map>
#include <optional>
#include <stdexcept>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/cli/context.h"
#include "scenarios/run/files.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::cli {

namespace fs = std::filesystem;

namespace {

// A text, or a list of texts, as TOML and YAML both read it.
std::string as_json(const nlohmann::json& value) {
    std::string out = value.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace);
    for (auto at = out.find("\",\""); at != std::string::npos; at = out.find("\",\"", at))
        out.replace(at, 3, "\", \"");
    return out;
}

std::string filled(std::string_view name, const std::map<std::string, std::string>& words) {
    const auto all = init_templates();
    const auto found =
        std::find_if(all.begin(), all.end(), [&](const Template& one) { return one.name == name; });
    if (found == all.end()) throw std::logic_error(fmt::format("no template {}", name));
    std::string out(found->text);
    for (const auto& [key, value] : words) {
        const std::string mark = "<<" + key + ">>";
        for (auto at = out.find(mark); at != std::string::npos;) {
            out.replace(at, mark.size(), value);
            at = out.find(mark, at + value.size());
        }
    }
    return out;
}

// What has to be undone when a later file cannot be written.
class Undo {
  public:
    ~Undo() {
        if (done_) return;
        std::error_code ignored;
        for (auto step = files_.rbegin(); step != files_.rend(); ++step) {
            try {
                if (step->second)
                    run::write_whole(step->first, *step->second);
                else
                    fs::remove(step->first, ignored);
            } catch (const std::exception&) {
                // The disk that took nothing new does not take the old again: the error says which.
            }
        }
        for (auto folder = folders_.rbegin(); folder != folders_.rend(); ++folder)
            fs::remove(*folder, ignored);  // only when it is empty
    }

    void make_folders(const fs::path& folder) {
        if (fs::is_directory(folder)) return;
        make_folders(folder.parent_path());
        run::make_folder(folder);
        folders_.push_back(folder);
    }

    void write(const fs::path& file, const std::string& text) {
        if (fs::is_directory(file))
            throw run::FileError(fmt::format("{}: a folder is in the way", file.string()));
        const std::optional<std::string> before =
            fs::exists(file) ? run::read_text(file) : std::nullopt;
        run::write_whole(file, text);
        files_.emplace_back(file, before);
    }

    void keep() { done_ = true; }

  private:
    std::vector<std::pair<fs::path, std::optional<std::string>>> files_;  // and what was there
    std::vector<fs::path> folders_;
    bool done_ = false;
};

}  // namespace

std::vector<NewFile> init_files(const Project& project,
                                const std::string& name,
                                const Suite& suite) {
    const std::map<std::string, std::string> words = {
        {"name", name},
        {"build_command", as_json(project.build_command)},
        {"artefact", as_json(project.artefact)},
        {"command", as_json(project.command)},
        {"packages", project.packages},
        {"repository", as_json(suite.repository)},
        {"ref", as_json(suite.ref)}};
    return {{"tare.toml", filled("cli/init/tare.toml", words)},
            {fs::path("scenarios") / (name + ".toml"), filled("cli/init/scenario.toml", words)},
            {".github/workflows/tare.yml", filled("cli/init/workflow.yml", words)}};
}

std::vector<fs::path> already_there(const fs::path& top, const std::vector<NewFile>& files) {
    std::vector<fs::path> out;
    for (const NewFile& file : files) {
        std::error_code error;
        if (fs::exists(fs::symlink_status(top / file.path, error))) out.push_back(file.path);
    }
    return out;
}

void write_all(const fs::path& top, const std::vector<NewFile>& files) {
    Undo undo;
    try {
        for (const NewFile& file : files) {
            undo.make_folders((top / file.path).parent_path());
            undo.write(top / file.path, file.text);
        }
    } catch (const std::exception& error) {
        throw UsageError(
            fmt::format("{}. Nothing was written; make room or mend the permissions, and run again",
                        error.what()));
    }
    undo.keep();
}

}  // namespace scenarios::cli
