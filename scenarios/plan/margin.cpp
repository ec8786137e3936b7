// SPDX-License-Identifier: Apache-2.0
#include "scenarios/plan/margin.h"

#include <algorithm>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "scenarios/plan/names.h"
#include "scenarios/plan/nearest.h"
#include "scenarios/plan/share.h"

namespace scenarios::plan {

const std::vector<std::string>& metric_names() {
    static const std::vector<std::string> names = {"prefill_wall_ns", "decode_wall_ns",
                                                   "score_wall_ns", "cold_start_ns", "peak_bytes"};
    return names;
}

Metric parse_margin(const std::string& text, Workload workload) {
    const auto equals = text.find('=');
    const std::string name = text.substr(0, equals);
    const auto& known = metric_names();
    const bool may_be = workload == Workload::command
                            ? is_metric_name(name)
                            : std::find(known.begin(), known.end(), name) != known.end();
    if (!may_be && workload == Workload::command)
        throw MarginSyntax(
            fmt::format("--margin {}: a metric's name is {}", in_quotes(text), metric_name_form));
    if (!may_be)
        throw MarginSyntax(fmt::format("--margin {}: no metric of that name.{} Known: {}",
                                       in_quotes(text), nearest_hint(name, known),
                                       fmt::join(known, ", ")));
    const auto share =
        equals == std::string::npos ? std::nullopt : share_of(text.substr(equals + 1));
    if (!share)
        throw MarginSyntax(
            fmt::format("--margin {}: write a share above 0% and below 100%, e.g. --margin {}=2%",
                        in_quotes(text), name));
    return {name, *share};
}

}  // namespace scenarios::plan
