// SPDX-License-Identifier: Apache-2.0
// Names of the ranges of a forward pass.
#include "engine/model/labels.h"

#include <fmt/format.h>

namespace engine::model {

Labels::Labels(const Geometry& geometry) {
    for (std::size_t i = 0; i < geometry.layers.size(); ++i) {
        layers.emplace_back(fmt::format("layer.{:02}.{}", i, name(geometry.layers[i].kind)));
    }
}

}  // namespace engine::model
