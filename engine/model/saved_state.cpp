// SPDX-License-Identifier: Apache-2.0
// Copies of layer states; caches of different capacities hold a head's blocks at different places.
#include "engine/model/saved_state.h"

#include <algorithm>

namespace engine::model {

namespace {

std::size_t size(std::int64_t count) {
    return static_cast<std::size_t>(count);
}

// Elements of one KV head that hold the first `position` tokens, whole blocks.
std::int64_t begun(std::int64_t position, std::int64_t width) {
    return (position + cpu::key_block - 1) / cpu::key_block * cpu::key_block * width;
}

// The first `count` elements of each of `heads` equal parts.
template <class T>
void copy_heads(const std::vector<T>& from,
                std::vector<T>& to,
                std::int64_t heads,
                std::int64_t count) {
    const std::size_t from_part = from.size() / size(heads), to_part = to.size() / size(heads);
    for (std::size_t head = 0; head < size(heads); ++head) {
        std::copy_n(from.data() + head * from_part, size(count), to.data() + head * to_part);
    }
}

template <class T>
LayerState<T> save_layer(const AttentionGeometry& a,
                         const LayerState<T>& layer,
                         std::int64_t position) {
    LayerState<T> saved{.mamba = layer.mamba, .keys = {}, .values = {}};
    if (layer.keys.empty()) return saved;
    const std::int64_t keys = begun(position, a.head_dim),
                       values = begun(position, cpu::padded_dim(a.head_dim));
    saved.keys.resize(size(a.kv_heads * keys));
    saved.values.resize(size(a.kv_heads * values));
    copy_heads(layer.keys, saved.keys, a.kv_heads, keys);
    copy_heads(layer.values, saved.values, a.kv_heads, values);
    return saved;
}

}  // namespace

template <class T>
std::uint64_t SavedState<T>::bytes() const {
    std::size_t elements = 0;
    for (const LayerState<T>& layer : layers) {
        elements += layer.mamba.window.size() + layer.mamba.states.size() + layer.keys.size() +
                    layer.values.size();
    }
    return elements * sizeof(T);
}

template <class T>
SavedState<T> save_state(const Geometry& geometry,
                         const std::vector<LayerState<T>>& layers,
                         std::int64_t position) {
    SavedState<T> saved{.position = position, .layers = {}};
    for (const LayerState<T>& layer : layers) {
        saved.layers.push_back(save_layer(geometry.attention, layer, position));
    }
    return saved;
}

template <class T>
void load_state(const Geometry& geometry,
                const SavedState<T>& saved,
                std::vector<LayerState<T>>& layers) {
    const AttentionGeometry& a = geometry.attention;
    for (std::size_t i = 0; i < layers.size(); ++i) {
        const LayerState<T>& from = saved.layers[i];
        layers[i].mamba = from.mamba;
        if (layers[i].keys.empty()) continue;
        const std::int64_t values = begun(saved.position, cpu::padded_dim(a.head_dim));
        copy_heads(from.keys, layers[i].keys, a.kv_heads, begun(saved.position, a.head_dim));
        copy_heads(from.values, layers[i].values, a.kv_heads, values);
    }
}

template struct SavedState<float>;
template struct SavedState<double>;
template SavedState<float> save_state(const Geometry&,
                                      const std::vector<LayerState<float>>&,
                                      std::int64_t);
template SavedState<double> save_state(const Geometry&,
                                       const std::vector<LayerState<double>>&,
                                       std::int64_t);
template void load_state(const Geometry&,
                         const SavedState<float>&,
                         std::vector<LayerState<float>>&);
template void load_state(const Geometry&,
                         const SavedState<double>&,
                         std::vector<LayerState<double>>&);

}  // namespace engine::model
