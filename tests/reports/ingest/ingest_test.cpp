// SPDX-License-Identifier: Apache-2.0
// A trial from raw files to derived rows: what makes it valid, and every single thing that does
// not.
#include "reports/ingest/ingest.h"

#include <gmock/gmock.h>

#include "engine/format/sha256.h"
#include "reports/ingest/raw_file.h"
#include "reports/store/derived.h"
#include "reports/store/impl.h"
#include "reports/store/raw_files.h"
#include "tests/reports/ingest/synthetic.h"
#include "tests/reports/store/fixture.h"

namespace {

using reports::Id;
using reports::Mode;
using reports::Store;
using reports::ingest::ingest_trial;
using reports::ingest::Outcome;
using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using tests::a_phase;
using tests::PhaseSpec;
namespace fs = std::filesystem;

class ingest : public testing::Test {
  protected:
    ingest() : store_(folder_.path()) {
        run_ = store_.begin_run(tests::a_run(), tests::a_scenario(), tests::a_machine(),
                                tests::a_plan());
        arm_ = store_.add_arm(run_, tests::an_arm(), tests::a_build(), tests::a_model());
    }

    Id begin(Mode mode) { return store_.begin_trial(run_, arm_, tests::a_trial(mode)); }

    fs::path raw(Id trial, const char* kind) const {
        return store_.raw_folder(run_) / fmt::format("{}.{}", trial, kind);
    }

    // A profiled trial whose engine says `said` and whose capture shows `shown`.
    Outcome profiled(const std::vector<PhaseSpec>& said, const std::vector<PhaseSpec>& shown) {
        const Id trial = begin(Mode::profiled);
        tests::write_file(raw(trial, "lines"), tests::engine_lines(said));
        tests::write_capture(raw(trial, "capture"), shown);
        store_.finish_trial(trial, tests::a_trial(Mode::profiled));
        return ingest_trial(store_, trial);
    }

    // A timed trial of a command that wrote `results`, in a run of its own.
    Outcome command(const std::string& results) {
        reports::Scenario scenario = tests::a_scenario();
        scenario.resolved_json = R"({"workload":"command"})";
        scenario.sha256 = "of the command";
        const Id run =
            store_.begin_run(tests::a_run(), scenario, tests::a_machine(), tests::a_plan());
        const Id arm = store_.add_arm(run, tests::an_arm(), tests::a_build(), std::nullopt);
        const Id trial = store_.begin_trial(run, arm, tests::a_trial(Mode::timed));
        tests::write_file(store_.raw_folder(run) / fmt::format("{}.results", trial), results);
        store_.finish_trial(trial, tests::a_trial(Mode::timed));
        store_.finish_run(run, "finished", "");
        return ingest_trial(store_, trial);
    }

    reports::ingest::Rebuilt rebuild() {
        store_.finish_run(run_, "finished", "");
        return reports::ingest::rebuild(store_);
    }

    std::string one(const std::string& sql) const {
        auto row = store_.impl().database.prepare(sql);
        return row.step() ? row.text("v").value_or("null") : "(no row)";
    }

