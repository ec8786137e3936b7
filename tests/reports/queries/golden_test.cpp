// SPDX-License-Identifier: Apache-2.0
// Each query of reports/queries over a known run gives the rows of
// tests/reports/queries/<name>.csv. TARE_UPDATE_GOLDEN=1 writes them anew; read the difference
// before you commit it.
#include <SQLiteCpp/SQLiteCpp.h>
#include <gtest/gtest.h>

#include <cstdlib>

#include "reports/store/embedded.h"
#include "tests/reports/queries/report_fixture.h"

namespace {

std::string csv_of(const SQLite::Database& database, std::string_view sql, reports::Id run) {
    SQLite::Statement statement(database, std::string(sql));
    statement.bind(1, run);
    std::string out;
    for (int c = 0; c < statement.getColumnCount(); ++c) {
        out += (c > 0 ? "," : "") + std::string(statement.getColumnName(c));
    }
    out += '\n';
    while (statement.executeStep()) {
        for (int c = 0; c < statement.getColumnCount(); ++c) {
            const std::string cell = statement.getColumn(c).getString();
            const bool quote = cell.find_first_of(",\"\n") != std::string::npos;
            out += (c > 0 ? "," : "") + (quote ? "'" + cell + "'" : cell);
        }
        out += '\n';
    }
    return out;
}

class golden : public tests::ReportFixture, public testing::WithParamInterface<const char*> {};

TEST_P(golden, query_gives_the_recorded_rows) {
    const auto run = fill();
    SQLite::Database database((folder_.path() / "tare.db").string());
    database.exec(std::string(reports::store::embedded("queries/views.sql")));
    database.exec("insert into _shown_arm values (1)");
    const std::string name = GetParam();
    const auto seen = csv_of(database, reports::store::embedded("queries/" + name + ".sql"), run);
    const auto file =
        std::filesystem::path(TARE_SOURCE_DIR) / "tests/reports/queries" / (name + ".csv");
    if (std::getenv("TARE_UPDATE_GOLDEN") != nullptr) tests::write_file(file, seen);
    EXPECT_EQ(seen, tests::read_file(file)) << file;
}

INSTANTIATE_TEST_SUITE_P(queries,
                         golden,
                         testing::Values("arm",
                                         "condition",
                                         "count",
                                         "identity",
                                         "integrity",
                                         "kernel",
                                         "metric",
                                         "op",
                                         "output",
                                         "phase",
                                         "profiling_cost",
                                         "role",
                                         "text_loss",
                                         "trial"),
                         [](const auto& test) { return std::string(test.param); });

}  // namespace
