// SPDX-License-Identifier: Apache-2.0
// What the layers of a sequence keep between calls, copied out of a session and back into one.
#pragma once

#include "engine/model/chunk.h"

namespace engine::model {

// Of the caches, only the blocks of keys that were begun: size follows the position.
template <class T>
struct SavedState {
    std::int64_t position = 0;
    std::vector<LayerState<T>> layers;

    std::uint64_t bytes() const;
};

template <class T>
SavedState<T> save_state(const Geometry& geometry,
                         const std::vector<LayerState<T>>& layers,
                         std::int64_t position);

// `layers` must be of the same geometry and have room for saved.position tokens.
template <class T>
void load_state(const Geometry& geometry,
                const SavedState<T>& saved,
                std::vector<LayerState<T>>& layers);

}  // namespace engine::model
