// SPDX-License-Identifier: Apache-2.0
#include "reports/compare/outputs.h"

#include <map>

namespace reports::compare {

std::vector<CountVerdict> compare_counts(const Report& a, const Report& b) {
    std::map<std::string, CountVerdict> rows;
    std::map<std::string, bool> exact_in_a, exact_in_b;
    for (const CountRow& row : a.counts) {
        rows[row.name] = {.name = row.name, .unit = row.unit, .a = row.value, .b = {}};
        exact_in_a[row.name] = row.exact;
    }
    for (const CountRow& row : b.counts) {
        CountVerdict& both = rows[row.name];
        both.name = row.name;
        both.unit = row.unit;
        both.b = row.value;
        exact_in_b[row.name] = row.exact;
    }
    std::vector<CountVerdict> out;
    for (auto& [name, row] : rows) {
        row.exact = (!row.a || exact_in_a[name]) && (!row.b || exact_in_b[name]);
        // A build that does not know a count yet says nothing about it.
        if (row.exact && row.a && row.b) row.equal = *row.a == *row.b;
        out.push_back(row);
    }
    return out;
}

}  // namespace reports::compare
