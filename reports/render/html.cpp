// SPDX-License-Identifier: Apache-2.0
// What a report's page says of its own figures, and its sections in reading order.
#include "reports/render/html.h"

#include <fmt/format.h>

#include "reports/render/html_page.h"
#include "reports/render/html_parts.h"
#include "reports/render/html_text.h"
#include "reports/render/report_document.h"

namespace reports::render {
namespace {

std::string joined(const std::vector<std::string>& words) {
    std::string text;
    for (const std::string& word : words) text += (text.empty() ? "" : " ") + word;
    return text;
}

std::string full(const std::optional<std::string>& value,
                 const Missing& missing,
                 const char* field) {
    if (value) return *value;
    const auto reason = missing.find(field);
    return reason == missing.end() ? "not known" : "not known: " + reason->second;
}

std::string environment_text(const Arm& arm) {
    std::string text;
    for (const auto& [key, value] : arm.environment) {
        text += (text.empty() ? "" : " ") + key + "=" + value;
    }
    return text.empty() ? "nothing beyond the caller's own" : text;
}

}  // namespace

std::string provenance_html(const Report& r) {
    return html_terms(
        {{"command line", joined(r.run.command_line)},
         {"suite commit", r.run.suite_commit},
         {"backend", r.run.backend},
         {"engine command", joined(r.arm.command)},
         {"profiled with", environment_text(r.arm)},
         {"scenario sha256", r.scenario.sha256},
         {"prompt sha256", r.scenario.prompt_sha256},
         {"resolved scenario", r.scenario.resolved_json},
         {"model sha256", full(r.model.sha256, r.model.missing, "sha256")},
         {"commit", full(r.build.commit, r.build.missing, "commit")},
         {"local changes", full(r.build.dirty_diff_sha256, r.build.missing, "dirty_diff_sha256")},
         {"binary sha256", r.build.binary_sha256},
         {"compiler", full(r.build.compiler, r.build.missing, "compiler") + " " +
                          full(r.build.flags, r.build.missing, "flags")},
         {"host", r.machine.hostname},
         {"GPU", full(r.machine.gpu_name, r.machine.missing, "gpu_name")},
         {"driver", full(r.machine.driver, r.machine.missing, "driver")}});
}

namespace {

std::string reasons_list(const Report& report) {
    std::string items;
    for (const std::string& reason : run_reasons(report)) {
        items += element("li", escaped_html(reason));
    }
    return items.empty() ? std::string() : element("ul", items);
}

// Said before any figure: may they be used?
std::string judgement(const Report& report) {
    if (!run_is_valid(report)) {
        return element("div", R"(class="judgement bad" role="alert")",
                       element("strong", "INVALID") +
                           element("p",
                                   "At least one check failed, so no figure below may be used or "
                                   "compared. Every breach:") +
                           reasons_list(report)) +
               '\n';
    }
    std::string text = element("strong", "valid") +
                       element("p", "Every planned trial counts, every check and identity holds.");
    if (!run_reasons(report).empty()) {
        text = element("strong", "valid") +
               element("p", "The planned number of trials counts. Left out of every figure:") +
               reasons_list(report);
    }
    return element("div", R"(class="judgement good")", text) + '\n';
}

void add_time_parts(const Report& arm, std::vector<HtmlPart>& parts) {
    for (const PhaseRow& phase : arm.phases) {
        if (phase.mode != Mode::profiled) continue;
        const std::string id = html_id(phase.phase);
        parts.push_back({"time-" + id, phase.phase + ": where the time goes",
                         "Roles and the gap, in which no kernel ran, add up to the wall time. "
                         "Shares are of the wall time of the profiled rep that is the median.",
                         breakdown_html(arm, phase), phase.phase + " time"});
        parts.push_back({"kernels-" + id, phase.phase + ": kernels", "", kernels_html(arm, phase),
                         phase.phase + " kernels"});
    }
}

// What each arm has of its own.
std::vector<HtmlPart> arm_parts(const Report& arm) {
    std::vector<HtmlPart> parts = {{"metrics", "Metrics", "", metrics_html(arm)},
                                   {"phases", "Phases", "", headline_html(arm)}};
    add_time_parts(arm, parts);
    parts.push_back({"losses", "Losses", "", losses_html(arm)});
    parts.push_back({"identities", "Identities", "", identities_html(arm)});
    parts.push_back(
        {"integrity", "Integrity of the profile", "", integrity_html(arm), "Integrity"});
    parts.push_back({"cost", "Profiling cost", "", cost_html(arm)});
    parts.push_back({"trials", "Trials", "", trials_html(arm)});
    parts.push_back({"outputs", "Outputs", "", outputs_html(arm)});
    parts.push_back({"counts", "Counts", "", counts_html(arm)});
    parts.push_back({"provenance", "Provenance", "", provenance_html(arm)});
    return parts;
}

std::vector<HtmlPart> parts_of(const Report& report) {
    const auto arms = arms_of(report);
    std::vector<HtmlPart> all;
    if (arms.size() > 1) {
        all.push_back({"arms", "Arms side by side",
                       "They took turns in every round. There is no verdict: the plan had none.",
                       arms_html(report), "Arms"});
    }
    for (HtmlPart& part : breakdown_parts(report)) all.push_back(std::move(part));
    return all;
}

}  // namespace

std::vector<HtmlPart> breakdown_parts(const Report& report) {
    const auto arms = arms_of(report);
    if (arms.size() == 1) return arm_parts(report);
    std::vector<HtmlPart> all;
    for (std::size_t i = 0; i < arms.size(); ++i) {
        auto parts = told_apart(arm_parts(*arms[i]), arms[i]->arm.name, fmt::format("arm{}", i));
        for (HtmlPart& part : parts) all.push_back(std::move(part));
    }
    return all;
}

std::string report_html(const Report& report) {
    return html(HtmlPage{
        .title = fmt::format("{} · run {} · {}tare", report.scenario.name, report.run.id,
                             run_is_valid(report) ? "" : "INVALID · "),
        .tool = "tare report",
        .heading = report.scenario.name,
        .run = fmt::format("run {} · {} · {}", report.run.id, report.run.started_utc,
                           report.run.status),
        .judgement = judgement(report),
        .facts_label = "What was measured",
        .facts = header_of(report),
        .parts = parts_of(report),
        .footer = fmt::format(
            "timed trials ran without the probe, profiled ones with it, in processes of their own. "
            "\"-\": not known, or this backend has no such thing. More: tare report {0} --format "
            "json, tare show {0}, tare export {0}",
            report.run.id),
        .alarm = !run_is_valid(report)});
}

}  // namespace reports::render