    tests::Folder folder_;
    Store store_;
    Id run_ = 0, arm_ = 0;
};

TEST_F(ingest, healthy_profiled_trial_is_valid_and_complete) {
    const Outcome outcome = profiled({a_phase(0), a_phase(1)}, {a_phase(0), a_phase(1)});
    EXPECT_TRUE(outcome.valid);
    EXPECT_THAT(outcome.reasons, IsEmpty());
    EXPECT_GT(outcome.capture_records, 14);
    EXPECT_EQ(one("select count(*) as v from phase_stat"), "2");
    EXPECT_EQ(one("select count(*) as v from kernel_stat"), "8");
    EXPECT_EQ(one("select group_concat(distinct role) as v from kernel_stat"),
              "router,expert_gemm");
    EXPECT_EQ(one("select sum(total_ns) as v from kernel_stat where rep = 0"), "600000");
    EXPECT_EQ(one("select value as v from count where name = 'calls.router_topk'"), "2.0");
    EXPECT_EQ(one("select sum(expected = seen) || '/' || count(*) as v from identity"), "4/4");
    EXPECT_EQ(one("select value as v from sample join metric on metric.id = metric where name = "
                  "'cold_start_ns'"),
              "300000000.0");
    EXPECT_EQ(one("select sum(count) as v from loss"), "0");
}

TEST_F(ingest, command_has_its_wall_time_its_metrics_and_exact_ones_as_counts) {
    const Outcome outcome =
        command(R"({"type":"metric","name":"speed","value":2,"unit":"1/s","direction":"higher"})"
                "\n"
                R"({"type":"metric","name":"items","value":7,"unit":"1","direction":"exact"})");
    EXPECT_THAT(outcome.reasons, IsEmpty());
    EXPECT_EQ(one("select value as v from sample join metric on metric.id = metric where name = "
                  "'process_wall_ns'"),
              one("select exit_raw_ns - spawn_raw_ns || '.0' as v from trial"));
    EXPECT_EQ(one("select name || value || direction as v from command_sample"), "speed2.0higher");
    EXPECT_EQ(one("select name || value || exact as v from count"), "items7.01");
    EXPECT_THAT(command("nonsense").reasons, ElementsAre(HasSubstr("$TARE_RESULT_FILE line 1")));
}

TEST_F(ingest, raw_files_are_compressed_and_listed) {
    const Id trial = begin(Mode::timed);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    tests::write_file(raw(trial, "conditions"),
                      R"({"raw_ns":1,"name":"load_1m","value":0.5,"unit":"1"})"
                      "\n");
    tests::write_file(raw(trial, "stderr"), "warming up\n");
    store_.finish_trial(trial, tests::a_trial());
    EXPECT_THAT(ingest_trial(store_, trial).reasons, IsEmpty());
    EXPECT_FALSE(fs::exists(raw(trial, "lines")));
    EXPECT_TRUE(fs::exists(raw(trial, "lines.zst")));
    EXPECT_EQ(one("select count(*) as v from raw_file"), "3");
    EXPECT_EQ(one("select name || value as v from condition"), "load_1m0.5");
    EXPECT_EQ(store_.list()[0].raw_bytes,
              static_cast<std::int64_t>(fs::file_size(raw(trial, "lines.zst")) +
                                        fs::file_size(raw(trial, "conditions.zst")) +
                                        fs::file_size(raw(trial, "stderr.zst"))));
}

TEST_F(ingest, every_raw_file_is_listed_with_the_hash_of_what_lies_there) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    tests::write_file(raw(trial, "stderr"), "");
    tests::write_capture(raw(trial, "capture"), {a_phase()});
    tests::write_capture(raw(trial, "host.77.capture"), {a_phase(1)});  // of a child
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons, IsEmpty());
    const auto listed = reports::store::raw_files_of(store_, trial);
    std::vector<std::string> kinds;
    for (const auto& file : listed) {
        kinds.push_back(file.kind);
        const fs::path stored = store_.folder() / file.path;
        EXPECT_EQ(stored, raw(trial, file.kind.c_str()).string() + ".zst");
        EXPECT_EQ(file.sha256, engine::format::sha256_file(stored)) << file.path;
        EXPECT_EQ(file.stored_bytes, static_cast<std::int64_t>(fs::file_size(stored)));
    }
    EXPECT_THAT(kinds, ElementsAre("capture", "host.77.capture", "lines", "stderr"));
    EXPECT_THAT(reports::store::raw_file_problems(store_), IsEmpty());
}

TEST_F(ingest, losses_of_texts_are_stored_as_said) {
    profiled({a_phase()}, {a_phase()});
    EXPECT_EQ(
        one("select group_concat(name || nll_mean || '/' || tokens, ' ') as v from text_loss"),
        "a2.1875/3 b0.25/1");
}

TEST_F(ingest, scored_phase_without_a_loss_is_a_reason) {
    auto phase = a_phase();
    phase.phase = "score";
    std::string lines = tests::engine_lines({phase});
    const auto first = lines.find("{\"type\":\"loss\"");
    lines.erase(first, lines.find("{\"type\":\"output\"") - first);
    const Id trial = begin(Mode::timed);
    tests::write_file(raw(trial, "lines"), lines);
    store_.finish_trial(trial, tests::a_trial());
    EXPECT_THAT(ingest_trial(store_, trial).reasons,
                ElementsAre(HasSubstr("no line of type \"loss\"")));
}

TEST_F(ingest, capture_of_another_time_is_of_another_process) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    tests::write_capture(raw(trial, "capture"), {a_phase()}, 999'999);  // before its process began
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons,
                ElementsAre(HasSubstr("it is the capture of another process")));
}

// One planted breach each: exactly that check goes red.

