// SPDX-License-Identifier: Apache-2.0
// Recorded lines are the contract, key by key.
#pragma once

#include <gtest/gtest.h>

#include <fstream>
#include <sstream>

#include "tests/fakes/engine_process.h"

namespace recorded {

using nlohmann::json;

inline std::vector<json> recorded(const std::string& name) {
    std::ifstream file(TARE_SOURCE_DIR "/tests/interface/" + name);
    std::stringstream text;
    text << file.rdbuf();
    return fakes::json_lines(text.str());
}

// Integers and floating-point numbers are one type to JSON; null stands for any value not known.
inline bool same_type(const json& a, const json& b) {
    return a.is_null() || b.is_null() || (a.is_number() && b.is_number()) || a.type() == b.type();
}

// Every key once recorded is still there, with a value of the same type; new keys are welcome.
inline void expect_keeps(const json& old, const json& now, const std::string& where) {
    ASSERT_TRUE(same_type(old, now)) << where << ": recorded " << old << ", now " << now;
    if (!old.is_object() || where.ends_with("/formats")) {
        return;
    }
    for (const auto& [key, value] : old.items()) {
        ASSERT_TRUE(now.contains(key)) << where << " lost the key " << key;
        expect_keeps(value, now.at(key), where + "/" + key);
    }
}

inline void expect_keeps(const std::vector<json>& old, const std::vector<json>& now) {
    ASSERT_EQ(now.size(), old.size());
    for (std::size_t i = 0; i < old.size(); ++i) {
        ASSERT_EQ(now[i].at("type"), old[i].at("type")) << "line " << i;
        expect_keeps(old[i], now[i], "line " + std::to_string(i));
    }
}

}  // namespace recorded
