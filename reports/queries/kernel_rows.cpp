// SPDX-License-Identifier: Apache-2.0
// Binds the three breakdown queries and merges histograms into their quantiles.
#include "reports/queries/kernel_rows.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "reports/stats/histogram.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports {
namespace {

using stats::Histogram;
using store::Statement;

// What a row is about: phase, place (path, family or role), kernel, launch shape.
using Key = std::tuple<std::string, std::string, std::string, std::string>;
using Histograms = std::map<Key, Histogram>;

struct MergedHistograms {
    Histograms roles, ops, kernels;
};

MergedHistograms load_histograms(const store::Database& database, Id arm) {
    MergedHistograms merged;
    Statement row = database.prepare(store::embedded("queries/histogram.sql"));
    row.bind({arm});
    while (row.step()) {
        const auto histogram = Histogram::decode(row.blob("histogram"));
        if (!histogram) {
            throw StoreError(database.file().string() +
                             ": a histogram in kernel_stat is damaged; tare store rebuild makes it "
                             "anew from raw files");
        }
        const std::string phase = row.need_text("phase"), kernel = row.need_text("kernel"),
                          role = row.need_text("role"),
                          shape = row.text("launch_shape").value_or("");
        merged.roles[{phase, role, "", ""}].merge(*histogram);
        merged.ops[{phase, row.need_text("family") + '\n' + role, kernel, shape}].merge(*histogram);
        merged.kernels[{phase, row.need_text("path") + '\n' + role, kernel, shape}].merge(
            *histogram);
    }
    return merged;
}

Figure figure(const Statement& row, const char* median, const char* least, const char* most) {
    const auto middle = row.real(median);
    if (!middle) return std::nullopt;
    return Spread{.median = *middle,
                  .min = row.need_real(least),
                  .max = row.need_real(most),
                  .n = static_cast<int>(row.need_integer("n"))};
}

// The larger share says what the kernel is bound by.
void set_roof_share(const Statement& row, KernelRow& out) {
    const auto copy = row.real("copy_share"), flops = row.real("flops_share");
    if (!copy && !flops) return;
    out.roof_share = std::max(copy.value_or(0), flops.value_or(0));
    out.roof_bound = copy.value_or(0) >= flops.value_or(0) ? "copy" : "flops";
}

// A quantile is read from a bucket's middle; the exact least and most are known and bound it.
std::optional<double> quantile(const Histogram& histogram, double q, const KernelRow& row) {
    const auto value = histogram.quantile(q);
    if (!value || !row.min_ns || !row.max_ns) return value;
    return std::clamp(*value, *row.min_ns, *row.max_ns);
}

KernelRow read_row(const Statement& row, const Histogram& histogram) {
    KernelRow out{.phase = row.need_text("phase"), .role = row.need_text("role")};
    out.calls = figure(row, "calls", "calls_min", "calls_max");
    out.total_ns = figure(row, "total_ns", "total_min", "total_max");
    out.share = figure(row, "share", "share_min", "share_max");
    out.mean_ns = figure(row, "mean_ns", "mean_min", "mean_max");
    out.min_ns = row.real("min_ns");
    out.max_ns = row.real("max_ns");
    out.p50_ns = quantile(histogram, 0.5, out);
    out.p99_ns = quantile(histogram, 0.99, out);
    out.bytes = row.real("bytes");
    out.flops = row.real("flops");
    out.gb_per_s = row.real("gb_per_s");
    out.tflop_per_s = row.real("tflop_per_s");
    set_roof_share(row, out);
    return out;
}

std::vector<KernelRow> load_roles(const store::Database& database, Id arm, Histograms& merged) {
    std::vector<KernelRow> rows;
    Statement row = database.prepare(store::embedded("queries/role.sql"));
    row.bind({arm});
    while (row.step()) {
        rows.push_back(
            read_row(row, merged[{row.need_text("phase"), row.need_text("role"), "", ""}]));
    }
    return rows;
}

std::vector<KernelRow> load_places(const store::Database& database,
                                   Id arm,
                                   const char* query,
                                   Histograms& merged) {
    std::vector<KernelRow> rows;
    Statement row = database.prepare(store::embedded(query));
    row.bind({arm});
    while (row.step()) {
        const Key key{row.need_text("phase"), row.need_text("place") + '\n' + row.need_text("role"),
                      row.need_text("kernel"), row.text("launch_shape").value_or("")};
        KernelRow out = read_row(row, merged[key]);
        out.path = row.need_text("place");
        out.kernel = row.need_text("kernel");
        out.launch_shape = row.text("launch_shape");
        if (const auto registers = row.integer("registers")) {
            out.registers = static_cast<int>(*registers);
        }
        rows.push_back(std::move(out));
    }
    return rows;
}

}  // namespace

KernelRows load_kernel_rows(const Store& store, Id arm) {
    const store::Database& database = store.impl().database;
    MergedHistograms merged = load_histograms(database, arm);
    return {.roles = load_roles(database, arm, merged.roles),
            .ops = load_places(database, arm, "queries/op.sql", merged.ops),
            .kernels = load_places(database, arm, "queries/kernel.sql", merged.kernels)};
}

}  // namespace reports
