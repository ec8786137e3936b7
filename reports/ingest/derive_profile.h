// SPDX-License-Identifier: Apache-2.0
// What a capture adds to a trial: phases, kernels, losses, and the five integrity checks.
#pragma once

#include <string>
#include <string_view>

#include "reports/ingest/engine_lines.h"
#include "reports/ingest/profile.h"
#include "reports/records/derived.h"
#include "reports/store/derived.h"

namespace reports::ingest {

// `out` holds the phases of the engine's rep lines already.
void add_profile(const EngineLines& lines, const Profile& profile, Derived& out);

// Of a command: its outermost ranges are the phases, and no timer but the probe's saw them.
void add_command_profile(const store::TrialFacts& facts, const Profile& profile, Derived& out);

// A capture begins while its process lives; one of another run or an earlier boot does not.
void check_capture_is_ours(const store::TrialFacts& facts, const Profile& profile, Derived& out);

// Numbers that stand alone between dots and slashes become '*', so that the layers of a model fall
// together: "prefill/layer.03.moe/experts.up" -> "prefill/layer.*.moe/experts.up".
std::string path_family(std::string_view path);

}  // namespace reports::ingest
