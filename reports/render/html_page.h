// SPDX-License-Identifier: Apache-2.0
// The frame of an HTML page: what it is, its judgement, facts, links to its sections, and these.
#pragma once

#include <string>
#include <utility>
#include <vector>

namespace reports::render {

// A section. Title, about and link are plain text; the body is HTML.
struct HtmlPart {
    std::string id, title, about, body;
    std::string link = {};  // what the navigation says; empty: the title
};

struct HtmlPage {
    std::string title;      // of the window
    std::string tool;       // what made it: "tare report"
    std::string heading;    // the scenario
    std::string run;        // which run, when
    std::string judgement;  // HTML: may the figures be used, and what do they say?
    std::string facts_label;
    std::vector<std::pair<std::string, std::string>> facts;
    std::vector<HtmlPart> parts;  // those without a body are left out
    std::string footer;
    bool alarm = false;
};

// <dl> of plain texts.
std::string html_terms(const std::vector<std::pair<std::string, std::string>>& lines);

// Parts of one of several: their titles, links and ids begin with what tells them apart.
std::vector<HtmlPart> told_apart(std::vector<HtmlPart> parts,
                                 const std::string& name,
                                 const std::string& id);

// Needs nothing else: no request leaves it, and it reads without JavaScript.
std::string html(const HtmlPage& page);

}  // namespace reports::render
