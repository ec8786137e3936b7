// SPDX-License-Identifier: Apache-2.0
// One pass over a capture. Children come before their parents, so what a range is worth to its
// phase is gathered under the number of its outermost range until that one arrives.
#include "reports/ingest/profile.h"

#include <algorithm>
#include <limits>
#include <map>
#include <unordered_map>

#include "probes/capture/reader.h"
#include "reports/ingest/integrity.h"
#include "reports/ingest/payload.h"
#include "reports/stats/interval.h"

namespace reports::ingest {
namespace {

using probes::capture::PathNode;
using probes::capture::PayloadSchema;
using probes::capture::Range;

struct Path {
    std::string text;
    std::string category;   // of the innermost range that has one
    std::uint32_t row = 0;  // same for equal texts
};

// Everything under one outermost range.
struct Pending {
    struct Row {
        KernelTotals totals;
        std::uint32_t path = 0;
    };

    std::int64_t sum_ns = 0, host_ns = 0, records = 0;
    stats::IntervalUnion busy;
    std::vector<Row> rows;
    std::unordered_multimap<std::uint32_t, std::size_t> by_path;  // Path::row -> rows
};

// Stamps that ingest can add up; others are counted as loss by the reader.
bool has_stamps(const Range& range) {
    constexpr std::int64_t latest_ns = std::int64_t{1} << 62;  // room for what is added to a stamp
    return range.start_ns > 0 && range.end_ns >= range.start_ns && range.end_ns < latest_ns;
}

// Stamps of a damaged file may be anything; their sums stay numbers.
void add_ns(std::int64_t& sum, std::int64_t ns) {
    if (__builtin_add_overflow(sum, ns, &sum)) {
        sum = ns > 0 ? std::numeric_limits<std::int64_t>::max()
                     : std::numeric_limits<std::int64_t>::min();
    }
}

class Collector {
  public:
    Collector(const std::vector<RoleRule>& rules, Phases phases) : rules_(rules), phases_(phases) {}

    void take(const PathNode& node);
    void take(const PayloadSchema& schema);
    void take(const Range& range);
    void finish(Profile& out);

  private:
    Pending& pending(std::uint64_t root);
    std::int64_t children_of(std::uint64_t id);
    void add_op(const Range& range, const WorkFields& fields, std::int64_t duration_ns);
    void add_part(const Range& range, std::int64_t duration_ns, std::int64_t self_ns);
    KernelTotals& add_kernel(const Range& range, std::string_view kernel, std::int64_t ns);
    const Path& path_of(const Range& range) const;
    bool is_busy_by_itself(const Range& range) const;
    Pending::Row& row(Pending& under, const Path& path, std::string_view kernel);
    void close_root(const Range& range);
    PhaseProfile summed_up(const Range& range, int rep, Pending& under) const;

