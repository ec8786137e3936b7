// SPDX-License-Identifier: Apache-2.0
// Reads the probe's environment variables.
#include "probes/nvtx/settings.h"

#include <charconv>
#include <cstdlib>
#include <optional>
#include <string_view>

namespace probes::nvtx {
namespace {

constexpr std::uint64_t ring_records_least = 8;
constexpr std::uint64_t ring_records_most = std::uint64_t{1} << 20;

std::string variable(const char* name) {
    const char* value = std::getenv(name);
    return value == nullptr ? "" : value;
}

std::optional<std::uint64_t> whole_number(std::string_view text) {
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc() || end != text.data() + text.size() || text.empty()) {
        return std::nullopt;
    }
    return number;
}

void parse_ring(const std::string& text, Settings& settings) {
    const std::optional<std::uint64_t> records = whole_number(text);
    if (!records || *records < ring_records_least || *records > ring_records_most) {
        settings.complaint = "TARE_PROBE_RING=" + text + " is not a number of records from " +
                             std::to_string(ring_records_least) + " to " +
                             std::to_string(ring_records_most) + "; using " +
                             std::to_string(settings.ring_records);
        return;
    }
    settings.ring_records = *records;
}

}  // namespace

void parse_fault(const std::string& text, Settings& settings) {
    settings.fault = text;
    const std::string_view form(text);
    const std::size_t colon = form.find(':');
    const std::string_view name = form.substr(0, colon);
    const std::optional<std::uint64_t> every =
        colon == form.npos ? std::nullopt : whole_number(form.substr(colon + 1));
    settings.fault_every = every.value_or(0);
    const bool has_every = every && *every >= 1;
    if (name == "drop" && has_every) {
        settings.fault_kind = FaultKind::drop;
    } else if (name == "zero" && has_every) {
        settings.fault_kind = FaultKind::zero;
    } else if (form == "truncate") {
        settings.fault_kind = FaultKind::truncate;
    } else if (form == "shift") {
        settings.fault_kind = FaultKind::shift;
    } else {
        settings.fault_kind = FaultKind::invalid;
        settings.complaint = "TARE_PROBE_FAULT=" + text +
                             " is not drop:N, zero:N, truncate or shift (N from 1); the capture "
                             "is marked fault_invalid";
    }
}

Settings read_settings() {
    Settings settings;
    settings.folder = variable("TARE_PROBE_OUT");
    if (const std::string ring = variable("TARE_PROBE_RING"); !ring.empty()) {
        parse_ring(ring, settings);
    }
    if (const std::string fault = variable("TARE_PROBE_FAULT"); !fault.empty()) {
        parse_fault(fault, settings);
    }
    return settings;
}

}  // namespace probes::nvtx
