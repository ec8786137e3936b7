// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/values.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "scenarios/plan/arm_values.h"
#include "scenarios/plan/margin.h"
#include "scenarios/plan/names.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/plan/parse_toml.h"
#include "scenarios/plan/share.h"
#include "scenarios/plan/toml_table.h"

namespace scenarios::plan {

namespace {

constexpr std::int64_t most_reps = 100'000;
constexpr std::int64_t most_rounds = 1'000;
constexpr std::int64_t most_tokens = 1 << 20;
constexpr double longest_trial_s = 86'400;

const std::vector<std::string> workloads = {"prefill", "decode", "score", "command"};
const std::vector<std::string> later_workloads = {"serve", "micro"};

bool contains(const std::vector<std::string>& words, const std::string& word) {
    return std::find(words.begin(), words.end(), word) != words.end();
}

PromptValues read_prompt(TomlTable table) {
    PromptValues out;
    out.place = table.place();
    out.file = table.text(
        "file",
        "a JSON list or a tensor: file = \"prompts/long256.json\" or \"texts.safetensors:a\"");
    out.seed = table.integer("seed", 0, INT64_MAX);
    out.count = table.integer("count", 1, most_tokens);
    table.refuse_unknown();
    const bool from_file = out.file.has_value();
    if (from_file == (out.seed || out.count) || (!from_file && !(out.seed && out.count)))
        throw ScenarioError(out.place,
                            "a prompt is either file = \"...\" or both seed = N and count = N");
    return out;
}

// What a command's program may measure, only it knows.
std::vector<std::string> names_in(const TomlTable& table) {
    std::vector<std::string> names = table.keys();
    for (const std::string& name : names)
        if (!is_metric_name(name))
            throw ScenarioError(table.place_of(name),
                                fmt::format("a metric named {} is not accepted here; write {}",
                                            in_quotes(name), metric_name_form));
    return names;
}

std::vector<MetricValues> read_metrics(TomlTable table, bool of_command) {
    std::vector<MetricValues> out;
    for (const std::string& name : of_command ? names_in(table) : metric_names()) {
        const std::string form = fmt::format("{} = {{ margin = \"2%\" }}", name);
        auto metric = table.table(name, form);
        if (!metric) continue;
        const std::string margin_form =
            "a share of the value above 0% and below 100%: margin = \"2%\"";
        const auto margin = metric->text("margin", margin_form);
        metric->refuse_unknown();
        if (!margin) throw ScenarioError(metric->place(), "margin is missing; write " + form);
        const auto share = share_of(margin->value);
        if (!share)
            throw ScenarioError(margin->place,
                                fmt::format("margin = {} is not accepted here; write {}",
                                            in_quotes(margin->value), margin_form));
        out.push_back({name, *share});
    }
    table.refuse_unknown();
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
}

void check_workload(const Located<std::string>& workload) {
    if (contains(workloads, workload.value)) return;
    const bool later = contains(later_workloads, workload.value);
    throw ScenarioError(
        workload.place,
        fmt::format("workload = {} is {}. Accepted: \"{}\".{}", in_quotes(workload.value),
                    later ? "not in this version" : "not a workload",
                    fmt::join(workloads, "\", \""),
                    later ? "" : nearest_hint(workload.value, workloads)));
}

bool is_command(const std::optional<Located<std::string>>& workload) {
    return workload && workload->value == "command";
}

// A variant without a workload of its own has that of `base`.
Values read_values(TomlTable& table, const Values& base) {
    Values out;
    out.model = table.text("model", "a folder beside the scenario: model = \"models/small-bf16\"");
    out.workload =
        table.text("workload", "workload = \"prefill\", \"decode\", \"score\" or \"command\"");
    if (out.workload) check_workload(*out.workload);
    const std::string prompt_form = "a table: [prompt] with file = \"prompts/long256.json\"";
    if (auto prompt = table.table("prompt", prompt_form)) out.prompt = read_prompt(*prompt);
    out.decode_tokens = table.integer("decode_tokens", 1, most_tokens);
    out.arguments =
        table.texts("arguments", "a list of strings: arguments = [\"--isa\", \"avx2\"]");
    out.command =
        table.texts("command", "a list of strings: command = [\"{program}\", \"--fast\"]");
    out.warm_up = table.integer("warm_up", 0, most_reps);
    out.reps = table.integer("reps", 1, most_reps);
    out.rounds = table.integer("rounds", 0, most_rounds);
    out.profiled_rounds = table.integer("profiled_rounds", 0, most_rounds);
    out.time_limit_s = table.positive_number("time_limit_s", longest_trial_s);
    if (auto metrics = table.table("metrics", "a table: [metrics]"))
        out.metrics =
            read_metrics(*metrics, is_command(out.workload ? out.workload : base.workload));
    return out;
}

void read_variants(TomlTable table, ScenarioValues& out) {
    for (const std::string backend : {"cpu", "cuda"}) {
        auto variant = table.table(backend, "a table: [variant." + backend + "]");
        if (!variant) continue;
        out.variants[backend] = read_values(*variant, out.base);
        variant->refuse_unknown();
    }
    table.refuse_unknown();
}

void check_name(const std::optional<Located<std::string>>& name) {
    if (!name || is_name(name->value)) return;
    throw ScenarioError(name->place, fmt::format("name = {} is not accepted here; write {}, e.g. "
                                                 "name = \"prefill-4k\"",
                                                 in_quotes(name->value), name_form));
}

template <class T>
void override_one(std::optional<T>& base, const std::optional<T>& over) {
    if (over) base = over;
}

}  // namespace

ScenarioValues parse_scenario(const std::string& text, const std::string& file) {
    const toml::table parsed = parse_toml(text, file);
    TomlTable table(parsed, file, "");
    ScenarioValues out;
    out.file = file;
    out.name = table.text("name", "name = \"prefill-4k\"");
    check_name(out.name);
    out.about = table.text("about", "one sentence: about = \"...\"");
    out.base = read_values(table, {});
    if (auto variant = table.table("variant", "a table: [variant.cpu]"))
        read_variants(*variant, out);
    if (auto arms = table.table("arms", "a table for each arm: [arms.dense]"))
        out.arms = read_arms(*arms);
    if (auto build = table.table("build", "a table: [build]")) out.build = read_build(*build);
    table.refuse_unknown();
    return out;
}

Values overridden(const Values& base, const Values& over) {
    Values out = base;
    override_one(out.model, over.model);
    override_one(out.workload, over.workload);
    override_one(out.prompt, over.prompt);
    override_one(out.arguments, over.arguments);
    override_one(out.command, over.command);
    override_one(out.decode_tokens, over.decode_tokens);
    override_one(out.warm_up, over.warm_up);
    override_one(out.reps, over.reps);
    override_one(out.rounds, over.rounds);
    override_one(out.profiled_rounds, over.profiled_rounds);
    override_one(out.time_limit_s, over.time_limit_s);
    override_one(out.metrics, over.metrics);
    return out;
}

}  // namespace scenarios::plan
