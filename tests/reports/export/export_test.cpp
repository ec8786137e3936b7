// SPDX-License-Identifier: Apache-2.0
// Exports of synthetic captures: what a viewer must find, however hostile the names.
#include "reports/export/export.h"

#include <gmock/gmock.h>
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>

#include "reports/export/raw_trial.h"
#include "reports/ingest/raw_file.h"
#include "reports/queries/report_query.h"
#include "reports/store/impl.h"
#include "reports/store/raw_files.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

using nlohmann::json;
using namespace reports;
using exports::ExportError;
using testing::HasSubstr;
using testing::StartsWith;

constexpr const char* hostile = "a\"b\\</script>\n\x01\x7f\xff,\r";
const double no_value = std::nan("");

class exports_of_a_run : public tests::ReportFixture {
  protected:
    exports_of_a_run() { fill(); }

    std::vector<TrialRow> trials(Mode mode) const {
        std::vector<TrialRow> out;
        for (const TrialRow& row : load_report(store_, run_).trials) {
            if (row.trial.mode == mode) out.push_back(row);
        }
        return out;
    }

    json trace(const std::vector<TrialRow>& of) const {
        std::string text;
        exports::chrome_trace(store_, load_report(store_, run_), of,
                              [&](std::string_view piece) { text += piece; });
        return json::parse(text);
    }

    std::string ranges_csv(const std::vector<TrialRow>& of) const {
        std::string text;
        exports::csv_ranges(store_, load_report(store_, run_), of,
                            [&](std::string_view piece) { text += piece; });
        return text;
    }

    std::filesystem::path raw(const TrialRow& row, const char* kind) const {
        return store_.raw_folder(run_) / (std::to_string(row.id) + "." + kind);
    }

    // As if the trial had never been ingested: its files are compared with nothing.
    void forget(const TrialRow& row) const {
        store_.impl().database.run("delete from raw_file where trial = ?1", {row.id});
    }

    // Puts another capture in the place of a trial's, and forgets what was stored.
    template <class Fill>
    void replace_capture(const TrialRow& row, Fill&& fill_capture) const {
        std::filesystem::remove(ingest::compressed_name(raw(row, "capture")));
        forget(row);
        tests::CaptureBuilder capture(raw(row, "capture"));
        fill_capture(capture);
    }
};

std::vector<json> of_phase(const json& trace, const std::string& phase) {
    std::vector<json> out;
    for (const json& event : trace["traceEvents"]) {
        if (event["ph"] == phase) out.push_back(event);
    }
    return out;
}

// The first of that name; null when there is none.
json named(const std::vector<json>& events, const std::string& name) {
    for (const json& event : events) {
        if (event["name"] == name) return event;
    }
    return nullptr;
}

TEST_F(exports_of_a_run, trace_shows_every_range_with_its_work) {
    const json seen = trace({trials(Mode::profiled)[0]});
    const auto slices = of_phase(seen, "X");
    EXPECT_EQ(slices.size(), 3u * (1 + 2 + 4));  // reps of a phase, two layers, four ops
    const json up = named(slices, "experts.up");
    EXPECT_EQ(up["cat"], "expert_gemm");
    EXPECT_EQ(up["args"]["path"], "prefill/layer.00.moe/experts.up");
    EXPECT_EQ(up["args"]["bytes_read"], 2e6);
    EXPECT_EQ(up["args"]["kernel"], "expert_matmul");
    EXPECT_DOUBLE_EQ(up["args"]["gb_per_s"], 10);  // 2.5 MB in 250 us
    EXPECT_DOUBLE_EQ(up["args"]["tflop_per_s"], 1.6);
    EXPECT_EQ(up["ts"], 1'000'160.0);
    EXPECT_EQ(up["dur"], 250.0);
    EXPECT_EQ(named(slices, "prefill")["cat"], "phase");
    EXPECT_EQ(named(slices, "prefill")["args"]["rep"], 0);
    EXPECT_EQ(seen["otherData"]["run"], run_);
    EXPECT_EQ(seen["otherData"]["scenario_sha256"], "5ce");
    EXPECT_EQ(seen["otherData"]["trials"][0]["processes"][0]["lost"], nullptr);
    EXPECT_EQ(seen["displayTimeUnit"], "ns");
}

