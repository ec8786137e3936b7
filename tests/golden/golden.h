// SPDX-License-Identifier: Apache-2.0
// What the golden tests share: prompts and expected values, and sessions run to completion.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/format/safetensors.h"
#include "engine/model/model.h"
#include "engine/model/session.h"

namespace golden {

const engine::model::Model& model(const std::string& weights);  // "bf16" or "nvfp4"; opened once

// tests/golden/<set>-<weights>.safetensors, set = "public" or "texts"; opened once.
const engine::format::Safetensors& values(const std::string& set, const std::string& weights);

std::vector<std::int32_t> tokens(const engine::format::Safetensors& file, const std::string& name);
std::vector<double> numbers(const engine::format::Safetensors& file, const std::string& name);

// A session as a test wants it: threads, instruction set, precision.
struct Settings {
    engine::model::Precision precision = engine::model::Precision::f32;
    int threads = 2;
    engine::model::Isa isa = engine::model::Isa::automatic;
    std::vector<std::string> maths_faults = {};
};

struct Result {
    std::vector<float> logits_f32;   // of the last prompt row, in f32 sessions
    std::vector<double> logits_f64;  // of the last prompt row, in f64 sessions
    std::vector<std::int32_t> greedy;
    std::vector<double> margins;
};

// The prompt in one call, then `steps` greedy tokens (end of text is not obeyed).
Result generate(const std::string& weights,
                const std::vector<std::int32_t>& prompt,
                int steps,
                const Settings& settings);

struct Scores {
    std::vector<double> nll;           // [tokens - 1]: of token i + 1
    std::vector<std::int32_t> argmax;  // [tokens]
};

Scores score(const std::string& weights,
             const std::vector<std::int32_t>& prompt,
             const Settings& settings);

// |seen - expected| / |expected|, both as vectors.
double relative_l2(const Result& result, const std::vector<double>& expected);

}  // namespace golden
