// SPDX-License-Identifier: Apache-2.0
// The format of a weight is decided per tensor, by its dtype and its companions.
#include "engine/model/binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <stdexcept>
#include <vector>

namespace engine::model {

namespace {

using format::Dtype;
using format::Tensor;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

// Knowingly left alone: activation scales (activations are not quantised here), the scales of a
// quantised KV cache, and the multi-token-prediction head, which this engine does not run.
bool ignored(std::string_view name) {
    return ends_with(name, ".input_scale") || ends_with(name, ".k_scale") ||
           ends_with(name, ".v_scale") || name.substr(0, 4) == "mtp.";
}

}  // namespace

Binder::Binder(const format::Safetensors& files, Weights& weights)
    : files_(files), weights_(weights) {
    for (const std::string outer : {"", "language_model."}) {
        for (const std::string inner : {"backbone.", "model."}) {
            if (!files.find(outer + inner + "embeddings.weight")) continue;
            prefix_ = outer + inner;
            head_prefix_ = outer;
            return;
        }
    }
    fail("backbone.embeddings.weight", "missing; also looked under model. and language_model.");
}

void Binder::fail(std::string_view tensor, std::string_view what) const {
    throw std::runtime_error(fmt::format("{}: tensor \"{}\": {}",
                                         files_.files().front().path().parent_path().string(),
                                         tensor, what));
}

const Tensor& Binder::take(const std::string& name) {
    const Tensor* tensor = files_.find(name);
    if (!tensor) fail(name, "missing, but config.json asks for it");
    if (!taken_.insert(name).second) fail(name, "asked for twice");
    return *tensor;
}

void Binder::count(std::string_view format, std::int64_t elements) {
    ++weights_.formats[std::string(format)];
    weights_.parameters += elements;
}

const Tensor* Binder::small(const std::string& name, std::span<const std::int64_t> shape) {
    const Tensor& tensor = take(name);
    if (!std::equal(tensor.shape.begin(), tensor.shape.end(), shape.begin(), shape.end())) {
        fail(name, fmt::format("shape {}, but config.json asks for {}",
                               format::shape_text(tensor.shape), format::shape_text(shape)));
    }
    if (tensor.dtype != Dtype::f32 && tensor.dtype != Dtype::f16 && tensor.dtype != Dtype::bf16) {
        fail(name, fmt::format("dtype {}; accepted: F32, F16, BF16", format::name(tensor.dtype)));
    }
    count(format::name(tensor.dtype), tensor.elements());
    return &tensor;
}

const Tensor* Binder::small(const std::string& name, std::int64_t count) {
    return small(name, std::span(&count, 1));
}

ops::Matrix Binder::nvfp4(const std::string& name,
                          const Tensor& codes,
                          std::int64_t rows,
                          std::int64_t cols) {
    const Tensor& blocks = take(name + ".weight_scale");
    const Tensor& scale = take(name + ".weight_scale_2");
    const auto require = [&](const Tensor& tensor, Dtype dtype, std::vector<std::int64_t> shape) {
        const bool scalar = shape.empty() && tensor.elements() == 1;
        if (tensor.dtype == dtype && (tensor.shape == shape || scalar)) return;
        fail(tensor.name, fmt::format("{} {}, but NVFP4 of [{}, {}] needs {} {}",
                                      format::name(tensor.dtype), format::shape_text(tensor.shape),
                                      rows, cols, format::name(dtype), format::shape_text(shape)));
    };
    if (cols % 16 != 0) {
        fail(codes.name, fmt::format("NVFP4 with {} columns: not a multiple of 16", cols));
    }
    require(codes, Dtype::u8, {rows, cols / 2});
    require(blocks, Dtype::f8_e4m3, {rows, cols / 16});
    require(scale, Dtype::f32, {});
    float factor = 0;
    std::memcpy(&factor, scale.bytes.data(), sizeof factor);
    count("NVFP4", rows * cols);
    return {ops::Format::nvfp4, rows, cols, codes.bytes.data(), blocks.bytes.data(), factor};
}

ops::Matrix Binder::matrix(const std::string& name, std::int64_t rows, std::int64_t cols) {
    const Tensor& tensor = take(name + ".weight");
    if (tensor.dtype == Dtype::u8) return nvfp4(name, tensor, rows, cols);
    ops::Format format{};
    switch (tensor.dtype) {
        case Dtype::f32:
            format = ops::Format::f32;
            break;
        case Dtype::f16:
            format = ops::Format::f16;
            break;
        case Dtype::bf16:
            format = ops::Format::bf16;
            break;
        default:
            fail(tensor.name,
                 fmt::format("dtype {}; accepted: BF16, F16, F32, or U8 with NVFP4 scales",
                             format::name(tensor.dtype)));
    }
    if (tensor.shape != std::vector{rows, cols}) {
        fail(tensor.name, fmt::format("shape {}, but config.json asks for [{}, {}]",
                                      format::shape_text(tensor.shape), rows, cols));
    }
    count(ops::name(format), rows * cols);
    return {format, rows, cols, tensor.bytes.data(), nullptr, 1.0f};
}

void Binder::require_all_taken() const {
    for (const auto& [name, tensor] : files_.tensors()) {
        if (taken_.contains(name) || ignored(name)) continue;
        fail(name, fmt::format("unknown: {} {} is in the files, but nothing in config.json uses it",
                               format::name(tensor.dtype), format::shape_text(tensor.shape)));
    }
}

}  // namespace engine::model
