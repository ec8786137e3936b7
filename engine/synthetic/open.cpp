// SPDX-License-Identifier: Apache-2.0
// Lays the tensors of a catalogue out in memory and fills them.
#include "engine/synthetic/open.h"

#include <fmt/format.h>

#include <algorithm>
#include <memory>

#include "engine/format/sha256.h"
#include "engine/model/config_reader.h"
#include "engine/synthetic/catalogue.h"
#include "engine/synthetic/checkpoint_json.h"
#include "engine/synthetic/fill.h"

namespace engine::synthetic {

namespace {

using format::Tensor;

constexpr std::uint64_t alignment = 64;

std::uint64_t aligned(std::uint64_t bytes) {
    return (bytes + alignment - 1) / alignment * alignment;
}

Tensor tensor_of(const Entry& entry, std::span<const std::byte> bytes) {
    return {.name = entry.name, .dtype = entry.dtype, .shape = entry.shape, .bytes = bytes};
}

// All tensors share the bytes of one zero region, as large as the largest.
format::Safetensors plan(const Spec& spec, const Catalogue& catalogue) {
    std::uint64_t most = alignment;
    for (const Entry& entry : catalogue.entries) most = std::max(most, entry.bytes());
    const auto zeros = std::make_shared<Mapping>(most, Mapping::Access::read);
    std::vector<Tensor> tensors;
    for (const Entry& entry : catalogue.entries) {
        tensors.push_back(tensor_of(entry, zeros->bytes().first(entry.bytes())));
    }
    return format::Safetensors::in_memory(spec.text(), std::move(tensors), zeros);
}

format::Safetensors make(const Spec& spec,
                         const Catalogue& catalogue,
                         int threads,
                         const Progress& progress) {
    std::uint64_t total = 0;
    for (const Entry& entry : catalogue.entries) total += aligned(entry.bytes());
    const auto memory = std::make_shared<Mapping>(total, Mapping::Access::write);
    std::vector<Tensor> tensors;
    std::vector<Slice> slices;
    for (std::uint64_t at = 0; const Entry& entry : catalogue.entries) {
        const auto bytes = memory->bytes().subspan(at, entry.bytes());
        tensors.push_back(tensor_of(entry, bytes));
        slices.push_back({&entry, 0, bytes});
        at += aligned(entry.bytes());
    }
    fill(slices, spec.seed, threads, progress);
    memory->make_read_only();
    return format::Safetensors::in_memory(spec.text(), std::move(tensors), memory);
}

void require_memory(const Spec& spec, std::uint64_t needed, std::uint64_t available) {
    if (needed <= available) return;
    throw NotEnoughMemory(fmt::format(
        "{}: its weights need {} bytes of memory, {} are available; use a machine with more, a "
        "smaller format (:nvfp4), or a scaled-down config (--model synthetic --config FILE). "
        "`info` needs no weights",
        spec.text(), needed, available));
}

}  // namespace

std::string identity(const Spec& spec) {
    const std::string text = fmt::format("tare synthetic checkpoint, generator 1\n{}\n{}\n{}",
                                         static_cast<int>(spec.recipe), spec.seed, spec.config);
    return format::sha256_hex(std::as_bytes(std::span(text)));
}

model::Model open(const Spec& spec,
                  Weights weights,
                  int threads,
                  std::uint64_t available,
                  const Progress& progress) {
    const model::ConfigReader config(
        spec.built_in ? fmt::format("config of {}", spec.text()) : spec.name + ".json",
        spec.config);
    model::Geometry geometry = model::read_geometry(config);
    const Catalogue tensors = catalogue(geometry, spec.recipe);
    if (weights == Weights::made) require_memory(spec, tensors.bytes(), available);
    return model::Model(
        {.name = spec.text(),
         .sha256 = identity(spec),
         .geometry = std::move(geometry),
         .tensors = weights == Weights::made ? make(spec, tensors, threads, progress)
                                             : plan(spec, tensors),
         .stop_ids =
             model::read_ids({"generation_config.json", generation_config(spec)}, "eos_token_id")});
}

}  // namespace engine::synthetic
