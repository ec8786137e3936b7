// SPDX-License-Identifier: Apache-2.0
// Tables of the store as they are, trial by trial: they need no raw files.
#include <string>

#include "reports/export/export.h"
#include "reports/render/csv_text.h"
#include "reports/render/utf8.h"
#include "reports/store/embedded.h"
#include "reports/store/impl.h"

namespace reports::exports {
namespace {

using store::Statement;

std::string whole(const std::optional<std::int64_t>& value) {
    return value ? std::to_string(*value) : std::string();
}

std::string clean(const std::optional<std::string>& text) {
    return render::repaired(text.value_or(""));
}

std::string sample_record(const Statement& row) {
    return render::csv_record({whole(row.integer("run")), whole(row.integer("trial")),
                               clean(row.text("mode")), whole(row.integer("valid")),
                               clean(row.text("phase")), whole(row.integer("rep")),
                               clean(row.text("metric")), clean(row.text("unit")),
                               render::csv_number(row.real("value")), clean(row.text("arm"))});
}

std::string kernel_record(const Statement& row) {
    return render::csv_record(
        {whole(row.integer("run")), whole(row.integer("trial")), clean(row.text("mode")),
         whole(row.integer("valid")), whole(row.integer("rep")), clean(row.text("phase")),
         clean(row.text("path")), clean(row.text("kernel")), clean(row.text("role")),
         clean(row.text("launch_shape")), whole(row.integer("registers")),
         whole(row.integer("calls")), whole(row.integer("total_ns")), whole(row.integer("min_ns")),
         whole(row.integer("max_ns")), render::csv_number(row.real("bytes")),
         render::csv_number(row.real("flops")), clean(row.text("arm"))});
}

void write_table(const Store& store,
                 const std::vector<TrialRow>& trials,
                 const char* query,
                 std::string (*record)(const Statement&),
                 const Sink& sink) {
    Statement row = store.impl().database.prepare(store::embedded(query));
    for (const TrialRow& trial : trials) {
        std::string piece;
        row.bind({trial.id});
        while (row.step()) {
            piece += record(row);
            if (piece.size() < piece_bytes) continue;
            sink(piece);
            piece.clear();
        }
        sink(piece);
    }
}

}  // namespace

void csv_samples(const Store& store, const std::vector<TrialRow>& trials, const Sink& sink) {
    sink("run,trial,mode,trial_valid,phase,rep,metric,unit,value,arm\r\n");
    write_table(store, trials, "queries/trial_sample.sql", sample_record, sink);
}

void csv_kernels(const Store& store, const std::vector<TrialRow>& trials, const Sink& sink) {
    sink(
        "run,trial,mode,trial_valid,rep,phase,path,kernel,role,launch_shape,registers_per_thread,"
        "calls,total_ns,min_ns,max_ns,bytes,flops,arm\r\n");
    write_table(store, trials, "queries/trial_kernel.sql", kernel_record, sink);
}

}  // namespace reports::exports
