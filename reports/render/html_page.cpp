// SPDX-License-Identifier: Apache-2.0
#include "reports/render/html_page.h"

#include <fmt/format.h>

#include "reports/render/html_text.h"
#include "reports/store/embedded.h"

namespace reports::render {
namespace {

std::string navigation(const std::vector<HtmlPart>& parts) {
    std::string links;
    for (const HtmlPart& part : parts) {
        if (part.body.empty()) continue;
        links += element("li", element("a", fmt::format(R"(href="#{}")", part.id),
                                       escaped_html(part.link.empty() ? part.title : part.link)));
    }
    return element("nav", R"(aria-label="Sections")", element("ul", links)) + '\n';
}

std::string section(const HtmlPart& part) {
    const std::string about =
        part.about.empty() ? "" : element("p", R"(class="about")", escaped_html(part.about)) + '\n';
    return element("section", fmt::format(R"(id="{0}" aria-labelledby="{0}-title")", part.id),
                   '\n' +
                       element("h2", fmt::format(R"(id="{}-title")", part.id),
                               escaped_html(part.title)) +
                       '\n' + about + part.body) +
           '\n';
}

std::string head(const HtmlPage& page) {
    // No request may leave the page, whatever gets into it.
    return "<meta charset=\"utf-8\">\n"
           "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; style-src "
           "'unsafe-inline'; script-src 'unsafe-inline'; img-src data:\">\n"
           "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
           "<meta name=\"color-scheme\" content=\"light dark\">\n"
           "<link rel=\"icon\" href=\"data:,\">\n" +
           element("title", escaped_html(page.title)) + '\n' +
           element("style", '\n' + std::string(store::embedded("render/html/report.css"))) + '\n';
}

std::string header(const HtmlPage& page) {
    return element(
        "header",
        '\n' + element("p", R"(class="tool")", escaped_html(page.tool)) + '\n' +
            element("h1", escaped_html(page.heading)) + '\n' +
            element("p", R"(class="run")", escaped_html(page.run)) + '\n' + page.judgement +
            element("section",
                    fmt::format(R"(class="facts" aria-label="{}")", escaped_html(page.facts_label)),
                    '\n' + html_terms(page.facts)) +
            '\n' + navigation(page.parts));
}

}  // namespace

std::string html_terms(const std::vector<std::pair<std::string, std::string>>& lines) {
    std::string out;
    for (const auto& [label, text] : lines) {
        out +=
            element("div", element("dt", escaped_html(label)) + element("dd", escaped_html(text))) +
            '\n';
    }
    return element("dl", '\n' + out) + '\n';
}

std::vector<HtmlPart> told_apart(std::vector<HtmlPart> parts,
                                 const std::string& name,
                                 const std::string& id) {
    for (HtmlPart& part : parts) {
        part.link = name + " · " + (part.link.empty() ? part.title : part.link);
        part.title = name + " · " + part.title;
        part.id = fmt::format("{}-{}", id, part.id);
    }
    return parts;
}

std::string html(const HtmlPage& page) {
    std::string main;
    for (const HtmlPart& part : page.parts)
        if (!part.body.empty()) main += section(part);
    const std::string body =
        header(page) + '\n' + element("main", '\n' + main) + '\n' +
        element("footer", element("p", escaped_html(page.footer))) + '\n' +
        element("script", '\n' + std::string(store::embedded("render/html/report.js")));
    return "<!DOCTYPE html>\n" +
           element("html", R"(lang="en")",
                   '\n' + element("head", '\n' + head(page)) + '\n' +
                       element("body", page.alarm ? R"(class="invalid")" : "", '\n' + body + '\n') +
                       '\n') +
           '\n';
}

}  // namespace reports::render
