// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/resolve.h"

#include <fmt/format.h>

#include "engine/format/sha256.h"
#include "scenarios/plan/find.h"
#include "scenarios/plan/parse_toml.h"
#include "scenarios/plan/prompt.h"
#include "scenarios/plan/read_file.h"
#include "scenarios/plan/values.h"

namespace scenarios::plan {

namespace {

std::string read_file(const std::filesystem::path& file) {
    try {
        return read_whole_file(file, most_toml_bytes);
    } catch (const UnreadableFile& error) {
        throw ScenarioError({file.string()}, fmt::format("cannot be read: {}", error.what()));
    }
}

template <class T>
const Located<T>& required(const std::optional<Located<T>>& value,
                           const ScenarioValues& file,
                           const std::string& form) {
    if (!value) throw ScenarioError({file.file, 1, 1}, "missing key; add " + form);
    return *value;
}

bool is_synthetic(const std::filesystem::path& model) {
    return model.string().rfind("synthetic:", 0) == 0;
}

// A folder with a checkpoint, or "synthetic:NAME" as it stands: the engine knows those names.
std::filesystem::path model_folder(const Located<std::string>& model,
                                   const std::filesystem::path& scenario_folder) {
    if (is_synthetic(model.value)) return model.value;
    const auto folder = scenario_folder / model.value;
    if (!std::filesystem::exists(folder / "config.json"))
        throw ScenarioError(
            model.place,
            fmt::format("model = \"{}\": no config.json in {}; name a folder with a checkpoint, "
                        "relative to the scenario file, or synthetic:NAME",
                        model.value, folder.lexically_normal().string()));
    return std::filesystem::absolute(folder).lexically_normal();
}

std::vector<Text> load_texts(const PromptValues& values,
                             const std::filesystem::path& scenario_folder,
                             const std::filesystem::path& model_folder,
                             Prompt& prompt) {
    if (!values.file) {
        if (is_synthetic(model_folder))
            throw PromptError(
                fmt::format("a prompt from a seed needs the vocabulary of a model "
                            "folder, and the model is {}; write file = \"...\"",
                            model_folder.string()));
        prompt.origin = fmt::format("seed {}", values.seed->value);
        return {{"", seeded_tokens(static_cast<std::uint64_t>(values.seed->value),
                                   values.count->value, vocab_size(model_folder))}};
    }
    prompt.origin = values.file->value;
    prompt.spec =
        std::filesystem::absolute(scenario_folder / values.file->value).lexically_normal().string();
    auto texts = read_prompt(values.file->value, scenario_folder);
    // What a synthetic model's vocabulary is, its engine says.
    if (!is_synthetic(model_folder)) check_vocabulary(texts, vocab_size(model_folder), prompt.spec);
    return texts;
}

// What a workload can do with these texts; "" when it can.
std::string unfit(const std::vector<Text>& texts, Workload workload) {
    if (workload != Workload::score)
        return texts.size() == 1 && texts[0].name.empty()
                   ? ""
                   : fmt::format(
                         "it holds {} named texts, which workload = \"score\" takes; "
                         "workload = \"{}\" takes one list of token ids",
                         texts.size(), name(workload));
    for (std::size_t i = 0; i < texts.size(); ++i)
        if (texts[i].tokens.size() < 2)
            return fmt::format("text {} has one token; a loss needs at least 2", i);
    return "";
}

Prompt load_prompt(const PromptValues& values,
                   const std::filesystem::path& scenario_folder,
                   const std::filesystem::path& model_folder,
                   Workload workload) {
    Prompt prompt;
    try {
        const auto texts = load_texts(values, scenario_folder, model_folder, prompt);
        if (const std::string why = unfit(texts, workload); !why.empty())
            throw PromptError(fmt::format("prompt {}: {}", prompt.origin, why));
        for (const Text& text : texts) {
            prompt.tokens.insert(prompt.tokens.end(), text.tokens.begin(), text.tokens.end());
            prompt.texts.push_back(static_cast<std::int64_t>(text.tokens.size()));
        }
    } catch (const PromptError& error) {
        throw ScenarioError(values.file ? values.file->place : values.place, error.what());
    }
    prompt.sha256 = engine::format::token_ids_sha256(prompt.tokens);
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
            fmt::format("decode_tokens = {} has no use with workload = \"{}\"; take it out or "
                        "write workload = \"decode\"",
                        values.decode_tokens->value, name(workload)));
    return 0;
}

Workload workload_of(const std::string& text) {
    for (const Workload workload : {Workload::decode, Workload::score, Workload::command})
        if (text == name(workload)) return workload;
    return Workload::prefill;
}

int rounds_or(const std::optional<Located<std::int64_t>>& value, int otherwise) {
    return value ? static_cast<int>(value->value) : otherwise;
}

void fill_rounds(Scenario& out, const Values& values) {
    // What only the probe sees are ranges, and a program need not open any.
    const bool is_command = out.workload == Workload::command;
    out.warm_up = rounds_or(values.warm_up, is_command ? 0 : 1);
    out.reps = rounds_or(values.reps, 1);
    out.rounds = rounds_or(values.rounds, 3);
    out.profiled_rounds = rounds_or(values.profiled_rounds, is_command ? 0 : 1);
    if (out.rounds + out.profiled_rounds == 0)
        throw ScenarioError(values.rounds->place,  // the default is not 0
                            "rounds = 0 and profiled_rounds = 0 leave nothing to run; raise one");
    if (values.time_limit_s) out.time_limit_s = values.time_limit_s->value;
}

void fill_engine(Scenario& out,
                 const Values& values,
                 const ScenarioValues& written,
                 const std::filesystem::path& folder) {
    const auto& model = required(values.model, written, "model = \"models/small-bf16\"");
    out.model = model.value;
    out.model_folder = model_folder(model, folder);
    out.decode_tokens = decode_tokens(values, written, out.workload);
    if (values.command)
        throw ScenarioError(values.command->place,
                            fmt::format("command has no use with workload = \"{}\"; take it out or "
                                        "write workload = \"command\"",
                                        name(out.workload)));
    if (!values.prompt)
        throw ScenarioError({written.file, 1, 1},
                            "missing table; add [prompt] with file = \"prompts/long256.json\"");
    out.prompt = load_prompt(*values.prompt, folder, out.model_folder, out.workload);
}

template <class T>
void refuse_of_engine(const std::optional<T>& value, const char* key, const char* what_to_do) {
    if (value)
        throw ScenarioError(
            value->place,
            fmt::format("{} has no use with workload = \"command\"; {}", key, what_to_do));
}

void fill_command(Scenario& out, const Values& values, const ScenarioValues& written) {
    refuse_of_engine(values.model, "model", "what the command reads stands in command");
    refuse_of_engine(values.prompt, "[prompt]", "what the command reads stands in command");
    refuse_of_engine(values.decode_tokens, "decode_tokens", "take it out");
    refuse_of_engine(values.warm_up, "warm_up", "a trial is one process: let it warm itself up");
    refuse_of_engine(values.reps, "reps", "a trial is one process; raise rounds");
    const auto& command =
        required(values.command, written, "command = [\"{program}\", \"--size\", \"8\"]");
    if (command.value.empty() || command.value[0].empty())
        throw ScenarioError(command.place,
                            "command names no program; write command = [\"{program}\"]");
    out.command = command.value;
    const auto folder = std::filesystem::absolute(written.file).parent_path();
    out.directory = enclosing_checkout(folder).value_or(folder);
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
    const auto& workload = required(values.workload, written,
                                    "workload = \"prefill\", \"decode\", \"score\" or \"command\"");
    out.workload = workload_of(workload.value);
    if (out.workload == Workload::command)
        fill_command(out, values, written);
    else
        fill_engine(out, values, written, folder);
    if (values.arguments) out.arguments = values.arguments->value;
    fill_rounds(out, values);
    if (values.metrics)
        for (const MetricValues& metric : *values.metrics)
            out.metrics.push_back({metric.name, metric.margin});
    for (const ArmValues& arm : written.arms)
        out.arms.push_back({arm.name, arm.arguments, arm.environment, arm.about});
    out.build = written.build;
    return out;
}

}  // namespace scenarios::plan
