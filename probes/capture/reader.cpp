// SPDX-License-Identifier: Apache-2.0
// From verified blocks to records with the numbers of the whole file.
#include "probes/capture/reader.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "probes/capture/block_file.h"
#include "probes/capture/encode.h"
#include "probes/capture/path_merger.h"

namespace probes::capture {

struct Reader::State {
    explicit State(const std::filesystem::path& path) : file(path) {
        process.format_version = file.version();
    }

    BlockFile file;
    ProcessInfo process;
    Loss loss;           // found here, until the end
    Loss lost_by_probe;  // as the newest block that counts says
    PathMerger paths;
    std::set<std::uint32_t> schemas;
    std::map<std::uint32_t, std::string> thread_names;
    std::uint64_t unknown_blocks = 0;
    std::optional<Block> ahead;  // read by the constructor
    bool is_done = false;

    // The records block being read.
    std::uint32_t thread = 0;
    std::uint32_t tid = 0;
    std::span<const std::byte> records;

    void read_opening();
    std::optional<Block> next_block();
    std::optional<PayloadSchema> take(const Block& block);
    std::optional<Record> next_in_block();
    std::optional<Record> take_range(std::span<const std::byte> record);
    std::optional<Record> take_node(std::span<const std::byte> record);
    void finish();
};

namespace {

constexpr double no_value = std::numeric_limits<double>::quiet_NaN();

ProcessInfo process_info(std::span<const std::byte> body, ProcessInfo info) {
    Decoder decoder(body);
    info.pid = decoder.take<std::uint32_t>();
    info.start_raw_ns = decoder.take<std::int64_t>();
    info.start_real_ns = decoder.take<std::int64_t>();
    info.host = decoder.take_text();
    info.fault = decoder.take_text();
    return info;
}

FieldType field_type(std::uint32_t number) {
    constexpr auto last = static_cast<std::uint32_t>(FieldType::other);
    return static_cast<FieldType>(std::min(number, last));
}

PayloadSchema payload_schema(std::span<const std::byte> body) {
    Decoder decoder(body);
    PayloadSchema schema;
    schema.id = decoder.take<std::uint32_t>();
    schema.name = decoder.take_text();
    const auto count = decoder.take<std::uint32_t>();
    for (std::uint32_t i = 0; i < count && decoder.ok(); ++i) {
        PayloadField field;
        field.name = decoder.take_text();
        field.type = field_type(decoder.take<std::uint32_t>());
        field.offset = decoder.take<std::uint32_t>();
        field.size = decoder.take<std::uint32_t>();
        schema.fields.push_back(std::move(field));
    }
    return schema;
}

void take_loss(std::span<const std::byte> body, Loss& loss) {
    Decoder decoder(body);
    loss.dropped = decoder.take<std::uint64_t>();
    loss.open_ranges = decoder.take<std::uint64_t>();
    loss.unbalanced_pops = decoder.take<std::uint64_t>();
    loss.ignored_payloads = decoder.take<std::uint64_t>();
}

}  // namespace

// `process` and `status` come first, so process() is known before the first record.
void Reader::State::read_opening() {
    while (std::optional<Block> block = file.next()) {
        if (block->kind != BlockKind::process && block->kind != BlockKind::status) {
            ahead = block;
            return;
        }
        take(*block);
    }
    finish();
}

std::optional<Block> Reader::State::next_block() {
    if (ahead) {
        return std::exchange(ahead, std::nullopt);
    }
    if (is_done) {
        return std::nullopt;
    }
    std::optional<Block> block = file.next();
    if (!block) {
        finish();
    }
    return block;
}

void Reader::State::finish() {
    is_done = true;
    loss.truncated_bytes = file.bytes_left();
    loss.dropped += lost_by_probe.dropped;
    loss.open_ranges = lost_by_probe.open_ranges;
    loss.unbalanced_pops = lost_by_probe.unbalanced_pops;
    loss.ignored_payloads = lost_by_probe.ignored_payloads;
}

// All kinds of block but `records`, whose records are taken one by one.
std::optional<PayloadSchema> Reader::State::take(const Block& block) {
    Decoder decoder(block.body);
    switch (block.kind) {
        case BlockKind::process:
            process = process_info(block.body, std::move(process));
            break;
        case BlockKind::status:
            process.status = decoder.take_text();
            process.status_reason = decoder.take_text();
            break;
        case BlockKind::schema: {
            PayloadSchema schema = payload_schema(block.body);
            schemas.insert(schema.id);
            return schema;
        }
        case BlockKind::records:
            thread = decoder.take<std::uint32_t>();
            tid = decoder.take<std::uint32_t>();
            records = decoder.rest();
            break;
        case BlockKind::thread_end:
            paths.end_thread(decoder.take<std::uint32_t>());
            break;
        case BlockKind::thread_name: {
            const auto named = decoder.take<std::uint32_t>();
            thread_names[named] = decoder.take_text();
            break;
        }
        case BlockKind::end:
            loss.finished = true;
            [[fallthrough]];
        case BlockKind::loss:
            take_loss(block.body, lost_by_probe);
            break;
        default:
            ++unknown_blocks;
    }
    return std::nullopt;
}

std::optional<Record> Reader::State::next_in_block() {
    while (!records.empty()) {
        RecordHead head{};
        std::memcpy(&head, records.data(), sizeof(head));
        const std::size_t bytes = head.cells * cell_bytes;
        if (bytes == 0 || bytes > records.size()) {
            ++loss.dropped;  // a writer's mistake: the checksum held
            records = {};
            return std::nullopt;
        }
        const std::span<const std::byte> record = records.first(bytes);
        records = records.subspan(bytes);
        std::optional<Record> taken =
            head.kind == RecordKind::range ? take_range(record) : take_node(record);
        if (taken) {
            return taken;
        }
    }
    return std::nullopt;
}

std::optional<Record> Reader::State::take_range(std::span<const std::byte> record) {
    RangeRecord head;
    std::memcpy(&head, record.data(), sizeof(head));
    const std::uint32_t path = paths.find(thread, head.path);
    const bool schema_is_known = head.schema == 0 || schemas.contains(head.schema);
    if (path == 0 || !schema_is_known || head.payload_bytes > record.size() - sizeof(head)) {
        ++loss.dropped;
        return std::nullopt;
    }
    const bool has_stamps = head.start_ns != 0 && head.end_ns != 0;
    loss.zero_stamps += has_stamps ? 0 : 1;
    loss.negative += has_stamps && head.end_ns < head.start_ns ? 1 : 0;

    const bool start_end = (head.flags & range_start_end) != 0;
    const bool has_value = (head.flags & range_has_value) != 0;
    Range range{
        .id = head.id,
        .parent = start_end ? 0 : head.parent,
        .root = head.root,
        .path = path,
        .tid = start_end ? static_cast<std::uint32_t>(head.parent) : tid,
        .start_ns = head.start_ns,
        .end_ns = head.end_ns,
        .flags = head.flags & ~range_has_value,
        .schema = head.schema,
        .payload = record.subspan(sizeof(head), head.payload_bytes),
        .value = no_value,
    };
    if (has_value) {
        range.value = Decoder(range.payload).take<double>();
        range.payload = {};
    }
    return range;
}

std::optional<Record> Reader::State::take_node(std::span<const std::byte> record) {
    Decoder decoder(record);
    const auto head = decoder.take<NodeRecord>();
    const auto text = [&](std::size_t bytes) {
        const std::span<const std::byte> taken = decoder.take_bytes(bytes);
        return std::string(reinterpret_cast<const char*>(taken.data()), taken.size());
    };
    PathNode node{.id = head.id, .parent = head.parent, .name = {}, .domain = {}, .category = {}};
    node.name = text(head.name_bytes);
    node.domain = text(head.domain_bytes);
    node.category = text(head.category_bytes);
    if (head.head.kind != RecordKind::node ||
        paths.add(thread, node) != PathMerger::Outcome::fresh) {
        return std::nullopt;
    }
    return node;
}

Reader::Reader(const std::filesystem::path& file) : state_(std::make_unique<State>(file)) {
    state_->read_opening();
}

Reader::~Reader() = default;
Reader::Reader(Reader&&) noexcept = default;
Reader& Reader::operator=(Reader&&) noexcept = default;

const ProcessInfo& Reader::process() const {
    return state_->process;
}

const Loss& Reader::loss() const {
    return state_->loss;
}

const std::map<std::uint32_t, std::string>& Reader::thread_names() const {
    return state_->thread_names;
}

std::uint64_t Reader::unknown_blocks() const {
    return state_->unknown_blocks;
}

std::optional<Record> Reader::next() {
    while (true) {
        if (std::optional<Record> record = state_->next_in_block()) {
            return record;
        }
        const std::optional<Block> block = state_->next_block();
        if (!block) {
            return std::nullopt;
        }
        if (std::optional<PayloadSchema> schema = state_->take(*block)) {
            return Record(std::move(*schema));
        }
    }
}

}  // namespace probes::capture
