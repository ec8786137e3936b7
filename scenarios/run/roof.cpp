// SPDX-License-Identifier: Apache-2.0
#include "scenarios/run/roof.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "scenarios/run/environment.h"
#include "scenarios/run/process.h"
#include "scenarios/run/trial.h"

namespace scenarios::run {

namespace {

constexpr double roof_time_limit_s = 20;

std::optional<double> positive(const nlohmann::json& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end() || !found->is_number() || !(found->get<double>() > 0))
        return std::nullopt;
    return found->get<double>();
}

}  // namespace

reports::Roof parse_roof(const std::string& line) {
    const auto object = nlohmann::json::parse(line, nullptr, false);
    reports::Roof roof;
    if (!object.is_object()) {
        roof.how = "not measured: tare-engine roof printed no JSON object";
        return roof;
    }
    roof.copy_bytes_per_s = positive(object, "copy_bytes_per_s");
    roof.flops_per_s = positive(object, "flops_per_s");
    const auto how = object.find("how");
    roof.how = how != object.end() && how->is_string() ? how->get<std::string>()
                                                       : "tare-engine roof, which did not say how";
    return roof;
}

reports::Roof measure_roof(const std::filesystem::path& engine,
                           std::optional<int> threads,
                           const Interrupt& interrupt) {
    Command command{{engine.string(), "roof", "--json"},
                    process_environment(own_environment(), std::nullopt)};
    if (threads) command.argv.insert(command.argv.end(), {"--threads", std::to_string(*threads)});
    std::string last_line;
    Watch watch;
    watch.time_limit_s = roof_time_limit_s;
    watch.stop_fd = interrupt.fd();
    watch.on_line = [&](std::string_view line) { last_line = line; };
    const Exit exit = run_process(command, watch);
    if (const std::string reason = describe_end(exit); !reason.empty()) {
        reports::Roof roof;
        roof.how = fmt::format("not measured: tare-engine roof: {}", reason);
        return roof;
    }
    return parse_roof(last_line);
}

}  // namespace scenarios::run
