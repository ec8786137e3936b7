// SPDX-License-Identifier: Apache-2.0
// https://docs.google.com/document/d/1CvAClvFfyA5R-PhYUmn5OOQtYMH4h6I0nSsKchNAySU
#include "reports/export/chrome_events.h"

#include <fmt/format.h>

#include <iterator>

#include "reports/export/json_text.h"

namespace reports::exports {
namespace {

void append_head(std::string& out, char phase, std::string_view category, std::string_view name) {
    out += R"({"ph":")";
    out += phase;
    out += R"(","name":)";
    append_text(out, name.empty() ? "(unnamed)" : name);
    if (!category.empty()) {
        out += R"(,"cat":)";
        append_text(out, category);
    }
}

void append_track(std::string& out, Track track) {
    fmt::format_to(std::back_inserter(out), R"(,"pid":{},"tid":{})", track.pid, track.tid);
}

void append_at(std::string& out, std::int64_t at_ns) {
    out += R"(,"ts":)";
    append_micros(out, at_ns);
}

void append_arguments(std::string& out, std::string_view arguments) {
    out += R"(,"args":)";
    out += arguments.empty() ? "{}" : arguments;
    out += '}';
}

}  // namespace

std::string slice_head(std::string_view category, std::string_view name) {
    std::string head;
    append_head(head, 'X', category, name);
    return head;
}

void append_slice(std::string& out,
                  std::string_view head,
                  Track track,
                  std::int64_t start_ns,
                  std::int64_t end_ns,
                  std::string_view arguments) {
    out += head;
    append_track(out, track);
    append_at(out, start_ns);
    out += R"(,"dur":)";
    append_micros(out, end_ns - start_ns);
    append_arguments(out, arguments);
}

void ChromeEvents::start() {
    piece_ = "{\"traceEvents\":[\n";
}

void ChromeEvents::finish(std::string_view other_data) {
    // Behind the events: a reader of 2020 took "ns" in front of them for the unit of the stamps.
    piece_ += "\n],\n\"displayTimeUnit\":\"ns\",\n\"otherData\":";
    piece_ += other_data;
    piece_ += "}\n";
    sink_(piece_);
    piece_.clear();
}

void ChromeEvents::add(std::string_view event) {
    if (!first_) piece_ += ",\n";
    first_ = false;
    piece_ += event;
    if (piece_.size() < piece_bytes) return;
    sink_(piece_);
    piece_.clear();
}

std::string& ChromeEvents::begin(char phase,
                                 Track track,
                                 std::string_view category,
                                 std::string_view name) {
    event_.clear();
    append_head(event_, phase, category, name);
    append_track(event_, track);
    return event_;
}

void ChromeEvents::async_slice(Track track,
                               std::string_view category,
                               std::string_view name,
                               std::uint64_t id,
                               std::int64_t start_ns,
                               std::int64_t end_ns,
                               std::string_view arguments) {
    for (const bool opens : {true, false}) {
        std::string& event = begin(opens ? 'b' : 'e', track, category, name);
        fmt::format_to(std::back_inserter(event), R"(,"id2":{{"local":"{:#x}"}})", id);
        append_at(event, opens ? start_ns : end_ns);
        append_arguments(event, opens ? arguments : std::string_view());
        add(event);
    }
}

void ChromeEvents::instant(Track track,
                           Scope scope,
                           std::string_view category,
                           std::string_view name,
                           std::int64_t at_ns,
                           std::string_view arguments) {
    std::string& event = begin('i', track, category, name);
    append_at(event, at_ns);
    event += scope == Scope::thread ? R"(,"s":"t")" : R"(,"s":"p")";
    append_arguments(event, arguments);
    add(event);
}

void ChromeEvents::counter(
    Track track, std::string_view name, std::string_view unit, std::int64_t at_ns, double value) {
    std::string& event = begin('C', track, {}, name);
    append_at(event, at_ns);
    event += R"(,"args":{)";
    append_text(event, unit.empty() || unit == "1" ? "value" : unit);
    event += ':';
    append_number(event, value);
    event += "}}";
    add(event);
}

void ChromeEvents::metadata(Track track, std::string_view kind, std::string_view arguments) {
    std::string& event = begin('M', track, {}, kind);
    append_arguments(event, arguments);
    add(event);
}

void ChromeEvents::name_process(Track track, std::string_view name) {
    std::string arguments = R"({"name":)";
    append_text(arguments, name);
    metadata(track, "process_name", arguments + '}');
}

void ChromeEvents::name_thread(Track track, std::string_view name) {
    std::string arguments = R"({"name":)";
    append_text(arguments, name);
    metadata(track, "thread_name", arguments + '}');
}

void ChromeEvents::order_process(Track track, int index) {
    metadata(track, "process_sort_index", fmt::format(R"({{"sort_index":{}}})", index));
}

}  // namespace reports::exports
