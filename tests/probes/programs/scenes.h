// SPDX-License-Identifier: Apache-2.0
// Scenes of the traced program: each makes a known set of NVTX calls.
#pragma once

#include <nvtx3/nvToolsExt.h>
#include <nvtx3/nvToolsExtPayload.h>

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace scenes {

// Each returns the exit code of the program: 0, or the number of a check that failed.
using Scene = int (*)();

struct NamedScene {
    const char* name;
    Scene play;
};

// Null when there is none of that name.
Scene find_range_scene(const char* name);
Scene find_payload_scene(const char* name);
Scene find_process_scene(const char* name);

template <std::size_t count>
Scene find_in(const NamedScene (&table)[count], const char* name) {
    for (const NamedScene& scene : table) {
        if (std::strcmp(scene.name, name) == 0) {
            return scene.play;
        }
    }
    return nullptr;
}

// Attributes with an ASCII name.
nvtxEventAttributes_t named(const char* name);

// Push and pop in the default domain.
void blink(const char* name);

// The engine's two schemas.
struct Work {
    double bytes_read;
    double bytes_written;
    double flops;
    std::int64_t rows;
    std::int64_t context;
    char kernel[32];
};

struct Phase {
    std::int64_t rep;
    std::int64_t rows;
    std::int64_t context;
};

std::uint64_t register_work(nvtxDomainHandle_t domain);
std::uint64_t register_phase(nvtxDomainHandle_t domain);
void attach(nvtxEventAttributes_t& event, const nvtxPayloadData_t* payloads, int count);

}  // namespace scenes
