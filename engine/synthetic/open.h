// SPDX-License-Identifier: Apache-2.0
// A synthetic checkpoint as a model in memory.
#pragma once

#include <cstdint>
#include <stdexcept>
#include <string>

#include "engine/model/model.h"
#include "engine/synthetic/fill.h"
#include "engine/synthetic/memory.h"
#include "engine/synthetic/spec.h"

namespace engine::synthetic {

// `planned`: names, types and shapes are real and every byte reads as zero; nothing is made and
// next to no memory is taken. Such a model can be described and planned with, not run.
enum class Weights : std::uint8_t { planned, made };

struct NotEnoughMemory : std::runtime_error {
    using std::runtime_error::runtime_error;
};

// Throws NotEnoughMemory when `available` does not hold the weights, std::runtime_error for a
// config that the engine cannot run; both name the model.
model::Model open(const Spec& spec,
                  Weights weights,
                  int threads = 0,
                  std::uint64_t available = available_bytes(),
                  const Progress& progress = {});  // of the weights

// Of everything that decides the bytes: the generator's version, recipe, seed and config.
std::string identity(const Spec& spec);

}  // namespace engine::synthetic
