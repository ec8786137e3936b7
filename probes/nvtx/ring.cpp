// SPDX-License-Identifier: Apache-2.0
// Memory of a ring, and the records that wrap round its end.
#include "probes/nvtx/ring.h"

#include <sys/mman.h>

#include <algorithm>

namespace probes::nvtx {

bool Ring::allocate(std::size_t cells) {
    void* memory = ::mmap(nullptr, cells * capture::cell_bytes, PROT_READ | PROT_WRITE,
                          MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED) {
        return false;
    }
    cells_ = static_cast<std::byte*>(memory);
    capacity_ = cells;
    return true;
}

void Ring::push_split(std::size_t at, const std::byte* record, std::size_t cells) {
    const std::size_t before_end = std::min<std::size_t>(cells, capacity_ - at);
    const std::size_t first_bytes = before_end * capture::cell_bytes;
    std::memcpy(cell(at), record, first_bytes);
    std::memcpy(cells_, record + first_bytes, (cells - before_end) * capture::cell_bytes);
}

Ring::Stretch Ring::stretch(std::uint64_t begin, std::uint64_t end) const {
    const std::size_t at = begin & (capacity_ - 1);
    const std::size_t count = end - begin;
    const std::size_t before_end = std::min<std::size_t>(count, capacity_ - at);
    return {.first = {cell(at), before_end * capture::cell_bytes},
            .second = {cells_, (count - before_end) * capture::cell_bytes}};
}

}  // namespace probes::nvtx
