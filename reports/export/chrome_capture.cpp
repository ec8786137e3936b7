// SPDX-License-Identifier: Apache-2.0
#include "reports/export/chrome_capture.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <unordered_map>

#include "probes/capture/reader.h"
#include "reports/export/json_text.h"
#include "reports/export/nested_order.h"
#include "reports/export/path_table.h"
#include "reports/export/payload_fields.h"
#include "reports/export/step_counters.h"
#include "reports/ingest/roles.h"

namespace reports::exports {
namespace {

using probes::capture::Range;

// What is the same in every range of one path.
struct PathText {
    std::string category;
    std::string head;       // of a slice
    std::string arguments;  // {"path":"...",
};

class Writer {
  public:
    Writer(std::uint32_t tid_offset, ChromeEvents& events, CaptureSummary& summary)
        : tid_offset_(tid_offset), events_(events), summary_(summary) {}

    void take(const probes::capture::PathNode& node) { paths_.take(node); }

    void take(const probes::capture::PayloadSchema& schema) {
        schemas_.insert_or_assign(schema.id, PayloadFields(schema));
    }

    void take(const Range& range);
    void finish(const std::map<std::uint32_t, std::string>& thread_names);

  private:
    const PathText& text_of(const Range& range, const PathEntry& path, const PayloadFields* fields);
    void put_arguments(const Range& range, const PathText& text, const PayloadFields* fields);
    void put(const Range& range, Track track, const PathEntry& path, const PathText& text);
    void count_steps(const Range& range, Track track, std::string_view role);

    const PayloadFields* fields_of(const Range& range) const {
        const auto found = range.schema == 0 ? schemas_.end() : schemas_.find(range.schema);
        return found == schemas_.end() ? nullptr : &found->second;
    }

