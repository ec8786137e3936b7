// SPDX-License-Identifier: Apache-2.0
// What a capture adds to a trial: phases, kernels, losses, and the five integrity checks.
#pragma once

#include <string>
#include <string_view>

#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/records/derived.h"

namespace reports::ingest {

// `out` holds the phases of the engine's rep lines already.
void add_profile(const EngineLines& lines, const Profile& profile, Derived& out);

// Numbers that stand alone between dots and slashes become '*', so that the layers of a model fall
// together: "prefill/layer.03.moe/experts.up" -> "prefill/layer.*.moe/experts.up".
std::string path_family(std::string_view path);

}  // namespace reports::ingest
