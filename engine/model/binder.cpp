// SPDX-License-Identifier: Apache-2.0
// The format of a weight is decided per tensor, by its dtype and its companions. What
// quantization_config or hf_quant_config.json say about formats is not read: the tensors know.
#include "engine/model/binder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <optional>
#include <stdexcept>

namespace engine::model {

namespace {

using format::Dtype;
using format::Tensor;

bool ends_with(std::string_view text, std::string_view end) {
    return text.size() >= end.size() && text.substr(text.size() - end.size()) == end;
}

bool starts_with(std::string_view text, std::string_view start) {
    return text.substr(0, start.size()) == start;
}

// Where the exports of this family put the layers, and where the head.
struct Prefix {
    std::string_view layers, head;
};

constexpr std::array prefixes{
    Prefix{"backbone.", ""},
    Prefix{"model.", ""},
    Prefix{"model.backbone.", ""},
    Prefix{"language_model.backbone.", "language_model."},
    Prefix{"language_model.model.", "language_model."},
    Prefix{"model.language_model.", ""},
};

std::optional<ops::Format> plain_format_of(Dtype dtype) {
    switch (dtype) {
        case Dtype::f32:
            return ops::Format::f32;
        case Dtype::f16:
            return ops::Format::f16;
        case Dtype::bf16:
            return ops::Format::bf16;
        default:
            return std::nullopt;
    }
}

}  // namespace

Binder::Binder(const format::Safetensors& files, Weights& weights)
    : files_(files), weights_(weights) {
    for (const Prefix& prefix : prefixes) {
        if (!has(std::string(prefix.layers) + "embeddings.weight")) continue;
        prefix_ = prefix.layers;
        head_prefix_ = prefix.head;
        return;
    }
    fail("backbone.embeddings.weight",
         "missing; also looked under model. and language_model., alone and with each other");
}

void Binder::fail(std::string_view tensor, std::string_view what) const {
    throw std::runtime_error(fmt::format("{}: tensor \"{}\": {}", files_.origin(), tensor, what));
}

const Tensor& Binder::take(const std::string& name) {
    const Tensor* tensor = files_.find(name);
    if (!tensor) fail(name, "missing, but config.json asks for it");
    if (!taken_.insert(name).second) fail(name, "asked for twice");
    weights_.tensors.push_back(tensor);
    return *tensor;
}

void Binder::count(std::string_view format, std::int64_t elements) {
    ++weights_.formats[std::string(format)];
    weights_.parameters += elements;
}

void Binder::require_shape(const Tensor& tensor, std::span<const std::int64_t> shape) const {
    if (std::equal(tensor.shape.begin(), tensor.shape.end(), shape.begin(), shape.end())) return;
    fail(tensor.name, fmt::format("shape {}, but config.json asks for {}",
                                  format::shape_text(tensor.shape), format::shape_text(shape)));
}

const Tensor* Binder::small(const std::string& name, std::span<const std::int64_t> shape) {
    const Tensor& tensor = take(name);
    require_shape(tensor, shape);
    if (!plain_format_of(tensor.dtype)) {
        fail(name, fmt::format("dtype {}; accepted: F32, F16, BF16", format::name(tensor.dtype)));
    }
    count(format::name(tensor.dtype), tensor.elements());
    return &tensor;
}

const Tensor* Binder::small(const std::string& name, std::int64_t count) {
    return small(name, std::span(&count, 1));
}

// A tensor's own scale: F32, of shape [] or [1].
float Binder::scalar(const Tensor& tensor) const {
    if (tensor.dtype != Dtype::f32 || tensor.elements() != 1) {
        fail(tensor.name,
             fmt::format("{} {}; accepted: one F32 number, [] or [1]", format::name(tensor.dtype),
                         format::shape_text(tensor.shape)));
    }
    float value = 0;
    std::memcpy(&value, tensor.bytes.data(), sizeof value);
    if (!std::isfinite(value)) fail(tensor.name, fmt::format("is {}, not a finite scale", value));
    return value;
}

ops::Matrix Binder::nvfp4(const std::string& name,
                          const Tensor& codes,
                          std::int64_t rows,
                          std::int64_t cols) {
    const Tensor& blocks = take(name + ".weight_scale");
    const float factor = scalar(take(name + ".weight_scale_2"));
    const auto require = [&](const Tensor& tensor, Dtype dtype, std::vector<std::int64_t> shape) {
        if (tensor.dtype == dtype && tensor.shape == shape) return;
        fail(tensor.name, fmt::format("{} {}, but NVFP4 of [{}, {}] needs {} {}",
                                      format::name(tensor.dtype), format::shape_text(tensor.shape),
                                      rows, cols, format::name(dtype), format::shape_text(shape)));
    };
    if (cols % 16 != 0) {
        fail(codes.name, fmt::format("NVFP4 with {} columns: not a multiple of 16", cols));
    }
    require(codes, Dtype::u8, {rows, cols / 2});
    require(blocks, Dtype::f8_e4m3, {rows, cols / 16});
    count("NVFP4", rows * cols);
    return {ops::Format::nvfp4, rows, cols, codes.bytes.data(), blocks.bytes.data(), factor};
}

ops::Matrix Binder::fp8(const std::string& name,
                        const Tensor& bytes,
                        std::int64_t rows,
                        std::int64_t cols) {
    require_shape(bytes, std::array{rows, cols});
    const float factor = scalar(take(name + ".weight_scale"));
    count("FP8", rows * cols);
    return {ops::Format::fp8, rows, cols, bytes.bytes.data(), nullptr, factor};
}

ops::Format Binder::plain_format(const Tensor& tensor) const {
    if (const auto format = plain_format_of(tensor.dtype)) return *format;
    fail(tensor.name, fmt::format("dtype {}; accepted: BF16, F16, F32, and for linear layers of "
                                  "their own F8_E4M3 with its scale or U8 with NVFP4 scales",
                                  format::name(tensor.dtype)));
}

ops::Matrix Binder::matrix(const std::string& name, std::int64_t rows, std::int64_t cols) {
    const Tensor& tensor = take(name + ".weight");
    if (tensor.dtype == Dtype::u8) return nvfp4(name, tensor, rows, cols);
    if (tensor.dtype == Dtype::f8_e4m3) return fp8(name, tensor, rows, cols);
    const ops::Format format = plain_format(tensor);
    require_shape(tensor, std::array{rows, cols});
    count(ops::name(format), rows * cols);
    return {format, rows, cols, tensor.bytes.data(), nullptr, 1.0f};
}

std::vector<ops::Matrix> Binder::stacked(const std::string& name,
                                         std::int64_t matrices,
                                         std::int64_t rows,
                                         std::int64_t cols) {
    const Tensor& tensor = take(name);
    const ops::Format format = plain_format(tensor);
    require_shape(tensor, std::array{matrices, rows, cols});
    count(ops::name(format), matrices * rows * cols);
    std::vector<ops::Matrix> result;
    const std::int64_t step = rows * cols * format::bytes(tensor.dtype);
    for (std::int64_t i = 0; i < matrices; ++i) {
        result.push_back({format, rows, cols, tensor.bytes.data() + i * step, nullptr, 1.0f});
    }
    return result;
}

// Knowingly left alone: activation scales (activations are not quantised here) and the scales of a
// quantised KV cache, of layers that were taken; and the multi-token-prediction head, which this
// engine does not run.
bool Binder::ignored(std::string_view name) const {
    for (const std::string_view end : {".input_scale", ".k_scale", ".v_scale"}) {
        if (!ends_with(name, end)) continue;
        const std::string layer(name.substr(0, name.size() - end.size()));
        if (taken_.contains(layer + ".weight")) return true;
    }
    return starts_with(name, "mtp.") || starts_with(name, head_prefix_ + "mtp.");
}

void Binder::require_all_taken() const {
    for (const auto& [name, tensor] : files_.tensors()) {
        if (taken_.contains(name) || ignored(name)) continue;
        fail(name, fmt::format("unknown: {} {} is in the files, but nothing in config.json uses it",
                               format::name(tensor.dtype), format::shape_text(tensor.shape)));
    }
}

}  // namespace engine::model
