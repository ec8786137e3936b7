// SPDX-License-Identifier: Apache-2.0
// Shared options: their help, their accepted forms, and the ones this build refuses.
#include "engine/commands/options.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>

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
    app.add_option("--model", options.model, "Folder with config.json and safetensors files")
        ->required()
        ->type_name("DIR");
}

void add_backend_options(CLI::App& app, EngineOptions& options) {
    app.add_option("--backend", options.backend, "What runs the model: cpu")->type_name("NAME");
    app.add_option("--threads", options.threads,
                   "Threads; default: one per core. Results are the "
                   "same bytes for any number")
        ->check(CLI::Range(1, 1024))
        ->type_name("N");
    app.add_option("--precision", options.precision, "Arithmetic: f32 (default) or f64")
        ->check(CLI::IsMember({"f32", "f64"}))
        ->type_name("P");
    app.add_option("--isa", options.isa,
                   "Code path: auto (default), baseline or avx2. Results are "
                   "the same bytes")
        ->check(CLI::IsMember({"auto", "baseline", "avx2"}))
        ->type_name("ISA");
}

void add_token_options(CLI::App& app, EngineOptions& options) {
    app.add_option("--tokens", options.tokens, "Token ids: 1,2,3")->type_name("LIST");
    app.add_option("--tokens-file", options.tokens_file,
                   "FILE.safetensors:NAME (I32 or I64, one dimension) or a JSON list file")
        ->type_name("FILE");
    const std::string no_tokenizer =
        "this build has no tokenizer; give token ids by --tokens 1,2,3 or --tokens-file FILE";
    const std::string greedy_only =
        "this build picks the most likely token and does not sample; leave the option out and give "
        "the prompt by --tokens 1,2,3 or --tokens-file FILE";
    refuse(app, "--prompt", no_tokenizer);
    refuse(app, "--bos", no_tokenizer + ", with the beginning-of-text id (1) first");
    for (const auto* name : {"--seed", "--temperature", "--top-p", "--top-k"}) {
        refuse(app, name, greedy_only);
    }
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
    return result;
}

}  // namespace engine::commands
