// SPDX-License-Identifier: Apache-2.0
// Every range of the captures as one row.
#include <fmt/format.h>

#include <cmath>
#include <iterator>
#include <map>

#include "reports/export/export.h"
#include "reports/export/open_capture.h"
#include "reports/export/path_table.h"
#include "reports/export/payload_fields.h"
#include "reports/export/raw_trial.h"
#include "reports/export/select.h"
#include "reports/ingest/roles.h"
#include "reports/render/csv_text.h"
#include "reports/render/utf8.h"

namespace reports::exports {
namespace {

using probes::capture::Range;

constexpr const char* head =
    "run,trial,mode,trial_valid,pid,tid,id,parent,root,kind,depth,path,name,role,kernel,start_ns,"
    "end_ns,duration_ns,rep,rows,context,bytes_read,bytes_written,flops,gb_per_s,tflop_per_s,"
    "value,arm\r\n";

const char* kind_of(const Range& range) {
    if ((range.flags & probes::capture::range_marker) != 0) return "marker";
    if ((range.flags & probes::capture::range_start_end) != 0) return "start_end";
    if ((range.flags & probes::capture::range_open_at_end) != 0) return "open_at_end";
    return "range";
}

std::string clean(std::string_view text) {
    return render::csv_quoted(render::repaired(text));
}

class Rows {
  public:
    Rows(std::string prefix, std::string suffix, const Sink& sink)
        : prefix_(std::move(prefix)), suffix_(std::move(suffix)), sink_(sink) {}

    void take(const probes::capture::PathNode& node) { paths_.take(node); }

    void take(const probes::capture::PayloadSchema& schema) {
        schemas_.insert_or_assign(schema.id, PayloadFields(schema));
    }

    void take(const Range& range);

    void flush() {
        sink_(piece_);
        piece_.clear();
    }

  private:
    void put_integer(const std::optional<std::int64_t>& value) {
        if (value) fmt::format_to(std::back_inserter(piece_), "{}", *value);
        piece_ += ',';
    }

    void put_number(const std::optional<double>& value) {
        piece_ += render::csv_number(value);
        piece_ += ',';
    }

    void put_payload(const Range& range, const PayloadFields* fields, const Work& work);

    std::string prefix_, suffix_;  // of every row
    const Sink& sink_;
    std::string piece_;
    PathTable paths_;
    std::map<std::uint32_t, PayloadFields> schemas_;
};

void Rows::put_payload(const Range& range, const PayloadFields* fields, const Work& work) {
    const std::int64_t duration_ns = range.end_ns - range.start_ns;
    const bool phase = fields != nullptr && fields->kind() == PayloadFields::Kind::phase;
    put_integer(phase ? fields->rep(range.payload) : std::nullopt);
    put_integer(work.rows);
    put_integer(work.context);
    put_number(work.bytes_read);
    put_number(work.bytes_written);
    put_number(work.flops);
    put_number(work.gb_per_s(duration_ns));
    put_number(work.tflop_per_s(duration_ns));
    if (!std::isnan(range.value)) piece_ += render::csv_number(range.value);
    piece_ += suffix_;
}

void Rows::take(const Range& range) {
    const PathEntry& path = paths_.find(range.path);
    const auto found = range.schema == 0 ? schemas_.end() : schemas_.find(range.schema);
    const PayloadFields* fields = found == schemas_.end() ? nullptr : &found->second;
    const bool known = fields != nullptr && fields->kind() != PayloadFields::Kind::other;
    const Work work = known ? fields->work(range.payload) : Work{};
    const bool is_op = known && fields->kind() == PayloadFields::Kind::work;
    std::string role = path.role;
    if (role.empty() && is_op) role = ingest::role_of(work.kernel, ingest::shipped_role_rules());
    fmt::format_to(std::back_inserter(piece_), "{}{},{},{},{},{},{},{},{},{},{},{},{},{},", prefix_,
                   range.tid, range.id, range.parent, range.root, kind_of(range), path.depth,
                   clean(path.path), clean(path.name), clean(role), clean(work.kernel),
                   range.start_ns, range.end_ns, range.end_ns - range.start_ns);
    put_payload(range, fields, work);
    if (piece_.size() >= piece_bytes) flush();
}

void write_capture_rows(const std::filesystem::path& file,
                        const std::string& prefix,
                        const std::string& arm,
                        const Sink& sink) {
    probes::capture::Reader reader(file);
    Rows rows(prefix + fmt::format("{},", reader.process().pid), ',' + clean(arm) + "\r\n", sink);
    while (const auto record = reader.next()) {
        std::visit([&](const auto& one) { rows.take(one); }, *record);
    }
    rows.flush();
}

}  // namespace

void csv_ranges(const Store& store,
                const Report& report,
                const std::vector<TrialRow>& trials,
                const Sink& sink) {
    sink(head);
    for (const TrialRow& row : trials) {
        const auto captures = captures_of(store, report.run.id, row);
        if (captures.empty()) {
            throw ExportError(fmt::format(
                "run {}, trial {} ({}) has no capture{}", report.run.id, row.id,
                name(row.trial.mode),
                row.trial.mode == Mode::profiled
                    ? "; was the probe loaded? tare doctor checks it"
                    : ": only profiled trials have ranges. Choose one of those, or --table samples "
                      "or --format chrome-trace"));
        }
        const std::string prefix = fmt::format("{},{},{},{},", report.run.id, row.id,
                                               name(row.trial.mode), row.trial.valid ? 1 : 0);
        for (const auto& capture : captures) {
            with_capture(capture, [&](const auto& file) {
                write_capture_rows(file, prefix, arm_of(report, row.id).arm.name, sink);
                return true;
            });
        }
    }
}

}  // namespace reports::exports
