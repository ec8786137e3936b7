// SPDX-License-Identifier: Apache-2.0
// From what users write to programs that can be started: refs are built, folders looked into.
#pragma once

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "scenarios/build/arm_spec.h"
#include "scenarios/build/builder.h"

namespace scenarios::build {

// The user has to correct something: no such ref, no such folder, no [build].
struct ArmError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// The program that needs no build: of arms without a ref, and of a ref it was built from.
struct AtHand {
    std::filesystem::path program;
    std::optional<std::string> commit;  // nullopt: not known
    bool is_clean = false;              // built from exactly that commit
};

struct ReadyArm {
    std::string name;  // "a", "b", ...: in the order they were written
    ArmSpec spec;
    std::filesystem::path program;  // empty: see why_invalid
    std::string commit;             // of a ref; empty otherwise
    std::string why_invalid;        // why there is nothing to start, with the log's place
};

struct Workshop {
    std::filesystem::path from;               // a folder of the checkout refs are looked up in
    std::filesystem::path cache;              // of builds
    std::optional<plan::BuildRecipe> recipe;  // of the scenario; nullopt: tare.toml of the checkout
    AtHand at_hand;
};

// All refs and folders are looked up before the first is built. A ref that does not build is an
// arm with why_invalid. Throws ArmError, BuildInterrupted, GitError, run::FileError and
// plan::ScenarioError (of tare.toml).
std::vector<ReadyArm> ready_arms(const std::vector<ArmSpec>& specs,
                                 const Workshop& workshop,
                                 const run::Interrupt& interrupt,
                                 const std::function<void(const std::string&)>& say);

// "a", "b", ... of arm `index` from 0.
std::string arm_name(std::size_t index);

// The checkout that encloses `folder`, the commit of `ref` there and the recipe to build it.
// Throws ArmError and plan::ScenarioError.
Git checkout_of(const std::filesystem::path& folder);
std::string find_commit(const Git& git, const std::string& ref);
plan::BuildRecipe find_recipe(const Git& git, const std::optional<plan::BuildRecipe>& of_scenario);

}  // namespace scenarios::build
