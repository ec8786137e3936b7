// SPDX-License-Identifier: Apache-2.0
#include "reports/store/verdict.h"

#include <nlohmann/json.hpp>

#include "reports/store/embedded.h"
#include "reports/store/impl.h"
#include "reports/store/read.h"

namespace reports::store {
namespace {

StoredMetricVerdict metric_of(const Statement& row) {
    return {.a = row.need_text("a"),
            .b = row.need_text("b"),
            .name = row.need_text("name"),
            .verdict = row.need_text("verdict"),
            .ratio = row.real("ratio"),
            .lo = row.real("lo"),
            .hi = row.real("hi"),
            .level = row.real("level"),
            .margin = row.real("margin"),
            .rounds = row.integer("rounds"),
            .reason = row.need_text("reason")};
}

}  // namespace

void replace_verdict(Store& store, Id run, const StoredVerdict& verdict) {
    Database& database = store.impl().database;
    Database::Transaction transaction(database);
    database.run("delete from verdict where run = ?1", {run});
    const nlohmann::json reasons = verdict.reasons;
    database.run(embedded("store/statements/verdict.sql"),
                 {run, verdict.kind, verdict.verdict, std::int64_t{verdict.exit_code},
                  reasons.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace),
                  verdict.suite_version});
    Statement row = database.prepare(embedded("store/statements/metric_verdict.sql"));
    for (const StoredMetricVerdict& m : verdict.metrics)
        row.run({run, m.a, m.b, m.name, m.verdict, nullable(m.ratio), nullable(m.lo),
                 nullable(m.hi), nullable(m.level), nullable(m.margin), nullable(m.rounds),
                 m.reason});
    transaction.commit();
}

std::optional<StoredVerdict> verdict_of(const Store& store, Id run) {
    const Database& database = store.impl().database;
    const Database::Snapshot snapshot(database);
    Statement row = database.prepare(embedded("queries/verdict.sql"));
    if (!row.bind({run}).step()) return std::nullopt;
    StoredVerdict out{.kind = row.need_text("kind"),
                      .verdict = row.need_text("verdict"),
                      .exit_code = static_cast<int>(row.need_integer("exit_code")),
                      .reasons = need_texts(database, row, "reasons"),
                      .suite_version = row.need_text("suite_version"),
                      .metrics = {}};
    Statement metric = database.prepare(embedded("queries/metric_verdict.sql"));
    metric.bind({run});
    while (metric.step()) out.metrics.push_back(metric_of(metric));
    return out;
}

}  // namespace reports::store
