// SPDX-License-Identifier: Apache-2.0
// NVTX's types for tools: its own functions and state stay out of the probe.
#pragma once

#define NVTX_NO_IMPL
#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>