TEST_F(ingest, breach_a_kernel_time_outside_any_phase) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    {
        tests::CaptureBuilder capture(raw(trial, "capture"));
        capture.add(a_phase());
        capture.add_stray(5'000, 10'000);  // 0.8 % of 605 us
        capture.finish();
    }
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons, ElementsAre(HasSubstr("(a)")));
}

TEST_F(ingest, breach_b_kernel_outside_the_window) {
    // The last op ends 30 us after the phase: 10 us beyond the slack. Its layer covers it, so the
    // self time of the phase shrinks by what the gap grows: classes stay within their limit.
    auto shown = a_phase();
    auto& last = shown.ops.back();
    last.start_ns = shown.duration_ns - 5'000;
    last.end_ns = shown.duration_ns + 25'000;
    auto said = shown;
    const Outcome outcome = profiled({said}, {shown});
    EXPECT_THAT(outcome.reasons, Contains(HasSubstr("(b)")));
    EXPECT_THAT(outcome.reasons, Each(testing::Not(HasSubstr("(c)"))));
}

TEST_F(ingest, breach_c_record_lost) {
    auto said = a_phase();
    auto shown = a_phase();
    said.ops.push_back(said.ops.back());
    EXPECT_THAT(profiled({said}, {shown}).reasons,
                ElementsAre(AllOf(HasSubstr("(c)"), HasSubstr("5 kernels expected, 4"))));
}

TEST_F(ingest, breach_d_gap_not_explained) {
    // Two ops at once: the union is shorter than the self times believe.
    auto phase = a_phase();
    phase.ops[3].start_ns = phase.ops[2].start_ns;
    phase.ops[3].end_ns = phase.ops[2].start_ns + 250'000;
    EXPECT_THAT(profiled({phase}, {phase}).reasons, ElementsAre(HasSubstr("(d)")));
}

TEST_F(ingest, breach_e_timer_and_range_disagree) {
    auto said = a_phase();
    said.duration_ns += 40'000;  // limit: 10.4 us + 20 us
    EXPECT_THAT(profiled({said}, {a_phase()}).reasons, ElementsAre(HasSubstr("(e)")));
}

TEST_F(ingest, every_kind_of_loss_makes_the_trial_invalid) {
    using probes::capture::Loss;
    const std::pair<const char*, Loss> cases[] = {{"dropped", {.dropped = 1}},
                                                  {"open_ranges", {.open_ranges = 2}},
                                                  {"unbalanced_pops", {.unbalanced_pops = 3}}};
    for (const auto& [kind, loss] : cases) {
        const Id trial = begin(Mode::profiled);
        tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
        tests::CaptureBuilder capture(raw(trial, "capture"));
        capture.add(a_phase());
        capture.finish(loss);
        store_.finish_trial(trial, tests::a_trial(Mode::profiled));
        EXPECT_THAT(ingest_trial(store_, trial).reasons, ElementsAre(HasSubstr(kind)));
    }
}

TEST_F(ingest, zero_stamps_are_loss) {
    auto shown = a_phase();
    shown.ops[1].start_ns = -shown.start_ns;  // becomes 0
    const Outcome outcome = profiled({a_phase()}, {shown});
    EXPECT_THAT(outcome.reasons, Contains(HasSubstr("zero_stamps is 1")));
}

TEST_F(ingest, truncated_capture_is_loss_not_an_error) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    tests::write_capture(raw(trial, "capture"), {a_phase()});
    fs::resize_file(raw(trial, "capture"), fs::file_size(raw(trial, "capture")) - 7);
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons, AllOf(Contains(HasSubstr("truncated_bytes")),
                                                           Contains(HasSubstr("closing block"))));
}

TEST_F(ingest, missing_files_are_reasons_not_errors) {
    const Id trial = begin(Mode::profiled);
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons,
                AllOf(Contains(HasSubstr(".lines")), Contains(HasSubstr("no capture"))));
}

TEST_F(ingest, capture_that_is_none_is_a_reason) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    tests::write_file(raw(trial, "capture"), "not a capture at all, sorry about that");
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    EXPECT_THAT(ingest_trial(store_, trial).reasons, Contains(HasSubstr("capture")));
}

TEST_F(ingest, phase_without_a_range_is_a_reason) {
    EXPECT_THAT(profiled({a_phase(0), a_phase(1)}, {a_phase(0)}).reasons,
                ElementsAre(HasSubstr("prefill rep 1 has no range")));
}

