// SPDX-License-Identifier: Apache-2.0
// Runs sessions for the golden tests.
#include "tests/golden/golden.h"

#include <cmath>
#include <cstring>
#include <map>

namespace golden {

using engine::format::Safetensors;
using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Precision;
using engine::model::Rows;
using engine::model::Session;

const Model& model(const std::string& weights) {
    static std::map<std::string, Model> models;
    auto found = models.find(weights);
    if (found == models.end()) {
        const std::string path = TARE_SOURCE_DIR "/scenarios/models/small-" + weights;
        found = models.emplace(weights, Model::open(path)).first;
    }
    return found->second;
}

const Safetensors& values(const std::string& set, const std::string& weights) {
    static std::map<std::string, Safetensors> files;
    const std::string name = set + "-" + weights;
    auto found = files.find(name);
    if (found == files.end()) {
        const std::string path = TARE_SOURCE_DIR "/tests/golden/" + name + ".safetensors";
        found = files.emplace(name, Safetensors::open_file(path)).first;
    }
    return found->second;
}

std::vector<std::int32_t> tokens(const Safetensors& file, const std::string& name) {
    const auto& tensor = file.at(name);
    std::vector<std::int32_t> result(static_cast<std::size_t>(tensor.elements()));
    std::memcpy(result.data(), tensor.bytes.data(), tensor.bytes.size());
    return result;
}

std::vector<double> numbers(const Safetensors& file, const std::string& name) {
    const auto& tensor = file.at(name);
    std::vector<float> stored(static_cast<std::size_t>(tensor.elements()));
    std::memcpy(stored.data(), tensor.bytes.data(), tensor.bytes.size());
    return {stored.begin(), stored.end()};
}

namespace {

engine::model::SessionOptions options(const Settings& settings, std::size_t max_tokens) {
    return {.precision = settings.precision,
            .isa = settings.isa,
            .threads = settings.threads,
            .max_tokens = static_cast<std::int64_t>(max_tokens),
            .maths_faults = settings.maths_faults};
}

}  // namespace

Result generate(const std::string& weights,
                const std::vector<std::int32_t>& prompt,
                int steps,
                const Settings& settings) {
    engine::trace::Tracer tracer;
    const std::size_t capacity = prompt.size() + static_cast<std::size_t>(steps);
    Session session(model(weights), options(settings, capacity), tracer);
    Result result;
    engine::model::Pick next;
    session.forward(prompt, Rows::last, [&](const LogitsBlock& block) {
        if (block.f32)
            result.logits_f32.assign(block.f32, block.f32 + block.vocab);
        else
            result.logits_f64.assign(block.f64, block.f64 + block.vocab);
        next = engine::model::pick(block, 0);
    });
    for (int i = 0; i < steps; ++i) {
        result.greedy.push_back(next.token);
        result.margins.push_back(next.margin);
        if (i + 1 == steps) break;
        const std::int32_t token = next.token;
        session.forward({&token, 1}, Rows::last,
                        [&](const LogitsBlock& block) { next = engine::model::pick(block, 0); });
    }
    return result;
}

Scores score(const std::string& weights,
             const std::vector<std::int32_t>& prompt,
             const Settings& settings) {
    engine::trace::Tracer tracer;
    Session session(model(weights), options(settings, prompt.size()), tracer);
    Scores scores;
    session.forward(prompt, Rows::all, [&](const LogitsBlock& block) {
        for (std::int64_t row = 0; row < block.rows; ++row) {
            const auto at = static_cast<std::size_t>(block.first_row + row);
            scores.argmax.push_back(engine::model::pick(block, row).token);
            if (at + 1 == prompt.size()) continue;
            scores.nll.push_back(engine::model::nll(block, row, prompt[at + 1]));
        }
    });
    return scores;
}

double relative_l2(const Result& result, const std::vector<double>& expected) {
    double error = 0, size = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const double seen =
            result.logits_f32.empty() ? result.logits_f64.at(i) : double(result.logits_f32.at(i));
        error += (seen - expected[i]) * (seen - expected[i]);
        size += expected[i] * expected[i];
    }
    return std::sqrt(error / size);
}

}  // namespace golden
