// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/build.h"

#include <nlohmann/json.hpp>

#include "engine/format/sha256.h"
#include "scenarios/run/proc_files.h"

namespace scenarios::run {

namespace {

using nlohmann::json;

// build.json beside the binary; null when there is none or it is not an object.
json build_file(const std::filesystem::path& binary) {
    const auto text = read_text(binary.parent_path() / "build.json");
    const json object = text ? json::parse(*text, nullptr, false) : json();
    return object.is_object() ? object : json();
}

// build.json speaks of one binary: another one beside it (a rebuilt one) gets nothing from it.
json matching_build_file(const std::filesystem::path& binary, const std::string& sha256) {
    const json object = build_file(binary);
    return object.is_object() && object.value("binary_sha256", json()) == json(sha256) ? object
                                                                                       : json();
}

std::optional<std::string> from_file(const json& object, const char* key) {
    const auto found = object.is_object() ? object.find(key) : object.end();
    if (found == object.end() || !found->is_string()) return std::nullopt;
    return found->get<std::string>();
}

void fill(std::optional<std::string>& field,
          const std::optional<std::string>& said,
          const json& file,
          const char* key,
          const std::string& reason,
          reports::Missing& missing) {
    field = said ? said : from_file(file, key);
    if (!field) missing[key] = reason;
}

}  // namespace

reports::Build describe_build(const std::filesystem::path& binary,
                              const std::optional<Hello>& hello,
                              const std::string& no_hello) {
    reports::Build build;
    build.binary_path = std::filesystem::absolute(binary).lexically_normal().string();
    build.binary_sha256 = engine::format::sha256_file(binary);
    const json file = matching_build_file(binary, build.binary_sha256);
    const Hello said = hello.value_or(Hello{});
    const std::string reason =
        (hello ? "the engine's hello line has none" : no_hello) +
        (file.is_object() ? ", nor has build.json" : "; no build.json of this binary beside it");
    fill(build.commit, said.commit, file, "commit", reason, build.missing);
    fill(build.compiler, said.compiler, file, "compiler", reason, build.missing);
    fill(build.flags, said.flags, file, "flags", reason, build.missing);
    // With a commit, no diff means a clean tree.
    fill(build.dirty_diff_sha256, said.dirty_diff_sha256, file, "dirty_diff_sha256",
         build.commit ? "the tree was clean" : reason, build.missing);
    build.protocol = said.protocol;
    if (!build.protocol) build.missing["protocol"] = reason;
    return build;
}

reports::Build no_build(const std::string& why) {
    reports::Build build;
    for (const char* key : {"commit", "compiler", "flags", "dirty_diff_sha256", "protocol"})
        build.missing[key] = why;
    return build;
}

reports::Model describe_model(const std::filesystem::path& folder,
                              const std::optional<Hello>& hello,
                              const std::string& no_hello) {
    reports::Model model;
    model.name = hello && hello->model_name ? *hello->model_name : folder.filename().string();
    if (hello) model.sha256 = hello->model_sha256;
    if (!model.sha256)
        model.missing["sha256"] = hello ? "the engine's hello line has none" : no_hello;
    return model;
}

}  // namespace scenarios::run
