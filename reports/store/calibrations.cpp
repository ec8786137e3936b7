// SPDX-License-Identifier: Apache-2.0
#include "reports/store/calibrations.h"

#include <nlohmann/json.hpp>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/read.h"

namespace reports {
namespace {

using nlohmann::json;
using store::Database;
using store::nullable;
using store::Statement;

std::optional<std::int64_t> wide(const std::optional<bool>& value) {
    if (!value) return std::nullopt;
    return *value ? 1 : 0;
}

std::string rounds_text(const std::vector<CalibrationRound>& rounds) {
    json list = json::array();
    for (const CalibrationRound& one : rounds)
        list.push_back({one.worse, one.a_first ? 1 : 0, one.block});
    return list.dump();
}

Id insert_head(Database& database, const Calibration& c) {
    return database.insert_returning_id(
        store::embedded("store/statements/calibration.sql"),
        {nullable(c.run), c.machine_class, c.scenario, c.scenario_sha256, c.backend, c.arm,
         c.calibrated_utc, nullable(c.commit), nullable(c.dirty_diff_sha256), c.binary_sha256,
         std::int64_t{c.rounds}, std::int64_t{c.profiled_rounds}, std::int64_t{c.replaced_rounds},
         json(c.plan.looks).dump(), std::int64_t{c.plan.gated}, c.plan.goal,
         std::int64_t{c.plan.series}, static_cast<std::int64_t>(c.plan.seed),
         nullable(wide(c.tokens_repeat))});
}

void insert_metric(Statement& row, Id id, const CalibratedMetric& m) {
    std::optional<double> margin;
    std::optional<std::int64_t> resampled, resampled_alarms, whole, whole_alarms;
    if (m.alarms) {
        margin = m.alarms->margin;
        resampled = m.alarms->resampled;
        resampled_alarms = m.alarms->resampled_alarms;
        whole = m.alarms->whole;
        whole_alarms = m.alarms->whole_alarms;
    }
    row.run({id,
             m.key,
             m.name,
             m.unit,
             std::string(name(m.direction)),
             std::int64_t{m.values.n},
             m.values.median,
             m.values.min,
             m.values.max,
             rounds_text(m.rounds),
             nullable(m.sigma),
             nullable(m.honest_margin),
             nullable(m.detected),
             nullable(m.margin),
             nullable(margin),
             nullable(resampled),
             nullable(resampled_alarms),
             nullable(whole),
             nullable(whole_alarms),
             m.reason});
}

void insert_parts(Database& database, Id id, const Calibration& c) {
    Statement metric = database.prepare(store::embedded("store/statements/calibration_metric.sql"));
    for (const CalibratedMetric& one : c.metrics) insert_metric(metric, id, one);
    Statement kernel = database.prepare(store::embedded("store/statements/calibration_kernel.sql"));
    for (const CalibratedKernel& one : c.kernels)
        kernel.run({id, one.phase, one.path, one.kernel, std::int64_t{one.rounds}, one.median_ns,
                    one.sigma});
    Statement count = database.prepare(store::embedded("store/statements/calibration_count.sql"));
    for (const CalibratedCount& one : c.counts)
        count.run({id, one.name, one.unit, nullable(one.value)});
}

int small(const Statement& row, const char* column) {
    return static_cast<int>(row.need_integer(column));
}

StoreError damaged(const Database& database, const char* column) {
    return StoreError(database.file().string() + ": a calibration's column '" + column +
                      "' holds what no tare wrote: the file is damaged. `tare store check` says "
                      "more; calibrate again");
}

std::vector<CalibrationRound> read_rounds(const Database& database, const Statement& row) {
    std::vector<CalibrationRound> out;
    try {
        for (const json& one : json::parse(row.need_text("rounds")))
            out.push_back({.worse = one.at(0).get<double>(),
                           .a_first = one.at(1).get<int>() != 0,
                           .block = one.at(2).get<int>()});
    } catch (const json::exception&) {
        throw damaged(database, "rounds");
    }
    return out;
}

std::optional<FalseAlarmCount> read_alarms(const Statement& row) {
    const auto margin = row.real("alarm_margin");
    if (!margin) return std::nullopt;
    return FalseAlarmCount{.margin = *margin,
                           .resampled = small(row, "resampled"),
                           .resampled_alarms = small(row, "resampled_alarms"),
                           .whole = small(row, "whole"),
                           .whole_alarms = small(row, "whole_alarms")};
}

CalibratedMetric read_metric(const Database& database, const Statement& row) {
    const auto direction = direction_from(row.need_text("direction"));
    if (!direction) throw damaged(database, "direction");
    return {.key = row.need_text("metric"),
            .name = row.need_text("name"),
            .unit = row.need_text("unit"),
            .direction = *direction,
            .values = {.median = row.need_real("median"),
                       .min = row.need_real("min"),
                       .max = row.need_real("max"),
                       .n = small(row, "trials")},
            .rounds = read_rounds(database, row),
            .sigma = row.real("sigma"),
            .honest_margin = row.real("honest_margin"),
            .detected = row.real("detected"),
            .margin = row.real("margin"),
            .alarms = read_alarms(row),
            .reason = row.need_text("reason")};
}

Calibration read_head(const Database& database, const Statement& row) {
    Calibration out{.id = row.need_integer("id"),
                    .run = row.integer("run"),
                    .machine_class = row.need_text("machine_class"),
                    .scenario = row.need_text("scenario"),
                    .scenario_sha256 = row.need_text("scenario_sha256"),
                    .backend = row.need_text("backend"),
                    .arm = row.need_text("arm"),
                    .calibrated_utc = row.need_text("calibrated_utc"),
                    .commit = row.text("commit_hash"),
                    .dirty_diff_sha256 = row.text("dirty_diff_sha256"),
                    .binary_sha256 = row.need_text("binary_sha256"),
                    .rounds = small(row, "rounds"),
                    .profiled_rounds = small(row, "profiled_rounds"),
                    .replaced_rounds = small(row, "replaced_rounds")};
    for (const std::int64_t look : store::need_integers(database, row, "looks"))
        out.plan.looks.push_back(static_cast<int>(look));
    out.plan.gated = small(row, "gated");
    out.plan.goal = row.need_real("goal");
    out.plan.series = small(row, "series");
    out.plan.seed = static_cast<std::uint64_t>(row.need_integer("seed"));
    if (const auto repeat = row.integer("tokens_repeat")) out.tokens_repeat = *repeat != 0;
    return out;
}

void read_parts(const Database& database, Calibration& out) {
    Statement metric =
        database.prepare(store::embedded("store/statements/calibration_metrics.sql"));
    metric.bind({out.id});
    while (metric.step()) out.metrics.push_back(read_metric(database, metric));
    Statement kernel =
        database.prepare(store::embedded("store/statements/calibration_kernels.sql"));
    kernel.bind({out.id});
    while (kernel.step())
        out.kernels.push_back({.phase = kernel.need_text("phase"),
                               .path = kernel.need_text("path"),
                               .kernel = kernel.need_text("kernel"),
                               .rounds = small(kernel, "rounds"),
                               .median_ns = kernel.need_real("median_ns"),
                               .sigma = kernel.need_real("sigma")});
    Statement count = database.prepare(store::embedded("store/statements/calibration_counts.sql"));
    count.bind({out.id});
    while (count.step())
        out.counts.push_back({.name = count.need_text("name"),
                              .unit = count.need_text("unit"),
                              .value = count.real("value")});
}

}  // namespace

Id save_calibration(Store& store, const Calibration& calibration) {
    Database& database = store.impl().database;
    Database::Transaction transaction(database);
    const Id id = insert_head(database, calibration);
    insert_parts(database, id, calibration);
    transaction.commit();
    return id;
}

std::optional<Calibration> find_calibration(const Store& store,
                                            const std::string& machine_class,
                                            const std::string& scenario_sha256,
                                            const std::string& backend) {
    const Database& database = store.impl().database;
    const Database::Snapshot snapshot(database);
    Statement row = database.prepare(store::embedded("store/statements/find_calibration.sql"));
    if (!row.bind({machine_class, scenario_sha256, backend}).step()) return std::nullopt;
    Calibration out = read_head(database, row);
    read_parts(database, out);
    return out;
}

std::optional<Calibration> other_calibration(const Store& store, const std::string& scenario) {
    const Database& database = store.impl().database;
    Statement row = database.prepare(store::embedded("store/statements/other_calibration.sql"));
    if (!row.bind({scenario}).step()) return std::nullopt;
    return read_head(database, row);
}

}  // namespace reports
