// SPDX-License-Identifier: Apache-2.0
// The NVTX side of a tracer: one domain per process, its categories and payload schemas.
//
// Every function returns at once when no tool is attached.
#pragma once

#include <string_view>

#include "engine/ops/op.h"
#include "engine/trace/tracer.h"

namespace engine::trace {

bool tool_attached();  // decided at the first call, for the life of the process

void* register_string(const char* text);  // NVTX string handle of the domain; null without a tool

void push_range(const Label& label);
void push_phase(const Label& label, const PhaseInfo& info);  // payload schema "phase"

// Payload schema "work"; the category is the role's. Kernel names over 31 characters are cut.
void push_op(const Label& label, std::string_view kernel, ops::Role role, const ops::Work& work);

void pop_range();

}  // namespace engine::trace