TEST_F(ingest, range_without_a_rep_line_is_a_reason) {
    EXPECT_THAT(profiled({a_phase(0)}, {a_phase(0), a_phase(1)}).reasons,
                ElementsAre(HasSubstr("the engine's lines have not")));
}

TEST_F(ingest, other_model_than_written_down_is_a_reason) {
    const Id trial = begin(Mode::timed);
    std::string lines = tests::engine_lines({a_phase()});
    lines.replace(lines.find("\"3d\""), 4, "\"4e\"");
    tests::write_file(raw(trial, "lines"), lines);
    store_.finish_trial(trial, tests::a_trial());
    EXPECT_THAT(ingest_trial(store_, trial).reasons, ElementsAre(HasSubstr("model sha256 4e")));
}

TEST_F(ingest, output_with_a_wrong_digest_is_a_reason) {
    const Id trial = begin(Mode::timed);
    std::string lines = tests::engine_lines({a_phase()});
    lines.replace(lines.find("\"tokens\":[5]"), 12, "\"tokens\":[6]");
    tests::write_file(raw(trial, "lines"), lines);
    store_.finish_trial(trial, tests::a_trial());
    EXPECT_THAT(ingest_trial(store_, trial).reasons, ElementsAre(HasSubstr("output of request 0")));
}

TEST_F(ingest, raw_files_that_cannot_be_read_again_are_a_reason) {
    const Id trial = begin(Mode::timed);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    store_.finish_trial(trial, tests::a_trial());
    ASSERT_TRUE(ingest_trial(store_, trial).valid);
    std::string packed = tests::read_file(raw(trial, "lines.zst"));
    packed[packed.size() / 2] ^= 0x55;
    // Of another size, then of the same: told, and the figures stay.
    for (const std::string& content : {std::string("damaged"), packed}) {
        tests::write_file(raw(trial, "lines.zst"), content);
        const auto rebuilt = rebuild();
        EXPECT_EQ(rebuilt.trials, 0);
        EXPECT_THAT(rebuilt.kept, ElementsAre(HasSubstr("lines.zst")));
        EXPECT_EQ(one("select valid || reason as v from trial"), "1");
        EXPECT_EQ(one("select count(*) as v from phase_stat"), "1");
    }
}

TEST_F(ingest, failed_process_stays_invalid_with_the_runners_reason) {
    const Id trial = begin(Mode::timed);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    auto outcome = tests::a_trial();
    outcome.valid = false;
    outcome.reason = "killed by signal 9";
    store_.finish_trial(trial, outcome);
    const Outcome seen = ingest_trial(store_, trial);
    EXPECT_FALSE(seen.valid);
    EXPECT_THAT(seen.reasons, ElementsAre("killed by signal 9"));
    EXPECT_EQ(one("select valid || reason as v from trial"), "0killed by signal 9");
    EXPECT_EQ(one("select count(*) as v from phase_stat"), "1");  // what it did say is kept
}

TEST_F(ingest, faults_of_engine_or_probe_mark_the_trial_planted) {
    const Id trial = begin(Mode::profiled);
    tests::write_file(raw(trial, "lines"), tests::engine_lines({a_phase()}));
    {
        tests::CaptureBuilder capture(raw(trial, "capture"), "shift");
        capture.add(a_phase());
        capture.finish();
    }
    store_.finish_trial(trial, tests::a_trial(Mode::profiled));
    ingest_trial(store_, trial);
    EXPECT_EQ(one("select planted as v from trial"), "1");
}

TEST_F(ingest, count_that_differs_between_reps_is_not_exact) {
    auto first = a_phase(0), second = a_phase(1);
    second.ops.pop_back();
    const Outcome outcome = profiled({first, second}, {first, second});
    EXPECT_THAT(outcome.reasons, ElementsAre(HasSubstr("ops is 4 in one rep and 3 in another")));
    EXPECT_EQ(one("select exact as v from count where name = 'ops'"), "0");
}

// Every derived table, row by row, as text.
std::vector<std::string> derived_rows(const Store& store) {
    std::vector<std::string> rows;
    for (const char* table : reports::store::derived_tables) {
        std::string columns;
        auto column = store.impl().database.prepare(
            fmt::format("select name from pragma_table_info('{}') where name <> 'id'", table));
        while (column.step()) {
            columns +=
                (columns.empty() ? "quote(" : " || ',' || quote(") + column.need_text("name") + ")";
        }
        auto row = store.impl().database.prepare(
            fmt::format("select {} as v from {} order by rowid", columns, table));
        while (row.step()) rows.push_back(fmt::format("{}: {}", table, row.need_text("v")));
    }
    auto trial = store.impl().database.prepare(
        "select id || valid || reason || planted || coalesce(protocol, '-') || timer as v from "
        "trial");
    while (trial.step()) rows.push_back("trial: " + trial.need_text("v"));
    return rows;
}