TEST_F(exports_of_a_run, trials_with_the_same_process_number_stay_apart) {
    const auto both = trials(Mode::profiled);
    ASSERT_EQ(both.size(), 2u);
    const json seen = trace(both);
    const auto& of = seen["otherData"]["trials"];
    EXPECT_EQ(of[0]["pid"], 42);
    EXPECT_EQ(of[1]["pid"], 42 + (1 << 22));
    EXPECT_FALSE(of[1]["valid"]);
    for (const json& slice : of_phase(seen, "X")) EXPECT_EQ(slice["pid"], slice["tid"]);
    const json name = named(of_phase(seen, "M"), "process_name")["args"]["name"];
    EXPECT_THAT(name.get<std::string>(), StartsWith("tare-engine · trial 3 · profiled"));
}

TEST_F(exports_of_a_run, timed_trials_show_phases_by_the_engines_timer_and_conditions) {
    const json seen = trace(trials(Mode::timed));
    EXPECT_TRUE(of_phase(seen, "X").empty());
    const auto begun = of_phase(seen, "b");
    EXPECT_EQ(begun.size(), 2u * (1 + 3));  // the process and three reps
    EXPECT_EQ(begun.size(), of_phase(seen, "e").size());
    EXPECT_GT(named(begun, "prefill by the engine's timer")["args"]["tokens_per_s"], 0);
    EXPECT_EQ(named(of_phase(seen, "C"), "load_1m")["args"]["value"], 0);
}

TEST_F(exports_of_a_run, parent_of_the_same_interval_comes_before_its_child) {
    const TrialRow row = trials(Mode::profiled)[0];
    replace_capture(row, [](tests::CaptureBuilder& capture) {
        const auto outer = capture.node(0, "outer", ""), inner = capture.node(outer, "inner", "");
        const auto leaf = capture.node(inner, "leaf", "");
        const auto range = [&](std::uint64_t id, std::uint32_t path, double value) {
            capture.write({.id = id,
                           .parent = id - 1,
                           .root = 1,
                           .path = path,
                           .start_ns = 5,
                           .end_ns = 9,
                           .value = value});
        };
        range(3, leaf, no_value);
        range(2, inner, no_value);
        range(1, outer, 2.5);
        capture.finish();
    });
    const auto slices = of_phase(trace({row}), "X");
    ASSERT_EQ(slices.size(), 3u);
    EXPECT_EQ(slices[0]["name"], "outer");
    EXPECT_EQ(slices[0]["args"]["value"], 2.5);
    EXPECT_EQ(slices[1]["name"], "inner");
    EXPECT_EQ(slices[2]["name"], "leaf");
    EXPECT_EQ(slices[2]["cat"], "range");
    EXPECT_FALSE(slices[2]["args"].contains("value"));
}

void write_hostile(tests::CaptureBuilder& capture) {
    using namespace probes::capture;
    const auto node = capture.node(0, hostile, hostile), empty = capture.node(0, "", "");
    capture.writer().add(PayloadSchema{.id = 9,
                                       .name = "theirs",
                                       .fields = {{hostile, FieldType::text, 0, 8},
                                                  {hostile, FieldType::u64, 0, 8},
                                                  {"big", FieldType::u64, 0, 8}}});
    const std::uint64_t big[] = {0xffffffffffffffff};
    capture.write({.id = 1,
                   .root = 1,
                   .path = node,
                   .start_ns = 10,
                   .end_ns = 20,
                   .schema = 9,
                   .payload = std::as_bytes(std::span(big)),
                   .value = no_value});
    capture.write({.id = 2,
                   .root = 2,
                   .path = empty,
                   .start_ns = 15,
                   .end_ns = 15,
                   .flags = range_marker,
                   .value = no_value});
    for (const std::uint64_t id : {3, 4}) {
        capture.write({.id = id,
                       .parent = 42,
                       .root = id,
                       .path = node,
                       .start_ns = static_cast<std::int64_t>(10 + id),
                       .end_ns = 30,
                       .flags = range_start_end,
                       .value = no_value});
    }
    capture.writer().name_thread(42, hostile);
    capture.finish();
}

