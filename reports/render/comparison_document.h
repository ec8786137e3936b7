// SPDX-License-Identifier: Apache-2.0
// Two stored runs laid out side by side.
#pragma once

#include "reports/render/comparison.h"
#include "reports/render/document.h"
#include "reports/render/render.h"

namespace reports::render {

// Metrics, roles, kernels, tokens and counts.
std::vector<Section> comparison_sections(const Comparison& comparison, const Options& options);

Document comparison_document(const Comparison& comparison, const Options& options);

}  // namespace reports::render
