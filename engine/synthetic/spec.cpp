// SPDX-License-Identifier: Apache-2.0
// Parses the names of synthetic checkpoints.
#include "engine/synthetic/spec.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <stdexcept>

#include "engine/format/text_file.h"
#include "engine/synthetic/configs.h"

namespace engine::synthetic {

namespace {

constexpr std::string_view prefix = "synthetic";

// Short forms of names, and the recipe of the checkpoint that was released under a name.
struct Known {
    std::string_view name;
    std::array<std::string_view, 2> aliases;
    Recipe released;
};

constexpr std::array known{
    Known{"nemotron-3-nano", {"nano", "nemotron-3-nano"}, Recipe::nvfp4},
    Known{"nemotron-3.5-lightning", {"lightning", "nemotron-3-lightning"}, Recipe::lightning},
    Known{"nemotron-3-super", {"super", "nemotron-3-super"}, Recipe::super}};

constexpr std::string_view form =
    "synthetic:NAME[:bf16|nvfp4|fp8|released][@SEED], or synthetic[:bf16|nvfp4|fp8][@SEED] with "
    "--config FILE";

[[noreturn]] void refuse(std::string_view model, std::string_view what) {
    throw std::invalid_argument(fmt::format("--model {}: {}; accepted: {}", model, what, form));
}

const Known* find(std::string_view name) {
    const auto* found = std::find_if(known.begin(), known.end(), [&](const Known& k) {
        return k.name == name || k.aliases[0] == name || k.aliases[1] == name;
    });
    return found == known.end() ? nullptr : found;
}

std::uint64_t parse_seed(std::string_view model, std::string_view text) {
    std::uint64_t seed = 0;
    const char* end = text.data() + text.size();
    const auto [stop, error] = std::from_chars(text.data(), end, seed);
    if (error == std::errc{} && stop == end) return seed;
    refuse(model, fmt::format("seed '{}' is not a whole number from 0 to 2^64 - 1", text));
}

struct Parts {
    std::vector<std::string_view> words;  // between the colons
    std::uint64_t seed = 0;
};

Parts split(std::string_view model) {
    Parts parts;
    std::string_view rest = model.substr(prefix.size());
    if (const auto at = rest.rfind('@'); at != std::string_view::npos) {
        parts.seed = parse_seed(model, rest.substr(at + 1));
        rest = rest.substr(0, at);
    }
    while (!rest.empty()) {
        rest.remove_prefix(1);  // the colon
        parts.words.push_back(rest.substr(0, rest.find(':')));
        rest.remove_prefix(parts.words.back().size());
    }
    return parts;
}

std::string join_names() {
    return fmt::format("{}", fmt::join(names(), ", "));
}

std::string_view embedded(std::string_view name) {
    for (const EmbeddedConfig& config : embedded_configs()) {
        if (config.name == name) return config.text;
    }
    throw std::logic_error(fmt::format("no config {} was built in", name));
}

void take_name(Spec& spec, Parts& parts, std::string_view model) {
    if (parts.words.empty()) refuse(model, "a NAME is missing");
    const Known* found = find(parts.words[0]);
    if (!found) {
        refuse(model, fmt::format("'{}' is not one of {}", parts.words[0], join_names()));
    }
    spec.name = found->name;
    spec.config = embedded(found->name);
    spec.built_in = true;
    parts.words.erase(parts.words.begin());
}

}  // namespace

std::string_view name(Recipe recipe) {
    constexpr std::array<std::string_view, 5> words{"bf16", "fp8", "nvfp4", "released", "released"};
    return words[static_cast<std::size_t>(recipe)];
}

std::string Spec::text() const {
    const bool default_recipe = built_in ? released : recipe == Recipe::bf16;
    return fmt::format("{}:{}{}{}{}", prefix, name, default_recipe ? "" : ":",
                       default_recipe ? "" : synthetic::name(recipe),
                       seed == 0 ? "" : fmt::format("@{}", seed));
}

bool is_synthetic(std::string_view model) {
    if (model.substr(0, prefix.size()) != prefix) return false;
    const std::string_view rest = model.substr(prefix.size());
    return rest.empty() || rest[0] == ':' || rest[0] == '@';
}

std::vector<std::string_view> names() {
    std::vector<std::string_view> result;
    for (const Known& k : known) result.push_back(k.name);
    return result;
}

void set_recipe(Spec& spec, std::string_view word) {
    const Known* of_name = spec.built_in ? find(spec.name) : nullptr;
    for (const Recipe recipe : {Recipe::bf16, Recipe::fp8, Recipe::nvfp4}) {
        if (word != name(recipe)) continue;
        spec.recipe = recipe;
        spec.released = of_name && of_name->released == recipe;
        return;
    }
    if (word != "released" || !of_name) {
        throw std::invalid_argument(fmt::format(
            "'{}' is not a format of {}; accepted: bf16, nvfp4, fp8{}", word, spec.text(),
            of_name ? ", released" : fmt::format(" (released: only of {})", join_names())));
    }
    spec.recipe = of_name->released;
    spec.released = true;
}

Spec parse_spec(std::string_view model, const std::filesystem::path& config_file) {
    Parts parts = split(model);
    Spec spec{.seed = parts.seed};
    if (config_file.empty()) {
        take_name(spec, parts, model);
    } else {
        spec.name = config_file.stem().string();
        spec.config = format::read_text(config_file);
    }
    if (parts.words.size() > 1) refuse(model, fmt::format("too many parts: '{}'", parts.words[1]));
    const std::string_view usual = spec.built_in ? "released" : "bf16";
    set_recipe(spec, parts.words.empty() ? usual : parts.words[0]);
    return spec;
}

}  // namespace engine::synthetic
