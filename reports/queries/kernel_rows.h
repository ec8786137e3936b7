// SPDX-License-Identifier: Apache-2.0
// The breakdown rows of an arm: by role, by op over layers, by range path.
#pragma once

#include <vector>

#include "reports/records/report.h"
#include "reports/store/store.h"

namespace reports {

struct KernelRows {
    std::vector<KernelRow> roles, ops, kernels;
};

KernelRows load_kernel_rows(const Store& store, Id arm);

}  // namespace reports
