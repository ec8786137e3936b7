// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/samples.h"

#include "reports/stats/summary.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::compare {
namespace {

using store::Statement;

TimedSamples head_of(const store::Database& database, const Statement& row) {
    const std::string phase = row.text("phase").value_or(""), metric = row.need_text("metric");
    const auto direction = direction_from(row.need_text("direction"));
    if (!direction)
        throw StoreError(database.file().string() + ": a metric has the direction '" +
                         row.need_text("direction") + "', which this version does not know");
    return {.arm = row.need_text("arm"),
            .key = (phase.empty() ? "" : phase + "_") + metric,
            .name = (phase.empty() ? "" : phase + ".") + metric,
            .unit = row.need_text("unit"),
            .direction = *direction,
            .values = {}};
}

}  // namespace

std::vector<TimedSamples> load_timed_samples(const Store& store, Id run) {
    const store::Database& database = store.impl().database;
    Statement row = database.prepare(store::embedded("queries/timed_sample.sql"));
    row.bind({run});
    std::vector<TimedSamples> out;
    std::vector<double> reps;
    Id trial = 0;
    const auto reduce = [&] {
        if (const auto value = stats::median(reps)) out.back().values.push_back(*value);
        reps.clear();
    };
    while (row.step()) {
        TimedSamples head = head_of(database, row);
        const bool is_new = out.empty() || out.back().arm != head.arm || out.back().key != head.key;
        if (is_new || trial != row.need_integer("trial")) {
            if (!out.empty()) reduce();
            trial = row.need_integer("trial");
        }
        if (is_new) out.push_back(std::move(head));
        reps.push_back(row.need_real("value"));
    }
    if (!out.empty()) reduce();
    return out;
}

}  // namespace reports::compare
