// SPDX-License-Identifier: Apache-2.0
// Shared options: their help, their accepted forms, and the ones this build refuses.
#include "engine/commands/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

#include "engine/commands/number_option.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

// Hidden options that other builds have: recognised, so that the message can say what to do.
void refuse(CLI::App& app, const std::string& name, const std::string& why) {
    const auto message = fmt::format("{}: {}", name, why);
    app.add_option_function<std::vector<std::string>>(
           name, [message](const std::vector<std::string>&) { throw UsageError(message); })
        ->expected(0, -1)
        ->group("");
}

}  // namespace

void add_model_option(CLI::App& app, EngineOptions& options) {
    app.add_option("--model", options.model,
                   "Folder with config.json and safetensors files, or weights from a seed: "
                   "synthetic:NAME[:bf16|nvfp4|fp8][@SEED], NAME nemotron-3-nano, "
                   "nemotron-3.5-lightning or nemotron-3-super")
        ->required()
        ->type_name("DIR");
    app.add_option("--config", options.config,
                   "With --model synthetic[:bf16|nvfp4|fp8][@SEED]: geometry by a config.json")
        ->type_name("FILE");
}

void add_backend_options(CLI::App& app, EngineOptions& options) {
    app.add_option("--backend", options.backend, "What runs the model: cpu")->type_name("NAME");
    add_number(app, "--threads", options.threads, thread_bounds,
               "Threads; default: one per core. Results are the same bytes for any number");
    add_choice(app, "--precision", options.precision, {"f32", "f64"},
               "Arithmetic: f32 (default) or f64")
        ->type_name("P");
    add_choice(app, "--isa", options.isa, {"auto", "baseline", "avx2"},
               "Code path: auto (default), baseline or avx2. Results are "
               "the same bytes")
        ->type_name("ISA");
    add_choice(app, "--moe", options.moe, {"gather", "dense"},
               "Experts: gather (default), each on the rows that picked it, or dense, each on "
               "every row. Results are the same bytes")
        ->type_name("HOW");
}

void add_id_options(CLI::App& app, EngineOptions& options) {
    app.add_option("--tokens", options.tokens, "Token ids: 1,2,3")->type_name("LIST");
    app.add_option("--tokens-file", options.tokens_file,
                   "FILE.safetensors:NAME (I32 or I64, one dimension) or a JSON list file; - is "
                   "stdin")
        ->type_name("FILE");
}

void add_prompt_options(CLI::App& app, EngineOptions& options) {
    const auto text = [&app](const char* name, std::optional<std::string>& value,
                             const char* about) {
        // A plain option would take an empty text for none.
        return app.add_option_function<std::string>(
            name, [&value](const std::string& given) { value = given; }, about);
    };
    text("--prompt", options.prompt, "Text, through the model's tokenizer.json")->type_name("TEXT");
    text("--prompt-file", options.prompt_file, "The same from a file of UTF-8; - is stdin")
        ->type_name("FILE");
    app.add_flag("--bos", options.bos,
                 "Put the model's bos_token_id first (the tokenizer may have done so itself)");
}

void add_token_options(CLI::App& app, EngineOptions& options) {
    add_id_options(app, options);
    add_prompt_options(app, options);
    const std::string greedy_only =
        "this build picks the most likely token and does not sample; leave the option out";
    for (const auto* name : {"--seed", "--temperature", "--top-p", "--top-k"}) {
        refuse(app, name, greedy_only);
    }
}

void add_chunk_option(CLI::App& app, EngineOptions& options) {
    add_number(app, "--prefill-chunk", options.prefill_chunk, most_tokens,
               "Feed the prompt in pieces of N tokens. Results are the same bytes");
}

void add_fault_option(CLI::App& app, EngineOptions& options) {
    app.add_option("--fault", options.faults,
                   "Plant a defect (repeatable): delay:<path glob>:<percent>, "
                   "launch:<path glob>:+1, token:<request>:<position>, maths:<name>, "
                   "exit:<path glob>, hang:<path glob>")
        ->expected(1)
        ->take_all()
        ->type_name("SPEC");
}

void add_json_option(CLI::App& app, EngineOptions& options) {
    app.add_flag("--json", options.json, "Print JSON, one object a line; the last is the result");
}

void check_backend(const EngineOptions& options) {
    if (options.backend != "cpu") {
        throw UsageError(fmt::format(
            "--backend '{}': this build has only the backend cpu; use --backend cpu or leave the "
            "option out",
            options.backend));
    }
}

model::SessionOptions session_options(const EngineOptions& options) {
    model::SessionOptions result;
    result.precision = options.precision == "f64" ? model::Precision::f64 : model::Precision::f32;
    result.isa = options.isa == "baseline" ? model::Isa::baseline
                 : options.isa == "avx2"   ? model::Isa::avx2
                                           : model::Isa::automatic;
    result.threads = options.threads;
    result.moe = options.moe == "dense" ? model::Moe::dense : model::Moe::gather;
    return result;
}

}  // namespace engine::commands