    std::uint32_t tid_offset_;
    ChromeEvents& events_;
    CaptureSummary& summary_;
    PathTable paths_;
    std::map<std::uint32_t, PayloadFields> schemas_;
    std::unordered_map<std::uint64_t, PathText> texts_;  // by path and schema
    std::map<std::uint32_t, NestedOrder> threads_;       // by thread as written
    StepCounters counters_;
    std::string arguments_, event_;
};

// Ops without a category of their own get the role that ingest gives them.
std::string role_of(const Range& range, const PathEntry& path, const PayloadFields* fields) {
    if (fields == nullptr) return path.role;
    if (fields->kind() == PayloadFields::Kind::phase) return "phase";
    if (fields->kind() != PayloadFields::Kind::work || !path.role.empty()) return path.role;
    return ingest::role_of(fields->work(range.payload).kernel, ingest::shipped_role_rules());
}

const PathText& Writer::text_of(const Range& range,
                                const PathEntry& path,
                                const PayloadFields* fields) {
    const std::uint64_t key = std::uint64_t{range.path} << 32 | range.schema;
    const auto [found, is_new] = texts_.try_emplace(key);
    PathText& text = found->second;
    if (is_new) {
        const std::string role = role_of(range, path, fields);
        text.category = role.empty() ? "range" : role;
        text.head = slice_head(text.category, path.name);
        text.arguments = R"({"path":)";
        append_text(text.arguments, path.path);
        text.arguments += ',';
        if (!path.domain.empty() && path.domain != "tare") {
            text.arguments += R"("domain":)";
            append_text(text.arguments, path.domain);
            text.arguments += ',';
        }
    }
    return text;
}

void append_rate(std::string& out, const char* key, std::optional<double> value) {
    if (value) fmt::format_to(std::back_inserter(out), R"("{}":{:.6g},)", key, *value);
}

void Writer::put_arguments(const Range& range, const PathText& text, const PayloadFields* fields) {
    arguments_ = text.arguments;
    const bool foreign = fields != nullptr && fields->kind() == PayloadFields::Kind::other;
    if (foreign) arguments_ += R"("payload":{)";
    if (fields != nullptr) fields->append_json(arguments_, range.payload);
    if (foreign) {
        if (arguments_.back() == ',') arguments_.pop_back();
        arguments_ += "},";
    }
    if (fields != nullptr && fields->kind() == PayloadFields::Kind::work) {
        const Work work = fields->work(range.payload);
        append_rate(arguments_, "gb_per_s", work.gb_per_s(range.end_ns - range.start_ns));
        append_rate(arguments_, "tflop_per_s", work.tflop_per_s(range.end_ns - range.start_ns));
    }
    if (!std::isnan(range.value)) {
        arguments_ += R"("value":)";
        append_number(arguments_, range.value);
        arguments_ += ',';
    }
    if ((range.flags & probes::capture::range_open_at_end) != 0) {
        arguments_ += R"("open_at_end":true,)";
    }
    arguments_.back() = '}';
}

void Writer::put(const Range& range, Track track, const PathEntry& path, const PathText& text) {
    using enum ChromeEvents::Scope;
    if ((range.flags & probes::capture::range_marker) != 0) {
        events_.instant(track, thread, text.category, path.name, range.start_ns, arguments_);
    } else if ((range.flags & probes::capture::range_start_end) != 0) {
        events_.async_slice(track, text.category, path.name, range.id, range.start_ns, range.end_ns,
                            arguments_);
    } else {
        event_.clear();
        append_slice(event_, text.head, track, range.start_ns, range.end_ns, arguments_);
        threads_[track.tid].add(range.end_ns, event_,
                                [this](std::string_view event) { events_.add(event); });
    }
}

void Writer::count_steps(const Range& range, Track track, std::string_view role) {
    const PayloadFields* fields = fields_of(range);
    constexpr auto apart = probes::capture::range_marker | probes::capture::range_start_end;
    if ((range.flags & apart) != 0) return;
    if (fields != nullptr && fields->kind() == PayloadFields::Kind::work) {
        counters_.take_op(range, role, fields->work(range.payload), track, events_);
    } else {
        counters_.take_range(range, track, events_);
    }
}

void Writer::take(const Range& range) {
    const bool is_marker = (range.flags & probes::capture::range_marker) != 0;
    ++(is_marker ? summary_.markers : summary_.ranges);
    if (range.start_ns <= 0 || range.end_ns < range.start_ns) {
        ++summary_.unplaced;
        return;
    }
    summary_.last_ns = std::max(summary_.last_ns, range.end_ns);
    const Track track{summary_.pid, range.tid + tid_offset_};
    threads_.try_emplace(track.tid);
    const PathEntry& path = paths_.find(range.path);
    const PayloadFields* fields = fields_of(range);
    const PathText& text = text_of(range, path, fields);
    put_arguments(range, text, fields);
    put(range, track, path, text);
    count_steps(range, track, text.category);
}

void Writer::finish(const std::map<std::uint32_t, std::string>& thread_names) {
    for (auto& [tid, order] : threads_) {
        order.flush([this](std::string_view event) { events_.add(event); });
        const auto named = thread_names.find(tid - tid_offset_);
        const std::string name = named != thread_names.end() ? named->second
                                 : tid == summary_.pid       ? "main"
                                                             : "thread";
        events_.name_thread({summary_.pid, tid}, name);
    }
}

}  // namespace

std::uint32_t Pids::claim(std::uint32_t wanted) {
    constexpr std::uint32_t beyond_all = 1u << 22;  // Linux's largest process number, PID_MAX_LIMIT
    std::uint32_t pid = wanted == 0 ? beyond_all : wanted;
    while (!taken_.insert(pid).second) pid += beyond_all;
    return pid;
}

CaptureSummary write_capture(const std::filesystem::path& capture,
                             Pids& pids,
                             ChromeEvents& events) {
    probes::capture::Reader reader(capture);
    const std::uint32_t own = reader.process().pid;
    CaptureSummary summary{.pid = pids.claim(own)};
    Writer writer(summary.pid - own, events, summary);
    while (const auto record = reader.next()) {
        std::visit([&](const auto& one) { writer.take(one); }, *record);
    }
    writer.finish(reader.thread_names());
    summary.fault = reader.process().fault;
    summary.loss = reader.loss();
    return summary;
}

}  // namespace reports::exports
