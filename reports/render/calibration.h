// SPDX-License-Identifier: Apache-2.0
// A calibration as text: pure functions of the record.
#pragma once

#include <string>

#include "reports/records/calibration.h"
#include "reports/render/document.h"
#include "reports/render/render.h"

namespace reports::render {

// Table, Markdown or JSON.
std::string calibration(const Calibration& calibration, const Options& options);

Document calibration_document(const Calibration& calibration, int top);  // lines of kernels; 0: all

std::string calibration_json(const Calibration& calibration);  // tare.calibration/1

// Whether the margin of a gated metric is at least the honest one; nullopt: one of them is missing.
std::optional<bool> is_honest(const CalibratedMetric& metric);

}  // namespace reports::render
