// SPDX-License-Identifier: Apache-2.0
// Ranges on their way from an NVTX call to a ring: no lock, no allocation but for new names.
#include "probes/nvtx/ranges.h"

#include <cstring>
#include <limits>

#include "probes/capture/node_record.h"
#include "probes/capture/records.h"
#include "probes/nvtx/clock.h"
#include "probes/nvtx/collector.h"
#include "probes/nvtx/open_ranges.h"
#include "probes/nvtx/probe.h"

namespace probes::nvtx {
namespace {

using capture::RangeRecord;

constinit OpenRanges open_ranges;

const Text* name_of(Thread& thread, const Event& event) {
    return event.name != nullptr ? event.name : thread.paths.intern(event.plain_name);
}

// Null when the path finds no room, for good (path_limit) or for lack of memory.
PathNode* find_path(Thread& thread, PathNode* parent, const Domain& domain, const Event& event) {
    try {
        return thread.paths.find(parent, name_of(thread, event), &domain, event.category);
    } catch (...) {
        return nullptr;
    }
}

void keep_payload(Thread& thread, Frame& frame, const Event& event) {
    RangeRecord& record = frame.record;
    for (std::uint32_t i = 0; i < event.ignored_payloads; ++i) {
        thread.ignored_payloads.add_one();
    }
    if (event.schema != nullptr) {
        std::memcpy(frame.payload, event.payload.data(), event.payload.size());
        record.schema = static_cast<std::uint16_t>(event.schema->layout.id);
        record.payload_bytes = static_cast<std::uint16_t>(event.payload.size());
    } else if (event.has_value) {
        std::memcpy(frame.payload, &event.value, sizeof(event.value));
        record.flags |= capture::range_has_value;
        record.payload_bytes = sizeof(event.value);
    }
}

// Adds the node and its ancestors to this thread's records, outermost first. Rare.
__attribute__((noinline)) bool announce(Thread& thread, PathNode& node) {
    if (node.announced_to == thread.serial) {
        return true;
    }
    if (node.parent != nullptr && !announce(thread, *node.parent)) {
        return false;
    }
    std::byte
        record[capture::cells_for(sizeof(capture::NodeRecord) + 3 * capture::text_limit_bytes) *
               capture::cell_bytes];
    const std::size_t cells = capture::encode_node(
        record, node.id, node.parent == nullptr ? 0 : node.parent->id, node.name->text,
        node.domain->name, node.domain->category_name(node.category));
    if (!thread.ring.has_room(cells)) {
        return false;
    }
    thread.ring.push(record, cells);
    node.announced_to = thread.serial;
    return true;
}

// False: the planted fault makes this record vanish.
__attribute__((noinline)) bool plant_fault(RangeRecord& record) {
    static std::atomic<std::uint64_t> ops{0};
    const Schema* schema =
        record.schema == 0 ? nullptr
                           : registry().find_schema(nullptr, dynamic_schema_start + record.schema);
    if (schema == nullptr || !schema->is_op) {
        return true;
    }
    const Settings& chosen = settings();
    if (chosen.fault_kind == FaultKind::shift) {
        record.start_ns += 1'000'000;
        record.end_ns += 1'000'000;
    }
    if (chosen.fault_kind != FaultKind::drop && chosen.fault_kind != FaultKind::zero) {
        return true;
    }
    const bool is_hit = (ops.fetch_add(1) + 1) % chosen.fault_every == 0;
    if (is_hit && chosen.fault_kind == FaultKind::zero) {
        record.start_ns = 0;
        record.end_ns = 0;
    }
    return !is_hit || chosen.fault_kind == FaultKind::zero;
}

void write(Thread& thread, Frame& frame) {
    RangeRecord& record = frame.record;
    PathNode* node = frame.node;
    if (settings().fault_kind != FaultKind::none && !plant_fault(record)) {
        return;
    }
    const std::size_t cells = capture::cells_for(sizeof(RangeRecord) + record.payload_bytes);
    if (node == nullptr || (node->announced_to != thread.serial && !announce(thread, *node)) ||
        !thread.ring.has_room(cells)) {
        thread.dropped.add_one();
    } else {
        record.head = {.kind = capture::RecordKind::range,
                       .reserved = 0,
                       .cells = static_cast<std::uint16_t>(cells)};
        record.path = node->id;
        thread.ring.push(reinterpret_cast<const std::byte*>(&frame), cells);
    }
    if (thread.ring.is_half_full()) {
        wake_writer();
    }
}

// Identity, place in the tree and path of a range about to open (or a mark) on this stack.
void place(
    Thread& thread, const Stack& stack, const Domain& domain, const Event& event, Frame& frame) {
    const Frame* parent = stack.depth > 0 ? &stack.frames[stack.depth - 1] : nullptr;
    RangeRecord& record = frame.record;
    record.id = ++thread.next_id;
    record.parent = parent != nullptr ? parent->record.id : 0;
    record.root = parent != nullptr ? parent->record.root : record.id;
    record.flags = 0;
    record.schema = 0;
    record.payload_bytes = 0;
    const bool parent_is_lost = parent != nullptr && parent->node == nullptr;
    frame.node = parent_is_lost
                     ? nullptr
                     : find_path(thread, parent != nullptr ? parent->node : nullptr, domain, event);
    keep_payload(thread, frame, event);
}

}  // namespace

bool prepare_ranges() {
    return open_ranges.allocate();
}

int push(const Domain& domain, const Event& event) noexcept {
    const Visit thread;
    if (!thread) {
        return not_tracking;
    }
    Stack* stack = thread->stack(domain);
    if (stack == nullptr) {
        thread->dropped.add_one();
        return not_tracking;
    }
    if (stack->depth == depth_limit) {
        thread->dropped.add_one();
        return static_cast<int>(depth_limit + stack->too_deep++);
    }
    Frame& frame = stack->frames[stack->depth];
    place(*thread, *stack, domain, event, frame);
    // Last, so that the probe's own work falls outside the range.
    frame.record.start_ns = now_ns();
    return static_cast<int>(stack->depth++);
}

int pop(const Domain& domain, const Event* late_payload) noexcept {
    const std::int64_t end_ns = now_ns();
    const Visit thread;
    if (!thread) {
        return not_tracking;
    }
    Stack& stack = thread->stacks[domain.index];
    if (stack.too_deep > 0) {
        return static_cast<int>(depth_limit + --stack.too_deep);
    }
    if (stack.depth == 0) {
        thread->unbalanced.add_one();
        return unbalanced_pop;
    }
    Frame& frame = stack.frames[--stack.depth];
    if (late_payload != nullptr && frame.record.payload_bytes == 0) {
        keep_payload(*thread, frame, *late_payload);
    }
    frame.record.end_ns = end_ns;
    write(*thread, frame);
    return static_cast<int>(stack.depth);
}

std::uint64_t start(const Domain& domain, const Event& event) noexcept {
    const Visit thread;
    if (!thread) {
        return 0;
    }
    OpenRange* range = open_ranges.take();
    if (range == nullptr) {
        thread->dropped.add_one();
        return 0;
    }
    try {
        range->name = name_of(*thread, event);
    } catch (...) {
        thread->dropped.add_one();
        open_ranges.give_back(*range);
        return 0;
    }
    range->domain = &domain;
    range->category = event.category;
    RangeRecord& record = range->frame.record;
    record = {};
    record.id = ++thread->next_id;
    record.root = record.id;
    record.parent = thread->tid;  // format.h: there is no parent to name
    record.flags = capture::range_start_end;
    keep_payload(*thread, range->frame, event);
    record.start_ns = now_ns();
    return open_ranges.open(*range);
}

namespace {

void finish_started(Thread& thread, OpenRange& range, std::int64_t end_ns) {
    const Event event{.name = range.name, .plain_name = {}, .category = range.category};
    range.frame.record.end_ns = end_ns;
    range.frame.node = find_path(thread, nullptr, *range.domain, event);
    write(thread, range.frame);
    open_ranges.give_back(range);
}

}  // namespace

void end(std::uint64_t ticket, const Event* late_payload) noexcept {
    const std::int64_t end_ns = now_ns();
    const Visit thread;
    if (!thread || ticket == 0) {
        return;  // 0: start() had no room, and counted it
    }
    OpenRange* range = open_ranges.close(ticket);
    if (range == nullptr) {
        thread->unbalanced.add_one();
        return;
    }
    if (late_payload != nullptr && range->frame.record.payload_bytes == 0) {
        keep_payload(*thread, range->frame, *late_payload);
    }
    finish_started(*thread, *range, end_ns);
}

void mark(const Domain& domain, const Event& event) noexcept {
    const Visit thread;
    if (!thread) {
        return;
    }
    Frame frame{};
    place(*thread, thread->stacks[domain.index], domain, event, frame);
    frame.record.flags |= capture::range_marker;
    frame.record.start_ns = now_ns();
    frame.record.end_ns = frame.record.start_ns;
    write(*thread, frame);
}

bool close_innermost(Thread& thread, std::int64_t end_ns) {
    Stack* innermost = nullptr;
    for (std::uint32_t i = 0; i < thread.domains_used; ++i) {
        Stack& stack = thread.stacks[i];
        if (stack.depth > 0 &&
            (innermost == nullptr || stack.frames[stack.depth - 1].record.id >
                                         innermost->frames[innermost->depth - 1].record.id)) {
            innermost = &stack;
        }
    }
    if (innermost == nullptr) {
        return false;
    }
    Frame& frame = innermost->frames[--innermost->depth];
    innermost->too_deep = 0;
    frame.record.end_ns = end_ns;
    frame.record.flags |= capture::range_open_at_end;
    thread.open_at_end.add_one();
    write(thread, frame);
    return true;
}

bool close_one_started(Thread& carrier, std::int64_t end_ns) {
    OpenRange* range = open_ranges.close_any();
    if (range == nullptr) {
        return false;
    }
    range->frame.record.flags |= capture::range_open_at_end;
    carrier.open_at_end.add_one();
    finish_started(carrier, *range, end_ns);
    return true;
}

}  // namespace probes::nvtx
