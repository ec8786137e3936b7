// SPDX-License-Identifier: Apache-2.0
// tare-micro: what it offers, and what it refuses.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "tests/fakes/engine_process.h"

namespace {

using testing::HasSubstr;

fakes::Result micro(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), TARE_BUILD_DIR "/bin/tare-micro");
    return fakes::run(arguments);
}

TEST(Micro, offers_both_formats_of_matmul_rms_norm_the_roofs_and_the_whole_model) {
    const auto result = micro({"--model", fakes::small_bf16, "--model", fakes::small_nvfp4,
                               "--benchmark_list_tests=true"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    for (const auto* name :
         {"roof/copy", "roof/sgemm", "rms_norm/192/rows:512", "matmul_bf16/4096x192/rows:1",
          "matmul_nvfp4/160x192/rows:64", "model/prefill/4314", "model/decode/4314", "trace/op"}) {
        EXPECT_THAT(result.out, HasSubstr(name));
    }
}

TEST(Micro, reports_rates_and_the_share_of_the_roof) {
    const auto result = micro({"--model", fakes::small_bf16, "--benchmark_filter=rms_norm.*rows:64",
                               "--benchmark_min_time=0.01", "--benchmark_format=json"});
    ASSERT_EQ(result.exit_code, 0) << result.err;
    const auto benchmark = nlohmann::json::parse(result.out).at("benchmarks").at(0);
    EXPECT_GT(benchmark.at("GB/s"), 0);
    EXPECT_GT(benchmark.at("GFLOP/s"), 0);
    EXPECT_GT(benchmark.at("roof_share"), 0);
}

TEST(Micro, refuses_what_it_does_not_know) {
    const std::pair<std::vector<std::string>, const char*> cases[] = {
        {{"--modle", "x"}, "--modle: no such option"},
        {{"--model"}, "--model"},
        {{"--model", "/nowhere"}, "/nowhere"},
        {{"--threads", "0"}, "accepted: a whole number from 1 to 1024"}};
    for (const auto& [arguments, reason] : cases) {
        const auto result = micro(arguments);
        EXPECT_EQ(result.exit_code, 2) << arguments[0];
        EXPECT_THAT(result.err, HasSubstr(reason));
    }
}

TEST(Micro, help_has_examples) {
    const auto result = micro({"--help"});
    EXPECT_EQ(result.exit_code, 0);
    EXPECT_THAT(result.out, HasSubstr("Examples:"));
}

}  // namespace
