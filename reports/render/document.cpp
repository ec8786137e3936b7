// SPDX-License-Identifier: Apache-2.0
// Lays a document out: aligned columns for a terminal, pipes for Markdown.
#include "reports/render/document.h"

#include <algorithm>

#include "engine/format/printable.h"
#include "reports/render/text.h"

namespace reports::render {
namespace {

constexpr int column_gap = 2;
constexpr int narrowest_shrunk = 12;    // columns are never cut below this
constexpr int comfortable_shrunk = 24;  // optional columns go before others are cut below this

std::vector<int> natural_widths(const Section& section) {
    std::vector<int> widths;
    for (std::size_t c = 0; c < section.columns.size(); ++c) {
        int widest = columns(section.columns[c].name);
        for (const auto& row : section.rows) widest = std::max(widest, columns(row[c]));
        widths.push_back(widest);
    }
    return widths;
}

// Columns that may shrink give up what the line is too long by, the widest first.
std::vector<int> fitted_widths(const Section& section, int width) {
    std::vector<int> widths = natural_widths(section);
    int excess = -width - column_gap;
    for (const int w : widths) excess += w + column_gap;
    while (excess > 0) {
        int* widest = nullptr;
        for (std::size_t c = 0; c < widths.size(); ++c) {
            if (!section.columns[c].shrinks || widths[c] <= narrowest_shrunk) continue;
            if (widest == nullptr || widths[c] > *widest) widest = &widths[c];
        }
        if (widest == nullptr) break;
        --*widest;
        --excess;
    }
    return widths;
}

int line_width(const Section& section, int shrunk) {
    int total = -column_gap;
    const std::vector<int> widths = natural_widths(section);
    for (std::size_t c = 0; c < widths.size(); ++c) {
        total +=
            column_gap + (section.columns[c].shrinks ? std::min(widths[c], shrunk) : widths[c]);
    }
    return total;
}

// Leaves out optional columns until the rest fits, and says which.
Section narrowed(Section section, int width) {
    std::string left_out;
    while (line_width(section, comfortable_shrunk) > width) {
        const auto first = std::max_element(
            section.columns.begin(), section.columns.end(),
            [](const Column& a, const Column& b) { return a.optional < b.optional; });
        if (first == section.columns.end() || first->optional == 0) break;
        left_out += (left_out.empty() ? "" : ", ") + first->name;
        const auto at = first - section.columns.begin();
        section.columns.erase(first);
        for (auto& row : section.rows) row.erase(row.begin() + at);
    }
    if (!left_out.empty()) section.notes.push_back("left out in this width: " + left_out);
    return section;
}

std::string padded(const std::string& text, int width, Align align) {
    const std::string cell = fitted(text, width);
    const std::string blank(static_cast<std::size_t>(std::max(0, width - columns(cell))), ' ');
    return align == Align::right ? blank + cell : cell + blank;
}

std::string line(const Section& section,
                 const std::vector<int>& widths,
                 const std::vector<std::string>& cells) {
    std::string out;
    for (std::size_t c = 0; c < widths.size(); ++c) {
        if (c > 0) out += std::string(column_gap, ' ');
        out += padded(cells[c], widths[c], section.columns[c].align);
    }
    out.erase(out.find_last_not_of(' ') + 1);
    return out + '\n';
}

std::vector<std::string> names(const Section& section) {
    std::vector<std::string> all;
    for (const Column& column : section.columns) all.push_back(column.name);
    return all;
}

std::string styled(const std::string& text, const char* code, bool color) {
    return color ? std::string("\033[") + code + "m" + text + "\033[0m" : text;
}

std::string section_text(const Section& whole, int width, bool color) {
    const Section section = narrowed(whole, width);
    std::string out = '\n' + styled(section.title, "1", color) + '\n';
    if (!section.columns.empty()) {
        const std::vector<int> widths = fitted_widths(section, width);
        std::string head = line(section, widths, names(section));
        head.pop_back();
        out += styled(head, "2", color) + '\n';
        for (std::size_t r = 0; r < section.rows.size(); ++r) {
            const std::string text = line(section, widths, section.rows[r]);
            if (section.closing_rows > 0 && r == section.rows.size() - section.closing_rows) {
                out += std::string(static_cast<std::size_t>(columns(head)), '-') + '\n';
            }
            out += text;
        }
    }
    for (const std::string& note : section.notes) out += wrapped(note, width, 2) + '\n';
    return out;
}

std::string escaped(const std::string& text) {
    std::string out;
    for (const char c : text) {
        if (c == '|' || c == '\\' || c == '`' || c == '*' || c == '_' || c == '<') out += '\\';
        out += c == '\n' ? ' ' : c;
    }
    return out;
}

std::string pipes(const std::vector<std::string>& cells) {
    std::string out = "|";
    for (const std::string& cell : cells) out += ' ' + escaped(cell) + " |";
    return out + '\n';
}

std::string section_markdown(const Section& section) {
    std::string out = "\n### " + escaped(section.title) + "\n\n";
    if (!section.columns.empty()) {
        out += pipes(names(section)) + "|";
        for (const Column& column : section.columns) {
            out += column.align == Align::right ? "---:|" : ":---|";
        }
        out += '\n';
        for (const auto& row : section.rows) out += pipes(row);
    }
    if (!section.notes.empty()) out += '\n';
    for (const std::string& note : section.notes) out += escaped(note) + "  \n";
    return out;
}

// Names, reasons and what an engine said of itself may hold what would steer a terminal.
Document shown(Document document, std::string (*printable)(std::string_view)) {
    const auto show = [&](std::string& text) { text = printable(text); };
    show(document.title);
    for (auto& [label, text] : document.header) show(label), show(text);
    for (auto* texts : {&document.alarms, &document.footer})
        for (std::string& text : *texts) show(text);
    for (Section& section : document.sections) {
        show(section.title);
        for (Column& column : section.columns) show(column.name);
        for (auto& row : section.rows)
            for (std::string& cell : row) show(cell);
        for (std::string& note : section.notes) show(note);
    }
    return document;
}

}  // namespace

std::string to_terminal(const Document& raw, int width, bool color) {
    const Document document = shown(raw, engine::format::printable);
    std::string out = styled(document.title, document.alarm ? "1;31" : "1", color) + '\n';
    int label_width = 0;
    for (const auto& [label, text] : document.header) {
        label_width = std::max(label_width, columns(label));
    }
    for (const auto& [label, text] : document.header) {
        out += wrapped(padded(label, label_width, Align::left) + "  " + text, width,
                       label_width + column_gap) +
               '\n';
    }
    for (const std::string& alarm : document.alarms) {
        out += styled(wrapped("! " + alarm, width, 2), "31", color) + '\n';
    }
    for (const Section& section : document.sections) out += section_text(section, width, color);
    if (!document.footer.empty()) out += '\n';
    for (const std::string& text : document.footer) out += text + '\n';
    return out;
}

std::string to_markdown(const Document& raw) {
    const Document document = shown(raw, engine::format::printable_lines);  // escaped() has a blank
    std::string out = "## " + escaped(document.title) + "\n\n";
    for (const auto& [label, text] : document.header) {
        out += "- **" + escaped(label) + "** " + escaped(text) + '\n';
    }
    if (!document.alarms.empty()) out += '\n';
    for (const std::string& alarm : document.alarms) out += "> ⚠ " + escaped(alarm) + "  \n";
    for (const Section& section : document.sections) out += section_markdown(section);
    if (!document.footer.empty()) out += '\n';
    for (const std::string& text : document.footer) out += escaped(text) + "  \n";
    return out;
}

}  // namespace reports::render
