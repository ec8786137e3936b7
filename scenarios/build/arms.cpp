// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/arms.h"

#include <unistd.h>

#include <system_error>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "scenarios/build/build_file.h"
#include "scenarios/plan/names.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::build {

namespace fs = std::filesystem;

namespace {

bool is_program(const fs::path& file) {
    std::error_code error;
    return fs::is_regular_file(file, error) && ::access(file.c_str(), X_OK) == 0;
}

// What build.json in that folder calls the program; empty: it does not say.
std::string program_said(const fs::path& folder) {
    const auto text = run::read_text(folder / build_file_name);
    const auto file = text ? nlohmann::json::parse(*text, nullptr, false) : nlohmann::json();
    const auto found = file.is_object() ? file.find("program") : file.end();
    return file.is_object() && found != file.end() && found->is_string()
               ? fs::path(found->get<std::string>()).filename().string()
               : "";
}

fs::path program_in(const ArmSpec& spec, const std::string& usual_name) {
    const fs::path folder = fs::absolute(*spec.build_folder).lexically_normal();
    std::vector<fs::path> candidates = {folder / usual_name, folder / "bin" / usual_name};
    if (const std::string said = program_said(folder); !said.empty())
        candidates.insert(candidates.begin(), folder / said);
    for (const fs::path& candidate : candidates)
        if (is_program(candidate)) return candidate;
    throw ArmError(fmt::format(
        "arm {}: no program in {}: neither build.json names one, nor is there {} or bin/{}. Name "
        "what `tare build REF --out DIR` made, or a build tree",
        plan::in_quotes(spec.text), folder.string(), usual_name, usual_name));
}

// The parts that only arms with a ref need, looked up once.
struct Source {
    Git git;
    plan::BuildRecipe recipe;
};

void build_one(ReadyArm& arm,
               const Workshop& workshop,
               const std::optional<Source>& source,
               const run::Interrupt& interrupt,
               const std::function<void(const std::string&)>& say) {
    if (!arm.spec.ref) return;
    if (workshop.at_hand.is_clean && workshop.at_hand.commit == arm.commit) {
        arm.program = workshop.at_hand.program;
        return;
    }
    Builder builder(source->git, workshop.cache, interrupt, say);
    try {
        arm.program = builder.cached(arm.commit, source->recipe).program;
    } catch (const BuildFailed& error) {
        arm.why_invalid = error.what();
    }
}

bool is_any_ref(const std::vector<ArmSpec>& specs) {
    for (const ArmSpec& spec : specs)
        if (spec.ref) return true;
    return false;
}

// Measuring HEAD while the tree holds something else surprises: it is said.
void warn_of_changes(const Git& git,
                     const std::vector<ReadyArm>& arms,
                     const std::function<void(const std::string&)>& say) {
    const auto head = git.commit_of("HEAD");
    for (const ReadyArm& arm : arms) {
        if (!arm.spec.ref || !head || arm.commit != *head || git.is_clean()) continue;
        say(
            fmt::format("arm {} ({}) is the commit {}; changes of the working tree that are not "
                        "committed are not in it",
                        arm.name, arm.spec.text, arm.commit.substr(0, 12)));
        return;
    }
}

}  // namespace

std::string arm_name(std::size_t index) {
    return std::string(1, static_cast<char>('a' + index));
}

Git checkout_of(const fs::path& folder) {
    auto git = Git::enclosing(folder);
    if (!git)
        throw ArmError(fmt::format(
            "{} is not in a git checkout (or git is not installed), so no ref can be built; change "
            "into one, or use build:DIR",
            folder.string()));
    return *git;
}

std::string find_commit(const Git& git, const std::string& ref) {
    if (auto commit = git.commit_of(ref)) return *commit;
    const auto known = git.some_refs(1000);
    const std::vector<std::string> some(
        known.begin(), known.begin() + std::min<std::ptrdiff_t>(5, std::ssize(known)));
    throw ArmError(fmt::format(
        "{} names no commit in {}.{} There are, latest first: {}. A shallow clone lacks older "
        "commits: git fetch --unshallow",
        plan::in_quotes(ref), git.top().string(), plan::nearest_hint(ref, known),
        some.empty() ? "no branches or tags" : fmt::format("{}", fmt::join(some, ", "))));
}

// Of the working tree, not of the commit: older commits have none, and one way of building makes
// arms that can be compared.
plan::BuildRecipe find_recipe(const Git& git, const std::optional<plan::BuildRecipe>& of_scenario) {
    if (of_scenario) return *of_scenario;
    const fs::path file = git.top() / plan::project_file;
    const auto text = run::read_text(file);
    if (!text)
        throw ArmError(fmt::format(
            "{}: not there, so nothing says how a commit is built; write [build] with command = "
            "\"...\" and artefact = \"...\" into it or into the scenario",
            file.string()));
    return plan::parse_project(*text, file.string());
}

std::vector<ReadyArm> ready_arms(const std::vector<ArmSpec>& specs,
                                 const Workshop& workshop,
                                 const run::Interrupt& interrupt,
                                 const std::function<void(const std::string&)>& say) {
    std::optional<Source> source;
    if (is_any_ref(specs)) {
        const Git git = checkout_of(workshop.from);
        source = Source{git, find_recipe(git, workshop.recipe)};
    }
    std::vector<ReadyArm> arms;
    for (const ArmSpec& spec : specs) {
        ReadyArm arm{arm_name(arms.size()), spec, workshop.at_hand.program, "", ""};
        if (spec.build_folder)
            arm.program = program_in(spec, workshop.at_hand.program.filename().string());
        if (spec.ref) {
            arm.program.clear();
            arm.commit = find_commit(source->git, *spec.ref);
        }
        arms.push_back(std::move(arm));
    }
    if (source) warn_of_changes(source->git, arms, say);
    for (ReadyArm& arm : arms) build_one(arm, workshop, source, interrupt, say);
    return arms;
}

}  // namespace scenarios::build
