// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/observations.h"

#include <algorithm>
#include <tuple>

#include "reports/stats/summary.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::compare {
namespace {

using store::Statement;

// Reps of one trial on their way to one value.
struct Reps {
    int round = 0, position = 0;
    std::vector<double> values;
};

using RepsOfArms = std::map<std::string, std::vector<Reps>>;

void add_rep(RepsOfArms& arms, const Statement& row) {
    const int round = static_cast<int>(row.need_integer("round"));
    std::vector<Reps>& trials = arms[row.need_text("arm")];
    if (trials.empty() || trials.back().round != round)
        trials.push_back({round, static_cast<int>(row.need_integer("position")), {}});
    trials.back().values.push_back(row.need_real("value"));
}

void reduce(const RepsOfArms& from, MetricSeries& to) {
    for (const auto& [arm, trials] : from)
        for (const Reps& reps : trials)
            to.arms[arm].push_back({reps.round, reps.position, *stats::median(reps.values)});
}

Direction need_direction(const store::Database& database, const Statement& row) {
    const std::string text = row.need_text("direction");
    if (const auto direction = direction_from(text)) return *direction;
    throw StoreError(database.file().string() + ": a metric has the direction '" + text +
                     "', which this version does not know");
}

std::vector<KernelSeries> load_kernels(const store::Database& database, Id run) {
    std::map<std::tuple<std::string, std::string, std::string, std::string>, KernelSeries> series;
    Statement row = database.prepare(store::embedded("queries/paired_kernel.sql"));
    row.bind({run});
    while (row.step()) {
        const std::string path = row.need_text("path"), kernel = row.need_text("kernel"),
                          role = row.need_text("role"), shape = row.need_text("shape");
        KernelSeries& one = series[{path, kernel, role, shape}];
        one.phase = row.need_text("phase");
        one.path = path;
        one.family = row.need_text("family");
        one.kernel = kernel;
        one.role = role;
        one.shape = shape;
        one.arms[row.need_text("arm")].push_back({static_cast<int>(row.need_integer("round")),
                                                  row.need_real("calls"), row.need_real("total_ns"),
                                                  row.need_integer("first_seen")});
    }
    std::vector<KernelSeries> out;
    for (auto& [key, one] : series) out.push_back(std::move(one));
    return out;
}

std::vector<PhaseSeries> load_phases(const store::Database& database, Id run) {
    std::map<std::string, PhaseSeries> series;
    Statement row = database.prepare(store::embedded("queries/paired_phase.sql"));
    row.bind({run});
    while (row.step()) {
        PhaseSeries::Value value{.round = static_cast<int>(row.need_integer("round")),
                                 .range_ns = row.need_real("range_ns"),
                                 .sum_ns = row.need_real("sum_ns"),
                                 .busy_ns = row.need_real("busy_ns"),
                                 .gap_ns = row.need_real("gap_ns"),
                                 .gap = {}};
        for (const std::string name : gap_classes)
            if (const auto ns = row.real((name + "_ns").c_str())) value.gap[name] = *ns;
        PhaseSeries& one = series[row.need_text("phase")];
        one.phase = row.need_text("phase");
        one.arms[row.need_text("arm")].push_back(std::move(value));
    }
    std::vector<PhaseSeries> out;
    for (auto& [key, one] : series) out.push_back(std::move(one));
    return out;
}

}  // namespace

std::string MetricSeries::name() const {
    return phase.empty() ? metric : phase + "." + metric;
}

std::string MetricSeries::margin_key() const {
    return phase.empty() ? metric : phase + "_" + metric;
}

std::vector<MetricSeries> load_metric_series(const Store& store, Id run) {
    const store::Database& database = store.impl().database;
    std::vector<MetricSeries> out;
    RepsOfArms reps;
    Statement row = database.prepare(store::embedded("queries/paired_sample.sql"));
    row.bind({run});
    while (row.step()) {
        const std::string phase = row.text("phase").value_or(""), metric = row.need_text("metric");
        const std::string unit = row.need_text("unit");
        const Direction direction = need_direction(database, row);
        // A command's metric of another unit is another one, whatever it is called.
        if (out.empty() || out.back().phase != phase || out.back().metric != metric ||
            out.back().unit != unit || out.back().direction != direction) {
            if (!out.empty()) reduce(reps, out.back());
            reps.clear();
            out.push_back({.phase = phase,
                           .metric = metric,
                           .unit = unit,
                           .direction = direction,
                           .arms = {}});
        }
        add_rep(reps, row);
    }
    if (!out.empty()) reduce(reps, out.back());
    return out;
}

Observations load_observations(const Store& store, Id run) {
    const store::Database& database = store.impl().database;
    const store::Database::Snapshot snapshot(database);
    return {.metrics = load_metric_series(store, run),
            .kernels = load_kernels(database, run),
            .phases = load_phases(database, run)};
}

}  // namespace reports::compare
