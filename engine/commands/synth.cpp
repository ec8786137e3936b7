// SPDX-License-Identifier: Apache-2.0
// `tare-engine synth`: a checkpoint folder from a seed.
#include <fmt/format.h>
#include <unistd.h>

#include <CLI/CLI.hpp>
#include <chrono>
#include <csignal>
#include <memory>
#include <nlohmann/json.hpp>
#include <optional>

#include "engine/commands/commands.h"
#include "engine/commands/json_text.h"
#include "engine/commands/number_option.h"
#include "engine/commands/output.h"
#include "engine/commands/progress.h"
#include "engine/commands/usage_error.h"
#include "engine/synthetic/checkpoint.h"

namespace engine::commands {
namespace {

constexpr int exit_interrupted = 130;

struct SynthOptions {
    std::string model;
    std::string config;
    std::string format;
    std::string out;
    std::optional<std::uint64_t> seed;
    std::uint64_t shard_bytes = synthetic::WriteOptions{}.shard_bytes;
    int threads = 0;
    bool json = false;
};

volatile std::sig_atomic_t interrupted = 0;

void catch_interrupts() {
    for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
        std::signal(signal, [](int) { interrupted = 1; });
    }
}

synthetic::Spec spec_of(const SynthOptions& options) {
    const std::string model = options.model.empty() ? "synthetic" : options.model;
    if (!synthetic::is_synthetic(model)) {
        throw UsageError(fmt::format(
            "--model {}: synth writes synthetic models; give synthetic:NAME or --config FILE",
            model));
    }
    auto spec = synthetic::parse_spec(model, options.config);
    if (!options.format.empty()) synthetic::set_recipe(spec, options.format);
    if (options.seed) spec.seed = *options.seed;
    return spec;
}

synthetic::Written write(const SynthOptions& options, const synthetic::Spec& spec) {
    catch_interrupts();
    Progress progress(fmt::format("{}: weights written", spec.text()));
    try {
        return synthetic::write_checkpoint(
            spec, {.directory = options.out,
                   .shard_bytes = options.shard_bytes,
                   .threads = options.threads,
                   .progress = [&](auto done, auto total) { progress.at(done, total); },
                   .interrupted = [] { return interrupted != 0; }});
    } catch (const synthetic::Interrupted&) {
        throw;
    } catch (const std::exception&) {  // of what the person asked for: folder, space, config
        return as_usage([]() -> synthetic::Written { throw; });
    }
}

void print(const SynthOptions& options,
           const synthetic::Spec& spec,
           const synthetic::Written& written,
           double seconds) {
    if (options.json) {
        return print_line(json_text(nlohmann::ordered_json{{"model", spec.text()},
                                                           {"seed", spec.seed},
                                                           {"out", options.out},
                                                           {"tensors", written.tensors},
                                                           {"shards", written.shards},
                                                           {"bytes", written.bytes},
                                                           {"seconds", seconds}}));
    }
    print_shown(fmt::format("{}: {}, {} tensors, {} bytes in {} shard{}, {:.2f} s ({:.2f} GB/s)",
                            options.out, spec.text(), written.tensors, written.bytes,
                            written.shards, written.shards == 1 ? "" : "s", seconds,
                            static_cast<double>(written.bytes) / 1e9 / seconds));
}

int run(const SynthOptions& options) {
    const auto begin = std::chrono::steady_clock::now();
    try {
        const auto spec = as_usage([&] { return spec_of(options); });
        const auto written = write(options, spec);
        const std::chrono::duration<double> taken = std::chrono::steady_clock::now() - begin;
        print(options, spec, written, taken.count());
        return 0;
    } catch (const synthetic::Interrupted& error) {
        say(fmt::format("tare-engine: {}: {}", options.out, error.what()));
        return exit_interrupted;
    }
}

}  // namespace

Command add_synth(CLI::App& app) {
    auto options = std::make_shared<SynthOptions>();
    auto* sub = app.add_subcommand("synth", "Write a synthetic checkpoint as a folder");
    auto* model = sub->add_option("--model", options->model,
                                  "synthetic:NAME[:bf16|nvfp4|fp8][@SEED], NAME nemotron-3-nano, "
                                  "nemotron-3.5-lightning or nemotron-3-super")
                      ->type_name("NAME");
    auto* config = sub->add_option("--config", options->config, "Geometry by a config.json instead")
                       ->type_name("FILE");
    add_number(*sub, "--seed", options->seed, seed_bounds, "Seed of the weights (default 0)")
        ->type_name("S");
    sub->add_option("--format", options->format,
                    "bf16, nvfp4, fp8 or released; default: released, with --config bf16")
        ->type_name("F");
    sub->add_option("--out", options->out, "Folder to write: absent or empty")
        ->required()
        ->type_name("DIR");
    add_number(*sub, "--shard-bytes", options->shard_bytes,
               Bounds<std::uint64_t>{1, std::uint64_t{1} << 62},
               "Bytes of weights in a file at most (default 5000000000)");
    add_number(*sub, "--threads", options->threads, thread_bounds,
               "Threads; default: one per core. Same bytes");
    sub->add_flag("--json", options->json, "Print the result as one JSON object");
    sub->footer(
        "The same seed gives the same bytes everywhere. The folder appears when it is complete.\n"
        "Examples:\n"
        "  tare-engine synth --model synthetic:nemotron-3-nano --out nano-nvfp4\n"
        "  tare-engine synth --config tiny.json --format nvfp4 --seed 7 --out tiny");
    return {sub, [options, model, config] {
                if (model->count() + config->count() == 0) {
                    throw UsageError("synth: give --model synthetic:NAME or --config FILE");
                }
                return run(*options);
            }};
}

}  // namespace engine::commands