    const std::vector<RoleRule>& rules_;
    const Phases phases_;
    Profile profile_;
    std::map<std::string, int> reps_;  // of Phases::outermost, by name
    std::unordered_map<std::uint32_t, Path> paths_;
    std::map<std::string, std::uint32_t> path_rows_;
    std::map<std::uint32_t, WorkFields> work_;
    std::map<std::uint32_t, PhaseFields> phase_;
    std::unordered_map<std::uint64_t, Pending> pending_;  // by number of the outermost range
    std::unordered_map<std::uint64_t, std::int64_t> children_ns_;  // by number of the parent
    Pending* latest_ = nullptr;  // the pending one of latest_root_
    std::uint64_t latest_root_ = 0;
};

void Collector::take(const PathNode& node) {
    const auto parent = paths_.find(node.parent);
    Path path{.text = node.name, .category = node.category};
    if (parent != paths_.end()) {
        path.text = parent->second.text + '/' + node.name;
        if (path.category.empty()) path.category = parent->second.category;
    }
    const auto next = static_cast<std::uint32_t>(path_rows_.size());
    path.row = path_rows_.try_emplace(path.text, next).first->second;
    paths_[node.id] = std::move(path);
}

void Collector::take(const PayloadSchema& schema) {
    if (schema.name == "work") work_.insert_or_assign(schema.id, WorkFields(schema));
    if (schema.name == "phase") phase_.insert_or_assign(schema.id, PhaseFields(schema));
}

Pending& Collector::pending(std::uint64_t root) {
    if (latest_ == nullptr || latest_root_ != root) {
        latest_ = &pending_[root];
        latest_root_ = root;
    }
    return *latest_;
}

std::int64_t Collector::children_of(std::uint64_t id) {
    const auto found = children_ns_.find(id);
    if (found == children_ns_.end()) return 0;
    const std::int64_t sum = found->second;
    children_ns_.erase(found);
    return sum;
}

void Collector::take(const Range& range) {
    if ((range.flags & probes::capture::range_marker) != 0) return;
    const std::int64_t duration_ns = has_stamps(range) ? range.end_ns - range.start_ns : 0;
    const auto fields = range.schema == 0 ? work_.end() : work_.find(range.schema);
    const bool is_phase = phases_ == Phases::outermost && range.root == range.id;
    if (fields != work_.end() && !is_phase) {
        add_op(range, fields->second, duration_ns);
    } else {
        const std::int64_t self_ns = duration_ns - children_of(range.id);
        if (phases_ == Phases::outermost && !is_phase)
            add_part(range, duration_ns, self_ns);
        else
            add_ns(pending(range.root).host_ns, self_ns);
    }
    if (range.parent != 0) add_ns(children_ns_[range.parent], duration_ns);
    if (range.root == range.id) close_root(range);
}

Pending::Row& Collector::row(Pending& under, const Path& path, std::string_view kernel) {
    const auto [first, last] = under.by_path.equal_range(path.row);
    for (auto candidate = first; candidate != last; ++candidate) {
        Pending::Row& known = under.rows[candidate->second];
        if (known.totals.kernel == kernel) return known;
    }
    KernelTotals totals{.path = path.text, .kernel = std::string(kernel)};
    totals.role = path.category.empty() ? role_of(kernel, rules_) : path.category;
    under.by_path.emplace(path.row, under.rows.size());
    return under.rows.emplace_back(Pending::Row{std::move(totals), path.row});
}

void add(std::optional<double>& sum, std::optional<double> value) {
    if (value) sum = sum.value_or(0) + *value;
}

const Path& Collector::path_of(const Range& range) const {
    static const Path unknown{.text = "(unknown)"};
    const auto found = paths_.find(range.path);
    return found == paths_.end() ? unknown : found->second;
}

// The ranges below one that counts are inside it.
bool Collector::is_busy_by_itself(const Range& range) const {
    return phases_ == Phases::declared || range.parent == range.root;
}

// One execution of `kernel` (empty: named by its path) that took `ns`.
KernelTotals& Collector::add_kernel(const Range& range, std::string_view kernel, std::int64_t ns) {
    const Path& path = path_of(range);
    if (kernel.empty()) kernel = std::string_view(path.text).substr(path.text.rfind('/') + 1);
    Pending& under = pending(range.root);
    KernelTotals& totals = row(under, path, kernel).totals;
    totals.min_ns = totals.calls == 0 ? ns : std::min(totals.min_ns, ns);
    totals.max_ns = std::max(totals.max_ns, ns);
    add_ns(totals.total_ns, ns);
    ++totals.calls;
    totals.histogram.add(ns);
    ++under.records;
    add_ns(under.sum_ns, ns);
    add_ns(profile_.kernel_ns, ns);
    return totals;
}

void Collector::add_op(const Range& range, const WorkFields& fields, std::int64_t duration_ns) {
    KernelTotals& totals = add_kernel(range, fields.kernel.text(range.payload), duration_ns);
    add(totals.bytes, fields.bytes_read.number(range.payload));
    add(totals.bytes, fields.bytes_written.number(range.payload));
    add(totals.flops, fields.flops.number(range.payload));
    if (duration_ns > 0 && is_busy_by_itself(range))
        pending(range.root).busy.add(range.start_ns, range.end_ns);
}

void Collector::add_part(const Range& range, std::int64_t duration_ns, std::int64_t self_ns) {
    add_kernel(range, "", self_ns);
    if (duration_ns > 0 && is_busy_by_itself(range))
        pending(range.root).busy.add(range.start_ns, range.end_ns);
}

PhaseProfile Collector::summed_up(const Range& range, int rep, Pending& under) const {
    const std::int64_t busy_ns = under.busy.total_ns();
    const std::int64_t inside_ns = under.busy.within_ns(range.start_ns, range.end_ns);
    const std::int64_t near_ns =
        under.busy.within_ns(range.start_ns - window_slack_ns, range.end_ns + window_slack_ns);
    const std::int64_t range_ns = has_stamps(range) ? range.end_ns - range.start_ns : 0;
    const std::string& name = path_of(range).text;
    PhaseProfile phase{.phase = name.empty() ? "(unnamed)" : name,
                       .rep = rep,
                       .range_ns = range_ns,
                       .busy_ns = busy_ns,
                       .sum_ns = under.sum_ns,
                       .gap_ns = range_ns - inside_ns,
                       .outside_ns = busy_ns - near_ns,
                       .host_ns = under.host_ns,
                       .records = under.records};
    for (Pending::Row& row : under.rows) phase.kernels.push_back(std::move(row.totals));
    return phase;
}

void Collector::close_root(const Range& range) {
    Pending& under = pending(range.root);
    add_ns(profile_.late_ns, under.busy.late_ns());
    const auto fields = range.schema == 0 ? phase_.end() : phase_.find(range.schema);
    if (fields != phase_.end()) {
        const auto rep = fields->second.rep.integer(range.payload).value_or(-1);
        if (rep >= 0) profile_.phases.push_back(summed_up(range, static_cast<int>(rep), under));
    } else if (phases_ == Phases::declared) {
        add_ns(profile_.unattributed_ns, under.sum_ns);
    } else if (profile_.phases.size() >= most_phases) {
        ++profile_.phases_left_out;
    } else {
        profile_.phases.push_back(summed_up(range, reps_[path_of(range).text]++, under));
    }
    pending_.erase(range.root);
    latest_ = nullptr;
}

void Collector::finish(Profile& out) {
    // Outermost ranges that never came: their file was cut.
    for (const auto& [root, under] : pending_) add_ns(profile_.unattributed_ns, under.sum_ns);
    out = std::move(profile_);
}

}  // namespace

Profile read_profile(const std::filesystem::path& capture,
                     const std::vector<RoleRule>& rules,
                     Phases phases) {
    probes::capture::Reader reader(capture);
    Collector collector(rules, phases);
    std::int64_t records = 0;
    while (const auto record = reader.next()) {
        ++records;
        std::visit([&](const auto& one) { collector.take(one); }, *record);
    }
    Profile profile;
    collector.finish(profile);
    profile.records = records;
    profile.process = reader.process();
    profile.loss = reader.loss();
    return profile;
}

}  // namespace reports::ingest
