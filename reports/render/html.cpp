// SPDX-License-Identifier: Apache-2.0
// The page: title and verdict on its own figures, then its sections in reading order.
#include "reports/render/html.h"

#include <fmt/format.h>

#include "reports/render/html_parts.h"
#include "reports/render/html_text.h"
#include "reports/render/report_document.h"
#include "reports/store/embedded.h"

namespace reports::render {
namespace {

struct Part {
    std::string id, title, about, body;
    std::string link = {};  // what the navigation says; empty: the title
};

std::string terms(const std::vector<std::pair<std::string, std::string>>& lines) {
    std::string out;
    for (const auto& [label, text] : lines) {
        out +=
            element("div", element("dt", escaped_html(label)) + element("dd", escaped_html(text))) +
            '\n';
    }
    return element("dl", '\n' + out) + '\n';
}

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
    return terms(
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

void add_time_parts(const Report& arm, std::vector<Part>& parts) {
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
std::vector<Part> arm_parts(const Report& arm) {
    std::vector<Part> parts = {{"phases", "Phases", "", headline_html(arm)}};
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

std::vector<Part> parts_of(const Report& report) {
    const auto arms = arms_of(report);
    std::vector<Part> all;
    if (arms.size() > 1) {
        all.push_back({"arms", "Arms side by side",
                       "They took turns in every round. There is no verdict: the plan had none.",
                       arms_html(report), "Arms"});
    }
    for (std::size_t i = 0; i < arms.size(); ++i) {
        for (Part& part : arm_parts(*arms[i])) {
            if (arms.size() > 1) {
                part.link =
                    arms[i]->arm.name + " · " + (part.link.empty() ? part.title : part.link);
                part.title = arms[i]->arm.name + " · " + part.title;
                part.id = fmt::format("arm{}-{}", i, part.id);
            }
            all.push_back(std::move(part));
        }
    }
    std::erase_if(all, [](const Part& part) { return part.body.empty(); });
    return all;
}

std::string navigation(const std::vector<Part>& parts) {
    std::string links;
    for (const Part& part : parts) {
        links += element("li", element("a", fmt::format(R"(href="#{}")", part.id),
                                       escaped_html(part.link.empty() ? part.title : part.link)));
    }
    return element("nav", R"(aria-label="Sections")", element("ul", links)) + '\n';
}

std::string section(const Part& part) {
    const std::string about =
        part.about.empty() ? "" : element("p", R"(class="about")", escaped_html(part.about)) + '\n';
    return element("section", fmt::format(R"(id="{0}" aria-labelledby="{0}-title")", part.id),
                   '\n' +
                       element("h2", fmt::format(R"(id="{}-title")", part.id),
                               escaped_html(part.title)) +
                       '\n' + about + part.body) +
           '\n';
}

std::string head(const Report& report) {
    // No request may leave the page, whatever gets into it.
    return "<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n" +
           element("title", escaped_html(fmt::format("{} · run {} · {}tare", report.scenario.name,
                                                     report.run.id,
                                                     run_is_valid(report) ? "" : "INVALID · "))) +
           '\n' + element("style", '\n' + std::string(store::embedded("render/html/report.css"))) +
           '\n';
}

}  // namespace

std::string report_html(const Report& report) {
    const std::vector<Part> parts = parts_of(report);
    std::string body =
        element("header",
                '\n' + element("p", R"(class="tool")", "tare report") + '\n' +
                    element("h1", escaped_html(report.scenario.name)) + '\n' +
                    element("p", R"(class="run")",
                            escaped_html(fmt::format("run {} · {} · {}", report.run.id,
                                                     report.run.started_utc, report.run.status))) +
                    '\n' + judgement(report) +
                    element("section", R"(class="facts" aria-label="What was measured")",
                            '\n' + terms(header_of(report))) +
                    '\n' + navigation(parts));
    std::string main;
    for (const Part& part : parts) main += section(part);
    body +=
        '\n' + element("main", '\n' + main) + '\n' +
        element("footer",
                element("p", escaped_html(fmt::format(
                                 "timed trials ran without the probe, profiled ones with it, in "
                                 "processes of their own. \"-\": not known, or this backend has "
                                 "no such thing. More: tare report {0} --format json, tare show "
                                 "{0}, tare export {0}",
                                 report.run.id)))) +
        '\n' + element("script", '\n' + std::string(store::embedded("render/html/report.js")));
    return "<!DOCTYPE html>\n" +
           element("html", R"(lang="en")",
                   '\n' + element("head", '\n' + head(report)) + '\n' +
                       element("body", run_is_valid(report) ? "" : R"(class="invalid")",
                               '\n' + body + '\n') +
                       '\n') +
           '\n';
}

}  // namespace reports::render
