// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/resolve.h"

#include <cerrno>
#include <cstring>
#include <fstream>
#include <sstream>

#include <fmt/format.h>

#include "scenarios/plan/prompt.h"
#include "scenarios/plan/values.h"

namespace scenarios::plan {

namespace {

std::string read_file(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::ostringstream text;
    if (!in || std::filesystem::is_directory(file) || !(text << in.rdbuf()))
        throw ScenarioError({file.string()},
                            fmt::format("cannot be read: {}", errno != 0 ? std::strerror(errno)
                                                                         : "not a file with text"));
    return text.str();
}

template <class T>
const Located<T>& required(const std::optional<Located<T>>& value,
                           const ScenarioValues& file,
                           const std::string& form) {
    if (!value) throw ScenarioError({file.file, 1, 1}, "missing key; add " + form);
    return *value;
}

std::filesystem::path model_folder(const Located<std::string>& model,
                                   const std::filesystem::path& scenario_folder) {
    if (model.value.rfind("synthetic:", 0) == 0)
        throw ScenarioError(model.place,
                            fmt::format("model = \"{}\": synthetic models are not in this version; "
                                        "name a folder with a checkpoint",
                                        model.value));
    const auto folder = scenario_folder / model.value;
    if (!std::filesystem::is_regular_file(folder / "config.json"))
        throw ScenarioError(
            model.place, fmt::format("model = \"{}\": no config.json in {}; name a folder with a "
                                     "checkpoint, relative to the scenario file",
                                     model.value, folder.lexically_normal().string()));
    return std::filesystem::absolute(folder).lexically_normal();
}

Prompt load_prompt(const PromptValues& values,
                   const std::filesystem::path& scenario_folder,
                   const std::filesystem::path& model_folder) {
    Prompt prompt;
    try {
        if (values.file) {
            prompt.tokens = read_tokens(values.file->value, scenario_folder);
            prompt.origin = values.file->value;
            prompt.spec = std::filesystem::absolute(scenario_folder / values.file->value)
                              .lexically_normal()
                              .string();
        } else {
            prompt.tokens = seeded_tokens(static_cast<std::uint64_t>(values.seed->value),
                                          values.count->value, vocab_size(model_folder));
            prompt.origin = fmt::format("seed {}", values.seed->value);
        }
    } catch (const PromptError& error) {
        throw ScenarioError(values.file ? values.file->place : values.place, error.what());
    }
    prompt.sha256 = tokens_sha256(prompt.tokens);
    return prompt;
}

int decode_tokens(const Values& values, const ScenarioValues& file, Workload workload) {
    if (workload == Workload::decode)
        return static_cast<int>(required(values.decode_tokens, file,
                                         "decode_tokens = 64 (workload \"decode\" needs it)")
                                    .value);
    if (values.decode_tokens)
        throw ScenarioError(
            values.decode_tokens->place,
            fmt::format("decode_tokens = {} has no use with workload = \"prefill\"; take "
                        "it out or write workload = \"decode\"",
                        values.decode_tokens->value));
    return 0;
}

int rounds_or(const std::optional<Located<std::int64_t>>& value, int otherwise) {
    return value ? static_cast<int>(value->value) : otherwise;
}

void fill_rounds(Scenario& out, const Values& values) {
    out.warm_up = rounds_or(values.warm_up, 1);
    out.reps = rounds_or(values.reps, 1);
    out.rounds = rounds_or(values.rounds, 3);
    out.profiled_rounds = rounds_or(values.profiled_rounds, 1);
    if (out.rounds + out.profiled_rounds == 0)
        throw ScenarioError(values.rounds->place,
                            "rounds = 0 and profiled_rounds = 0 leave nothing to run; raise one");
    if (values.time_limit_s) out.time_limit_s = values.time_limit_s->value;
}

}  // namespace

Scenario load_scenario(const std::filesystem::path& file, const std::string& backend) {
    const ScenarioValues written = parse_scenario(read_file(file), file.string());
    const auto variant = written.variants.find(backend);
    const Values values = variant == written.variants.end()
                              ? written.base
                              : overridden(written.base, variant->second);
    const auto folder = file.parent_path();

    Scenario out;
    out.file = written.file;
    out.name = required(written.name, written, "name = \"prefill-4k\"").value;
    out.about = written.about ? written.about->value : "";
    out.backend = backend;
    const auto& model = required(values.model, written, "model = \"models/small-bf16\"");
    out.model = model.value;
    out.model_folder = model_folder(model, folder);
    const auto& workload =
        required(values.workload, written, "workload = \"prefill\" or \"decode\"");
    out.workload = workload.value == "decode" ? Workload::decode : Workload::prefill;
    out.decode_tokens = decode_tokens(values, written, out.workload);
    if (values.arguments) out.arguments = values.arguments->value;
    fill_rounds(out, values);
    if (values.metrics)
        for (const MetricValues& metric : *values.metrics)
            out.metrics.push_back({metric.name, metric.margin});
    if (!values.prompt)
        throw ScenarioError({written.file, 1, 1},
                            "missing table; add [prompt] with file = \"prompts/long256.json\"");
    out.prompt = load_prompt(*values.prompt, folder, out.model_folder);
    return out;
}

}  // namespace scenarios::plan