TEST_F(exports_of_a_run, hostile_names_markers_and_crossing_ranges_come_through) {
    const TrialRow row = trials(Mode::profiled)[0];
    replace_capture(row, write_hostile);
    const json seen = trace({row});
    const json slice = of_phase(seen, "X").at(0);
    EXPECT_THAT(slice["name"].get<std::string>(),
                StartsWith("a\"b\\</script>\n\x01\x7f\xef\xbf\xbd"));
    EXPECT_EQ(slice["args"]["payload"]["big"], 0xffffffffffffffff);
    EXPECT_EQ(slice["args"]["payload"].size(), 2u);  // the second of two fields of one name is not
    EXPECT_EQ(named(of_phase(seen, "i"), "(unnamed)")["s"], "t");
    EXPECT_EQ(of_phase(seen, "b")[0]["id2"]["local"], "0x3");
    EXPECT_EQ(of_phase(seen, "b")[1]["id2"]["local"], "0x4");
    const std::string csv = ranges_csv({row});
    EXPECT_THAT(csv, HasSubstr(",marker,0,,,"));
    EXPECT_THAT(csv, HasSubstr("\"a\"\"b\\</script>\n\x01\x7f\xef\xbf\xbd,\r\""));
}

TEST_F(exports_of_a_run, loss_is_said_in_the_trace) {
    const TrialRow row = trials(Mode::profiled)[0];
    replace_capture(row, [](tests::CaptureBuilder& capture) {
        const auto node = capture.node(0, "op", "norm");
        capture.write({.id = 1, .root = 1, .path = node, .start_ns = 0, .end_ns = 20});
        capture.write({.id = 2, .root = 2, .path = node, .start_ns = 30, .end_ns = 20});
        capture.write({.id = 3, .root = 3, .path = node, .start_ns = 30, .end_ns = 40});
        capture.finish({.dropped = 5});
    });
    const json seen = trace({row});
    EXPECT_EQ(of_phase(seen, "X").size(), 1u);
    const json process = seen["otherData"]["trials"][0]["processes"][0];
    EXPECT_EQ(process["loss"]["dropped"], 5);
    EXPECT_EQ(process["not_shown"], 2);
    const std::string lost = "5 records dropped, 2 ranges without two stamps in order";
    EXPECT_EQ(process["lost"], lost);
    EXPECT_EQ(named(of_phase(seen, "i"), "the capture is incomplete: " + lost)["s"], "p");
}

TEST_F(exports_of_a_run, csv_has_one_record_for_every_range) {
    const std::string csv = ranges_csv({trials(Mode::profiled)[0]});
    EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 1 + 21);
    EXPECT_THAT(csv, HasSubstr("range,2,prefill/layer.00.moe/router,router,router,router_topk,"
                               "1000100000,1000150000,50000,"));
    std::string samples, kernels;
    exports::csv_samples(store_, trials(Mode::timed), [&](auto piece) { samples += piece; });
    EXPECT_THAT(samples, HasSubstr("1,1,timed,1,prefill,0,wall_ns,ns,1000000,a\r\n"));
    exports::csv_kernels(store_, trials(Mode::profiled), [&](auto piece) { kernels += piece; });
    EXPECT_THAT(kernels, HasSubstr("1,3,profiled,1,0,prefill,prefill/layer.00.moe/router,"));
}

template <class Action>
std::string failure(Action&& action) {
    try {
        action();
    } catch (const ExportError& error) {
        return error.what();
    }
    return {};
}

