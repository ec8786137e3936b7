// SPDX-License-Identifier: Apache-2.0
// Events of the Trace Event Format, one a line. A track is a thread of a process; a device and its
// streams are one as well.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "reports/export/sink.h"

namespace reports::exports {

struct Track {
    std::uint32_t pid = 0, tid = 0;
};

class ChromeEvents {
  public:
    explicit ChromeEvents(Sink sink) : sink_(std::move(sink)) {}

    // Opens the document; finish() closes it with the fields that stand beside the events.
    void start();
    void finish(std::string_view other_data);  // a JSON object

    void add(std::string_view event);  // a whole JSON object

    // `arguments` is a JSON object; `category` and `name` are plain text. May overlap others of its
    // thread: a row of its own in its process for each (category, id).
    void async_slice(Track track,
                     std::string_view category,
                     std::string_view name,
                     std::uint64_t id,
                     std::int64_t start_ns,
                     std::int64_t end_ns,
                     std::string_view arguments);
    enum class Scope { thread, process };
    void instant(Track track,
                 Scope scope,
                 std::string_view category,
                 std::string_view name,
                 std::int64_t at_ns,
                 std::string_view arguments);
    void counter(Track track,
                 std::string_view name,
                 std::string_view unit,
                 std::int64_t at_ns,
                 double value);
    void name_process(Track track, std::string_view name);
    void name_thread(Track track, std::string_view name);
    void order_process(Track track, int index);

  private:
    std::string& begin(char phase, Track track, std::string_view category, std::string_view name);
    void metadata(Track track, std::string_view kind, std::string_view arguments);

    Sink sink_;
    std::string piece_;  // written, not handed over yet
    std::string event_;
    bool first_ = true;
};

// What all slices of one category and name begin with: made once, used for each.
std::string slice_head(std::string_view category, std::string_view name);
void append_slice(std::string& out,
                  std::string_view head,
                  Track track,
                  std::int64_t start_ns,
                  std::int64_t end_ns,
                  std::string_view arguments);

}  // namespace reports::exports
