// SPDX-License-Identifier: Apache-2.0
#include "scenarios/cli/ab_common.h"

#include <fmt/format.h>

#include "reports/compare/compare.h"
#include "reports/compare/keep.h"
#include "reports/store/verdict.h"
#include "scenarios/cli/context.h"
#include "scenarios/cli/suite_version.h"

namespace scenarios::cli {

namespace {

void say_how_it_ended(const run::Result& result,
                      const std::string& store_option,
                      run::Progress& progress) {
    if (!result.stopped_early.empty()) progress.notice(result.stopped_early);
    const std::string in_all =
        result.trials_before > 0 ? fmt::format(", {} in all", result.trials) : "";
    progress.notice(fmt::format("run {} took {:.1f} s for {} trials{}", *result.run, result.wall_s,
                                result.trials - result.trials_before, in_all));
    if (result.interrupted)
        progress.notice(fmt::format(
            "interrupted; run {0} keeps what was measured, and `tare ab --resume {0}{1}` goes on",
            *result.run, store_option.empty() ? "" : " --store " + store_option));
}

}  // namespace

Ending end_comparison(reports::Store& store,
                      const run::Result& result,
                      const VerdictOutput& output,
                      const std::string& store_option,
                      run::Progress& progress) {
    say_how_it_ended(result, store_option, progress);
    const auto report = reports::compare::load_comparison(store, *result.run);
    reports::store::replace_verdict(store, *result.run,
                                    reports::compare::stored_verdict(report, suite_version()));
    return {render_verdict(store, report, output),
            result.interrupted ? int{ExitCode::interrupted} : report.exit_code};
}

}  // namespace scenarios::cli
