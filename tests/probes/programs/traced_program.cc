// SPDX-License-Identifier: Apache-2.0
// traced_program SCENE: plays one scene, then returns from main.
#include <cstdio>
#include <cstring>

#include "tests/probes/programs/scenes.h"

int main(int argc, char** argv) {
    const char* name = argc > 1 ? argv[1] : "";
    scenes::Scene scene = scenes::find_range_scene(name);
    scene = scene != nullptr ? scene : scenes::find_payload_scene(name);
    scene = scene != nullptr ? scene : scenes::find_process_scene(name);
    if (scene == nullptr) {
        std::fprintf(stderr, "traced_program: no scene \"%s\"\n", name);
        return 2;
    }
    return scene();
}
