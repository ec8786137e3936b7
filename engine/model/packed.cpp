// SPDX-License-Identifier: Apache-2.0
// Widens small weights.
#include "engine/model/packed.h"

#include <cstring>

#include "engine/cpu/kernels.h"
#include "engine/model/finite.h"

namespace engine::model {

namespace {

using format::Dtype;
using format::Tensor;

float element(const Tensor& tensor, std::size_t i) {
    if (tensor.dtype == Dtype::f32) {
        float value = 0;
        std::memcpy(&value, tensor.bytes.data() + 4 * i, 4);
        return value;
    }
    std::uint16_t bits = 0;
    std::memcpy(&bits, tensor.bytes.data() + 2 * i, 2);
    return tensor.dtype == Dtype::bf16 ? format::widen_bf16(bits) : format::widen_f16(bits);
}

template <class T>
std::vector<T> widen(const Tensor& tensor) {
    std::vector<T> result(static_cast<std::size_t>(tensor.elements()));
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = T(element(tensor, i));
    require_finite(tensor);
    return result;
}

// [channels, 1, taps] -> [taps, channels], so that a kernel runs along channels.
template <class T>
std::vector<T> transpose_taps(const Tensor& tensor) {
    const auto channels = static_cast<std::size_t>(tensor.shape[0]);
    const auto taps = static_cast<std::size_t>(tensor.shape[2]);
    std::vector<T> result(channels * taps);
    require_finite(tensor);
    for (std::size_t c = 0; c < channels; ++c) {
        for (std::size_t k = 0; k < taps; ++k) {
            result[k * channels + c] = T(element(tensor, c * taps + k));
        }
    }
    return result;
}

template <class T>
void pack_mamba(const MambaWeights& w, const MathsFaults& faults, PackedLayer<T>& packed) {
    packed.conv_weight = transpose_taps<T>(*w.conv_weight);
    packed.conv_bias = w.conv_bias
                           ? widen<T>(*w.conv_bias)
                           : std::vector<T>(static_cast<std::size_t>(w.conv_weight->shape[0]));
    packed.dt_bias = widen<T>(*w.dt_bias);
    packed.decay = widen<T>(*w.a_log);
    cpu::baseline_kernels<T>().exp(packed.decay.data(), packed.decay.data(),
                                   static_cast<cpu::Index>(packed.decay.size()));
    for (T& rate : packed.decay) rate = -rate;
    packed.skip = faults.no_skip ? std::vector<T>(packed.decay.size()) : widen<T>(*w.d);
    packed.gate_norm = widen<T>(*w.norm);
}

// A router's NaN would never be seen again: it makes an expert the last choice.
void require_finite_routers(const Weights& weights) {
    for (const Tensor* tensor : weights.tensors) {
        if (tensor->name.find(".gate.weight") != std::string::npos) require_finite(*tensor);
    }
}

template <class T>
std::uint64_t elements(const PackedLayer<T>& p) {
    return p.norm.size() + p.conv_weight.size() + p.conv_bias.size() + p.dt_bias.size() +
           p.decay.size() + p.skip.size() + p.gate_norm.size() + p.router_bias.size();
}

}  // namespace

template <class T>
std::uint64_t Packed<T>::bytes() const {
    std::uint64_t count = final_norm.size();
    for (const PackedLayer<T>& layer : layers) count += elements(layer);
    return count * sizeof(T);
}

template <class T>
Packed<T> pack(const Model& model, const MathsFaults& faults) {
    Packed<T> packed;
    require_finite_routers(model.weights());
    packed.final_norm = widen<T>(*model.weights().final_norm);
    for (std::size_t i = 0; i < model.geometry().layers.size(); ++i) {
        const LayerWeights& weights = model.weights().layers[i];
        PackedLayer<T>& layer = packed.layers.emplace_back();
        layer.norm = widen<T>(*weights.norm);
        if (model.geometry().layers[i].kind == Block::mamba)
            pack_mamba(weights.mamba, faults, layer);
        if (model.geometry().layers[i].kind != Block::moe) continue;
        layer.router_bias = widen<T>(*weights.moe.bias);
        if (faults.no_router_bias) layer.router_bias.assign(layer.router_bias.size(), T(0));
    }
    return packed;
}

std::uint64_t packed_elements(const Geometry& geometry) {
    const MambaGeometry& m = geometry.mamba;
    std::int64_t count = geometry.hidden;
    for (const LayerGeometry& layer : geometry.layers) {
        count += geometry.hidden;
        if (layer.kind == Block::moe) count += layer.moe.experts;
        if (layer.kind != Block::mamba) continue;
        count += (m.conv_taps + 1) * m.conv_channels() + 3 * m.heads + m.inner();
    }
    return static_cast<std::uint64_t>(count);
}

template struct Packed<float>;
template struct Packed<double>;
template Packed<float> pack(const Model&, const MathsFaults&);
template Packed<double> pack(const Model&, const MathsFaults&);

}  // namespace engine::model
