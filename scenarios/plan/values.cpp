// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/values.h"

#include <algorithm>
#include <charconv>
#include <regex>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include "scenarios/plan/nearest.h"
#include "scenarios/plan/toml_table.h"

namespace scenarios::plan {

namespace {

constexpr std::int64_t most_reps = 100'000;
constexpr std::int64_t most_rounds = 1'000;
constexpr std::int64_t most_tokens = 1 << 20;
constexpr double longest_trial_s = 86'400;

const std::vector<std::string> workloads = {"prefill", "decode"};
const std::vector<std::string> later_workloads = {"serve", "score", "micro", "command"};
const std::vector<std::string> metric_names = {"prefill_wall_ns", "decode_wall_ns", "cold_start_ns",
                                               "peak_bytes"};

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

// "2%" as 0.02.
std::optional<double> share_of(const std::string& text) {
    if (text.size() < 2 || text.back() != '%') return std::nullopt;
    double percent = 0;
    const char* end = text.data() + text.size() - 1;
    const auto [stop, error] = std::from_chars(text.data(), end, percent);
    if (error != std::errc() || stop != end || !(percent > 0) || percent >= 100)
        return std::nullopt;
    return percent / 100;
}

std::vector<MetricValues> read_metrics(TomlTable table) {
    std::vector<MetricValues> out;
    for (const std::string& name : metric_names) {
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
                                fmt::format("margin = \"{}\" is not accepted here; write {}",
                                            margin->value, margin_form));
        out.push_back({name, *share});
    }
    table.refuse_unknown();
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.name < b.name; });
    return out;
}

void check_workload(const Located<std::string>& workload) {
    if (contains(workloads, workload.value)) return;
    const bool later = contains(later_workloads, workload.value);
    throw ScenarioError(workload.place,
                        fmt::format("workload = \"{}\" is {}. Accepted: \"{}\".{}", workload.value,
                                    later ? "not in this version" : "not a workload",
                                    fmt::join(workloads, "\" or \""),
                                    later ? "" : nearest_hint(workload.value, workloads)));
}

Values read_values(TomlTable& table) {
    Values out;
    out.model = table.text("model", "a folder beside the scenario: model = \"models/small-bf16\"");
    out.workload = table.text("workload", "workload = \"prefill\" or \"decode\"");
    if (out.workload) check_workload(*out.workload);
    const std::string prompt_form = "a table: [prompt] with file = \"prompts/long256.json\"";
    if (auto prompt = table.table("prompt", prompt_form)) out.prompt = read_prompt(*prompt);
    out.decode_tokens = table.integer("decode_tokens", 1, most_tokens);
    out.arguments =
        table.texts("arguments", "a list of strings: arguments = [\"--isa\", \"avx2\"]");
    out.warm_up = table.integer("warm_up", 0, most_reps);
    out.reps = table.integer("reps", 1, most_reps);
    out.rounds = table.integer("rounds", 0, most_rounds);
    out.profiled_rounds = table.integer("profiled_rounds", 0, most_rounds);
    out.time_limit_s = table.positive_number("time_limit_s", longest_trial_s);
    if (auto metrics = table.table("metrics", "a table: [metrics]"))
        out.metrics = read_metrics(*metrics);
    return out;
}

void read_variants(TomlTable table, ScenarioValues& out) {
    for (const std::string backend : {"cpu", "cuda"}) {
        auto variant = table.table(backend, "a table: [variant." + backend + "]");
        if (!variant) continue;
        out.variants[backend] = read_values(*variant);
        variant->refuse_unknown();
    }
    table.refuse_unknown();
}

void check_name(const std::optional<Located<std::string>>& name) {
    static const std::regex accepted("[a-z0-9][a-z0-9._-]*");
    if (name && !std::regex_match(name->value, accepted))
        throw ScenarioError(name->place,
                            fmt::format("name = \"{}\" is not accepted here; write small letters, "
                                        "digits, '.', '_' and '-', e.g. name = \"prefill-4k\"",
                                        name->value));
}

template <class T>
void override_one(std::optional<T>& base, const std::optional<T>& over) {
    if (over) base = over;
}

}  // namespace

ScenarioValues parse_scenario(const std::string& text, const std::string& file) {
    toml::table parsed;
    try {
        parsed = toml::parse(text, file);
    } catch (const toml::parse_error& error) {
        const auto at = error.source().begin;
        throw ScenarioError({file, static_cast<int>(at.line), static_cast<int>(at.column)},
                            fmt::format("not TOML: {}", error.description()));
    }
    TomlTable table(parsed, file, "");
    ScenarioValues out;
    out.file = file;
    out.name = table.text("name", "name = \"prefill-4k\"");
    check_name(out.name);
    out.about = table.text("about", "one sentence: about = \"...\"");
    out.base = read_values(table);
    if (auto variant = table.table("variant", "a table: [variant.cpu]"))
        read_variants(*variant, out);
    table.refuse_unknown({{"arms", "two arms of a comparison"}, {"build", "building an arm"}});
    return out;
}

Values overridden(const Values& base, const Values& over) {
    Values out = base;
    override_one(out.model, over.model);
    override_one(out.workload, over.workload);
    override_one(out.prompt, over.prompt);
    override_one(out.arguments, over.arguments);
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