TEST_F(ingest, rebuild_makes_every_derived_row_again) {
    profiled({a_phase(0), a_phase(1)}, {a_phase(0), a_phase(1)});
    auto said = a_phase();
    said.duration_ns += 40'000;
    profiled({said}, {a_phase()});
    command(R"({"type":"metric","name":"speed","value":2,"unit":"1/s","direction":"higher"})");
    const auto before = derived_rows(store_);
    for (const char* table : reports::store::derived_tables) {
        if (std::string(table) == "condition") continue;
        EXPECT_THAT(before, Contains(HasSubstr(std::string(table) + ": "))) << table;
        store_.impl().database.run(fmt::format("delete from {}", table));
    }
    store_.impl().database.run("update trial set valid = 1 - valid, reason = 'lost'");
    EXPECT_EQ(rebuild().trials, 3);
    EXPECT_EQ(derived_rows(store_), before);
}

// Its raw files are still being written.
TEST_F(ingest, rebuild_leaves_a_run_that_goes_on_alone) {
    const Id trial = begin(Mode::timed);
    tests::write_file(raw(trial, "lines"), "half a li");
    const std::string said = "select valid || reason as v from trial";
    const std::string before = one(said);
    const auto rebuilt = reports::ingest::rebuild(store_);
    EXPECT_EQ(rebuilt.trials, 0);
    EXPECT_THAT(rebuilt.kept, ElementsAre(HasSubstr("is being measured")));
    EXPECT_TRUE(fs::exists(raw(trial, "lines")));
    EXPECT_EQ(one(said), before);
}

// The capture stays readable: only the hash knows that it is another.
TEST_F(ingest, rebuild_leaves_trials_whose_raw_files_differ_alone) {
    profiled({a_phase()}, {a_phase()});
    const auto before = derived_rows(store_);
    const std::string whole = tests::read_file(raw(1, "capture.zst"));
    fs::remove(raw(1, "capture.zst"));
    auto other = a_phase();
    other.ops[0].end_ns += 1'000;
    tests::write_capture(raw(1, "capture"), {other});
    const auto expect_kept = [&](const char* told) {
        const auto rebuilt = rebuild();
        EXPECT_EQ(rebuilt.trials, 0) << told;
        EXPECT_THAT(rebuilt.kept, ElementsAre(HasSubstr(told)));
        EXPECT_EQ(derived_rows(store_), before) << told;
    };
    const auto list_size = [&](std::uintmax_t bytes) {
        store_.impl().database.run("update raw_file set stored_bytes = ?1 where kind = 'capture'",
                                   {static_cast<std::int64_t>(bytes)});
    };
    expect_kept("capture.zst is gone");
    reports::ingest::compress_raw(raw(1, "capture"));
    list_size(fs::file_size(raw(1, "capture.zst")));
    expect_kept("capture.zst has sha256");
    list_size(whole.size());
    tests::write_file(raw(1, "capture.zst"), whole);
    tests::write_capture(raw(1, "capture"), {other});
    expect_kept("capture is not listed");
    fs::remove(raw(1, "capture"));
    EXPECT_EQ(rebuild().trials, 1);
    EXPECT_EQ(derived_rows(store_), before);
}

TEST_F(ingest, rebuild_records_hashes_that_an_older_store_lacks_and_moves_no_listed_file) {
    profiled({a_phase()}, {a_phase()});
    const std::string list =
        "select group_concat(path || stored_bytes || sha256) as v from "
        "(select * from raw_file order by kind)";
    const std::string before = one(list);
    store_.impl().database.run("update raw_file set sha256 = null");
    EXPECT_EQ(rebuild().trials, 1);
    EXPECT_EQ(one(list), before);
}

TEST_F(ingest, rebuild_leaves_trials_without_raw_files_alone) {
    profiled({a_phase()}, {a_phase()});
    store_.prune({run_}, true);
    const auto before = derived_rows(store_);
    EXPECT_EQ(rebuild().trials, 0);
    EXPECT_EQ(derived_rows(store_), before);
}

}  // namespace
