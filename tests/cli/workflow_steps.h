// SPDX-License-Identifier: Apache-2.0
// As much YAML as a workflow of `tare init` is written in, read strictly; its steps' scripts.
#pragma once

#include <regex>
#include <sstream>
#include <string>
#include <vector>

namespace tests {

inline std::size_t indent_of(const std::string& line) {
    const auto at = line.find_first_not_of(' ');
    return at == std::string::npos ? line.size() : at;
}

inline std::vector<std::string> lines_of(const std::string& text) {
    std::vector<std::string> lines;
    std::istringstream in(text);
    for (std::string line; std::getline(in, line);) lines.push_back(line);
    return lines;
}

// "", or the first line that is no mapping, list item or comment of the few forms used here: two
// spaces a level, no tabs, texts quoted whole or not at all, blocks behind '|'.
inline std::string yaml_breach(const std::string& text) {
    static const std::regex entry(
        R"re(^ *(- )?[A-Za-z_-]+:( ("[^"]*"|\$\{\{ [^}]*\}\}|\||[^"'#|>&*!%@`{}\[\] -][^"#]*))?( +#.*)?$)re");
    std::size_t block = 0,
                level = 0;  // indentation of the key that opened a block; of the last line
    bool in_block = false;
    for (const std::string& line : lines_of(text)) {
        if (line.find_first_not_of(' ') == std::string::npos) continue;
        const std::size_t indent = indent_of(line);
        if (in_block && indent > block) continue;
        in_block = false;
        if (line[indent] == '#') continue;
        if (line.find('\t') != std::string::npos || indent % 2 != 0 || indent > level + 4)
            return line;
        if (!std::regex_match(line, entry)) return line;
        level = indent;
        if (line.back() != '|') continue;
        in_block = true;
        block = indent;
    }
    return "";
}

// What stands behind `run: |` of the step of that name; empty: there is no such step.
inline std::string script_of(const std::string& workflow, const std::string& step) {
    std::string script;
    std::size_t run = 0;
    bool in_step = false, in_script = false;
    for (const std::string& line : lines_of(workflow)) {
        const std::size_t indent = indent_of(line);
        if (in_script && (indent > run || line.empty())) {
            script += line.empty() ? "\n" : line.substr(run + 2) + "\n";
            continue;
        }
        in_script = false;
        if (line.find("- ") == indent) in_step = line.substr(indent) == "- name: " + step;
        if (in_step && line.substr(indent) == "run: |") {
            in_script = true;
            run = indent;
        }
    }
    return script;
}

}  // namespace tests
