// SPDX-License-Identifier: Apache-2.0
// The small JSON files that stand beside a checkpoint's weights.
#pragma once

#include <string>

#include "engine/synthetic/catalogue.h"
#include "engine/synthetic/spec.h"

namespace engine::synthetic {

// Ids that start and end texts. The built-in members stop at 2 and 11, as released ones do.
std::string generation_config(const Spec& spec);

// What is quantised, in the producer's layout; empty when nothing is.
std::string quantisation(const Catalogue& catalogue);

}  // namespace engine::synthetic