TEST_F(exports_of_a_run, missing_and_damaged_raw_files_are_named) {
    const auto profiled = trials(Mode::profiled), timed = trials(Mode::timed);
    EXPECT_THAT(failure([&] { ranges_csv({timed[0]}); }), HasSubstr("only profiled trials"));
    const auto packed = ingest::compressed_name(raw(profiled[0], "capture"));
    const std::string whole = tests::read_file(packed);
    forget(profiled[0]);
    tests::write_file(packed, whole.substr(0, whole.size() / 2));
    EXPECT_THAT(failure([&] { trace({profiled[0]}); }), HasSubstr(packed.string()));
    std::filesystem::remove(packed);
    tests::write_file(raw(profiled[0], "capture"), "no capture at all, but long enough to be read");
    EXPECT_THAT(failure([&] { trace({profiled[0]}); }),
                HasSubstr(raw(profiled[0], "capture").string()));
    store_.prune({run_}, true);
    EXPECT_THAT(failure([&] { trace({profiled[1]}); }), HasSubstr("raw files are gone"));
    EXPECT_THAT(failure([&] { ranges_csv({profiled[1]}); }), HasSubstr("Run the scenario again"));
}

TEST_F(exports_of_a_run, raw_file_that_differs_from_what_was_stored_is_refused_with_both_hashes) {
    const TrialRow row = trials(Mode::profiled)[0];
    const auto packed = ingest::compressed_name(raw(row, "capture"));
    const std::string stored = store::raw_sha256(packed), whole = tests::read_file(packed);
    std::string other = whole;
    other[other.size() / 2] ^= 1;
    tests::write_file(packed, other);
    for (const std::string& text :
         {failure([&] { ranges_csv({row}); }), failure([&] { trace({row}); })}) {
        EXPECT_THAT(text, HasSubstr(packed.string() + " has sha256 " + store::raw_sha256(packed)));
        EXPECT_THAT(text, HasSubstr(stored + " was stored"));
        EXPECT_THAT(text, HasSubstr("Put the file back from a copy"));
    }
    tests::write_file(packed, whole);
    EXPECT_EQ(failure([&] { ranges_csv({row}); }), "");
    tests::write_file(raw(row, "lines"), tests::engine_lines({}));  // would be read first
    EXPECT_THAT(failure([&] { trace({row}); }),
                HasSubstr(raw(row, "lines").string() + " is not listed"));
    EXPECT_EQ(failure([&] { ranges_csv({row}); }), "");  // needs no lines
    std::filesystem::remove(raw(row, "lines"));
    std::filesystem::remove(ingest::compressed_name(raw(row, "conditions")));
    EXPECT_THAT(failure([&] { trace({row}); }), HasSubstr("conditions.zst is gone"));
}

// Sanitizers keep freed memory: what they would measure is themselves.
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
TEST_F(exports_of_a_run, memory_does_not_grow_with_the_number_of_ranges) {
    const TrialRow row = trials(Mode::profiled)[0];
    constexpr std::int64_t count = 300'000;
    replace_capture(row, [](tests::CaptureBuilder& capture) {
        const auto node = capture.node(0, "op", "norm");
        for (std::int64_t i = 1; i <= count; ++i) {
            const auto id = static_cast<std::uint64_t>(i);
            capture.write(
                {.id = id, .root = id, .path = node, .start_ns = i * 10, .end_ns = i * 10 + 5});
        }
        capture.finish();
    });
    const auto peak_kib = [] {
        rusage usage{};
        getrusage(RUSAGE_SELF, &usage);
        return usage.ru_maxrss;
    };
    const auto report = load_report(store_, run_);
    std::size_t bytes = 0;
    const auto before = peak_kib();
    exports::chrome_trace(store_, report, {row}, [&](auto piece) { bytes += piece.size(); });
    exports::csv_ranges(store_, report, {row}, [&](auto piece) { bytes += piece.size(); });
    EXPECT_GT(bytes, 50u << 20);
    EXPECT_LT(peak_kib() - before, 8 << 10);
}
#endif

}  // namespace
