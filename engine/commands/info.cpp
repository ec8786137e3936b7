// SPDX-License-Identifier: Apache-2.0
// `tare-engine info`: what a checkpoint holds, and what running it would take.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <memory>
#include <nlohmann/json.hpp>

#include "engine/commands/commands.h"
#include "engine/commands/engine.h"
#include "engine/commands/json_text.h"
#include "engine/commands/number_option.h"
#include "engine/commands/output.h"
#include "engine/commands/usage_error.h"

namespace engine::commands {
namespace {

using Json = nlohmann::ordered_json;

struct InfoOptions : EngineOptions {
    bool plan = false;
    std::int64_t rows = 4314;
    std::int64_t context = 4314;
};

// "MEMEM*EMEM*E": one letter a layer, as hybrid_override_pattern writes it.
std::string schedule(const model::Geometry& geometry) {
    std::string letters;
    for (const auto& layer : geometry.layers) {
        switch (layer.kind) {
            case model::Block::mamba:
                letters += 'M';
                break;
            case model::Block::attention:
                letters += '*';
                break;
            case model::Block::moe:
                letters += 'E';
                break;
            case model::Block::mlp:
                letters += '-';
                break;
        }
    }
    return letters;
}

Json layer_json(const model::LayerGeometry& layer, std::size_t index) {
    Json json{{"index", index}, {"kind", name(layer.kind)}};
    if (layer.kind == model::Block::moe) {
        const auto& moe = layer.moe;
        json["experts"] = moe.experts;
        json["top_k"] = moe.top_k;
        json["groups"] = moe.groups;
        json["top_groups"] = moe.top_groups;
        json["width"] = moe.width;
        json["latent"] = moe.latent == 0 ? Json(nullptr) : Json(moe.latent);
        json["shared_width"] = moe.shared_width;
        json["scale"] = moe.scale;
        json["normalise"] = moe.normalise;
    } else if (layer.kind == model::Block::mlp) {
        json["width"] = layer.mlp_width;
    }
    return json;
}

Json geometry_json(const model::Geometry& geometry) {
    Json layers = Json::array();
    for (std::size_t i = 0; i < geometry.layers.size(); ++i) {
        layers.push_back(layer_json(geometry.layers[i], i));
    }
    const auto& mamba = geometry.mamba;
    const auto& attention = geometry.attention;
    return {{"vocab", geometry.vocab},
            {"hidden", geometry.hidden},
            {"epsilon", geometry.epsilon},
            {"tied_embeddings", geometry.tied_embeddings},
            {"max_positions", geometry.max_positions},
            {"schedule", schedule(geometry)},
            {"mamba",
             {{"heads", mamba.heads},
              {"head_dim", mamba.head_dim},
              {"groups", mamba.groups},
              {"state", mamba.state},
              {"conv_taps", mamba.conv_taps}}},
            {"attention",
             {{"heads", attention.heads},
              {"kv_heads", attention.kv_heads},
              {"head_dim", attention.head_dim}}},
            {"layers", layers}};
}

// Of a session just big enough for `rows` tokens after `context` others.
Json call_plan(const model::Model& model,
               const EngineOptions& options,
               std::int64_t context,
               std::int64_t rows) {
    auto choice = session_options(options);
    choice.max_tokens = context + rows;
    trace::Tracer tracer;
    const model::Session session(model, choice, tracer);
    const auto plan = session.plan(rows, model::Rows::last);
    return {{"rows", rows},
            {"context", context},
            {"launches", plan.ops + 1},  // and the pick of the next token
            {"scratch_bytes", plan.scratch_bytes},
            {"thread_scratch_bytes", plan.thread_scratch_bytes},
            {"state_bytes", plan.state_bytes},
            {"expert_rows", plan.expert_rows}};
}

Json plan_json(const model::Model& model, const InfoOptions& options) {
    return {{"backend", options.backend},
            {"precision", options.precision},
            {"moe", options.moe},
            {"prefill", call_plan(model, options, 0, options.rows)},
            {"step", call_plan(model, options, options.context, 1)}};
}

Json info_json(const model::Model& model, const InfoOptions& options) {
    Json json{{"model",
               {{"name", model.name()},
                {"sha256", model.sha256()},
                {"parameters", model.weights().parameters},
                {"formats", model.weights().formats},
                {"weights_bytes", model.weights_bytes()},
                {"stop_ids", model.stop_ids()}}},
              {"geometry", geometry_json(model.geometry())}};
    if (options.plan) {
        json["plan"] = plan_json(model, options);
    }
    return json;
}

void print_plan(const char* what, const Json& plan) {
    print_line(fmt::format(
        "{}: rows {}, context {}: {} launches, {} expert rows, {} bytes of scratch, {} of the "
        "threads', {} of state",
        what, plan["rows"].get<std::int64_t>(), plan["context"].get<std::int64_t>(),
        plan["launches"].get<std::uint64_t>(), plan["expert_rows"].get<std::uint64_t>(),
        plan["scratch_bytes"].get<std::uint64_t>(),
        plan["thread_scratch_bytes"].get<std::uint64_t>(),
        plan["state_bytes"].get<std::uint64_t>()));
}

void print_text(const Json& json) {
    const auto& model = json["model"];
    const auto& geometry = json["geometry"];
    std::string formats;
    for (const auto& [format, tensors] : model["formats"].items()) {
        formats += fmt::format("{}{} {}", formats.empty() ? "" : ", ", format, tensors.dump());
    }
    print_shown(fmt::format("{}: {} parameters, {} bytes, tensors by format: {}",
                            model["name"].get<std::string>(), model["parameters"].dump(),
                            model["weights_bytes"].dump(), formats));
    print_line(fmt::format("sha256 {}", model["sha256"].get<std::string>()));
    print_line(fmt::format("{} layers {} (M mamba, E moe, * attention, - mlp), hidden {}, vocab {}",
                           geometry["layers"].size(), geometry["schedule"].get<std::string>(),
                           geometry["hidden"].dump(), geometry["vocab"].dump()));
    for (const auto& layer : geometry["layers"]) {
        print_line("  " + layer.dump());
    }
    if (json.contains("plan")) {
        print_plan("prefill", json["plan"]["prefill"]);
        print_plan("step", json["plan"]["step"]);
    }
}

int run(const InfoOptions& options) {
    check_backend(options);
    const auto model = open_model(options, synthetic::Weights::planned);
    const auto json = info_json(*model, options);
    if (options.json) {
        print_line(json_text(json));
    } else {
        print_text(json);
    }
    return 0;
}

}  // namespace

Command add_info(CLI::App& app) {
    auto options = std::make_shared<InfoOptions>();
    auto* sub = app.add_subcommand("info", "Geometry, formats and planned needs of a model");
    add_model_option(*sub, *options);
    sub->add_flag("--plan", options->plan, "Add what a prefill and a decode step would take");
    constexpr std::int64_t most = std::int64_t{1} << 31;
    add_number(*sub, "--rows", options->rows, Bounds<std::int64_t>{1, most},
               "Tokens of the planned prefill (default 4314)");
    add_number(*sub, "--context", options->context, Bounds<std::int64_t>{0, most},
               "Tokens before the planned step (default 4314)");
    add_backend_options(*sub, *options);
    add_json_option(*sub, *options);
    sub->footer(
        "The plan is arithmetic: nothing is run.\n"
        "Example:\n"
        "  tare-engine info --model scenarios/models/small-nvfp4 --plan --rows 4314 --json");
    return {sub, [options] { return run(*options); }};
}

}  // namespace engine::commands
