// SPDX-License-Identifier: Apache-2.0
#include "scenarios/build/build_file.h"

#include <nlohmann/json.hpp>

#include "engine/format/sha256.h"
#include "scenarios/run/clock.h"
#include "scenarios/run/files.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::build {

namespace {

using nlohmann::json;

json object_in(const std::filesystem::path& file) {
    const auto text = run::read_text(file);
    const json object = text ? json::parse(*text, nullptr, false) : json();
    return object.is_object() ? object : json::object();
}

json compiler_of(const Toolchain& toolchain) {
    const auto found = toolchain.versions.find("c++");
    return found == toolchain.versions.end() ? json() : json(found->second);
}

}  // namespace

void write_build_file(const std::filesystem::path& folder,
                      const std::filesystem::path& program,
                      const std::string& commit,
                      const plan::BuildRecipe& recipe,
                      const Toolchain& toolchain,
                      const std::filesystem::path& said_in_worktree) {
    const json said = object_in(said_in_worktree);
    const json file = {
        {"schema", "tare.build/1"},
        {"commit", commit},
        {"dirty_diff_sha256", nullptr},
        {"compiler", said.value("compiler", compiler_of(toolchain))},
        {"flags", said.value("flags", json())},
        {"targets", said.value("targets", json(recipe.artefacts))},
        {"protocol", said.value("protocol", json())},
        {"program", program.filename().string()},
        {"binary_sha256", engine::format::sha256_file(program)},
        {"command", recipe.command},
        {"environment", recipe.environment},
        {"toolchain", to_text(toolchain)},
        {"inputs", recipe.inputs},
        {"built_utc", run::utc_text(run::real_now_ns())},
    };
    run::write_whole(folder / build_file_name,
                     file.dump(2, ' ', false, json::error_handler_t::replace) + "\n");
}

}  // namespace scenarios::build
