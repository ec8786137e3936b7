// SPDX-License-Identifier: Apache-2.0
// Whatever a process prints gives lines that were taken and problems in words.
#include <cstdint>
#include <cstdlib>
#include <string_view>

#include "reports/ingest/engine_lines.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const auto lines =
        reports::ingest::read_engine_lines({reinterpret_cast<const char*>(data), size});
    if (!lines.ended && lines.problems.empty()) std::abort();  // unfinished is never silent
    return 0;
}
