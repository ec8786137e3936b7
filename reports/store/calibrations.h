// SPDX-License-Identifier: Apache-2.0
// Calibrations, kept by machine class, scenario identity and backend.
#pragma once

#include <optional>
#include <string>

#include "reports/records/calibration.h"
#include "reports/store/store.h"

namespace reports {

Id save_calibration(Store& store, const Calibration& calibration);

// The newest one that holds for exactly these; nullopt: there is none.
std::optional<Calibration> find_calibration(const Store& store,
                                            const std::string& machine_class,
                                            const std::string& scenario_sha256,
                                            const std::string& backend);

// The newest one of a scenario of that name, to say why it is not used. Its metrics, kernels and
// counts are left out.
std::optional<Calibration> other_calibration(const Store& store, const std::string& scenario);

}  // namespace reports
