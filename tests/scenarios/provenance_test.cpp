// SPDX-License-Identifier: Apache-2.0
// What is known about machine, build and conditions, from fixture files.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "engine/format/sha256.h"
#include "scenarios/run/build.h"
#include "scenarios/run/conditions.h"
#include "scenarios/run/machine.h"
#include "tests/fakes/temporary.h"

namespace {

using namespace scenarios::run;

const std::string cpuinfo =
    "processor\t: 0\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n"
    "model name\t: AMD EPYC\ncpu MHz\t\t: 2000.000\n"
    "flags\t\t: cx16 lahf_lm popcnt pni sse4_1 sse4_2 ssse3 avx avx2 bmi1 bmi2 f16c fma abm movbe "
    "xsave\n\nprocessor\t: 1\nvendor_id\t: AuthenticAMD\ncpu MHz\t\t: 3000.000\n";

TEST(Proc, cpuinfo_of_two_processors) {
    const CpuInfo cpu = parse_cpuinfo(cpuinfo);
    EXPECT_EQ(cpu.vendor, "AuthenticAMD");
    EXPECT_EQ(cpu.model_name, "AMD EPYC");
    EXPECT_EQ(cpu.family, 25);
    EXPECT_EQ(cpu.model, 17);
    EXPECT_EQ(cpu.mhz_mean, 2500);
}

TEST(Proc, cpuinfo_that_says_nothing_leaves_everything_unknown) {
    const CpuInfo cpu = parse_cpuinfo("");
    EXPECT_EQ(cpu.family, std::nullopt);
    EXPECT_EQ(cpu.mhz_mean, std::nullopt);
    EXPECT_EQ(cpu_machine_class(cpu, 4), "unknown-unknown-unknown-x86-64-v1-4c");
}

TEST(Proc, isa_level_needs_every_flag_of_the_level) {
    CpuInfo cpu = parse_cpuinfo(cpuinfo);
    EXPECT_EQ(isa_level(cpu.flags), "x86-64-v3");
    cpu.flags.erase("movbe");
    EXPECT_EQ(isa_level(cpu.flags), "x86-64-v2");
    for (const char* flag : {"movbe", "avx512f", "avx512bw", "avx512cd", "avx512dq", "avx512vl"})
        cpu.flags.insert(flag);
    EXPECT_EQ(isa_level(cpu.flags), "x86-64-v4");
}

TEST(Proc, stat_counts_all_but_idle_and_iowait_as_busy) {
    const auto ticks = parse_stat("cpu  10 1 5 100 20 2 3 4 7 0\ncpu0 1 2 3 4\n");
    ASSERT_TRUE(ticks);
    EXPECT_EQ(ticks->total, 145);
    EXPECT_EQ(ticks->busy, 25);
    EXPECT_EQ(parse_stat("intr 1 2 3"), std::nullopt);
}

TEST(Proc, process_ticks_survive_a_name_with_parentheses) {
    const std::string stat = "12 (a) b (c) S 1 12 12 0 -1 4194560 100 0 0 0 37 5 0 0 20 0 1 0 900";
    EXPECT_EQ(parse_process_ticks(stat), 42);
    EXPECT_EQ(parse_process_ticks("12 no name"), std::nullopt);
}

TEST(Proc, meminfo_is_in_bytes) {
    EXPECT_EQ(parse_meminfo("MemTotal:        1000 kB\nMemFree: 5 kB\n", "MemTotal"), 1024000);
    EXPECT_EQ(parse_meminfo("MemTotal: 1 kB\n", "MemAvailable"), std::nullopt);
}

TEST(Machine, is_read_from_the_files_given) {
    fakes::TemporaryFolder proc;
    proc.write("cpuinfo", cpuinfo);
    proc.write("meminfo", "MemTotal: 2048 kB\n");
    const auto machine = observe_machine(proc.path());
    EXPECT_EQ(machine.cpu_model, "AMD EPYC");
    EXPECT_EQ(machine.memory_bytes, 2 << 20);
    EXPECT_EQ(machine.machine_class.find("AuthenticAMD-25-17-x86-64-v3-"), 0u)
        << machine.machine_class;
    EXPECT_EQ(machine.missing.count("memory_bytes"), 0u);
    EXPECT_EQ(machine.missing.count("gpu_name"), 1u);
}

TEST(Machine, what_is_missing_has_a_reason) {
    fakes::TemporaryFolder proc;
    const auto machine = observe_machine(proc.path());
    EXPECT_NE(machine.missing.at("memory_bytes").find("MemTotal"), std::string::npos);
    EXPECT_NE(machine.missing.at("cpu_model").find("cpuinfo"), std::string::npos);
}

TEST(Conditions, other_share_leaves_our_own_time_out) {
    const CpuTicks before{100, 1000}, after{180, 1200};
    EXPECT_DOUBLE_EQ(*other_share(before, after, 60), 0.1);
    EXPECT_DOUBLE_EQ(*other_share(before, after, 0), 0.4);
    EXPECT_DOUBLE_EQ(*other_share(before, after, 90), 0.0);  // ticks are coarse: never below 0
    EXPECT_EQ(other_share(before, before, 0), std::nullopt);
}

TEST(Conditions, share_needs_two_samples) {
    fakes::TemporaryFolder proc;
    proc.write("loadavg", "1.25 0.9 0.5 1/100 7\n");
    proc.write("self/stat", "1 (tare) S 1 1 1 0 -1 0 0 0 0 0 1 1 0 0\n");
    proc.write("7/stat", "7 (engine) S 1 1 1 0 -1 0 0 0 0 0 10 0 0 0\n");
    proc.write("stat", "cpu 100 0 0 900 0 0 0 0\n");
    Sampler sampler(proc.path());
    auto first = sampler.sample(7);
    ASSERT_EQ(first.size(), 1u);
    EXPECT_EQ(first[0].name, "load_1m");
    EXPECT_EQ(first[0].value, 1.25);
    proc.write("stat", "cpu 150 0 0 950 0 0 0 0\n");
    proc.write("7/stat", "7 (engine) S 1 1 1 0 -1 0 0 0 0 0 40 0 0 0\n");
    auto second = sampler.sample(7);
    ASSERT_EQ(second.size(), 2u);
    EXPECT_EQ(second[1].name, "cpu_busy_other_share");
    EXPECT_DOUBLE_EQ(second[1].value, 0.2);
}

TEST(Hello, garbage_is_no_hello) {
    for (const char* line :
         {"", "hello", "[1]", "{\"type\":\"rep\"}", "{\"type\":3}", "{\"type\":\"hello\""})
        EXPECT_EQ(parse_hello(line), std::nullopt) << line;
}

TEST(Hello, null_and_empty_are_unknown) {
    const auto hello =
        parse_hello(R"({"type":"hello","protocol":1,"build":{"commit":null,"compiler":""}})");
    ASSERT_TRUE(hello);
    EXPECT_EQ(hello->protocol, 1);
    EXPECT_EQ(hello->commit, std::nullopt);
    EXPECT_EQ(hello->compiler, std::nullopt);
}

// A cast would take 2^32 + 1 for protocol 1.
TEST(Hello, protocol_that_is_no_small_whole_number_is_not_known) {
    for (const char* number : {"4294967297", "1.0", "1e300", "true", "[1]"}) {
        const auto hello = parse_hello(fmt::format(R"({{"type":"hello","protocol":{}}})", number));
        ASSERT_TRUE(hello) << number;
        EXPECT_EQ(hello->protocol, std::nullopt) << number;
    }
}

TEST(Build, hello_comes_before_build_json_and_gaps_have_reasons) {
    fakes::TemporaryFolder folder;
    const auto binary = folder.write("engine", "binary");
    const std::string sha256 = engine::format::sha256_file(binary);
    folder.write("build.json",
                 R"({"binary_sha256":")" + sha256 + R"(","commit":"file","flags":"-O9"})");
    const auto hello = parse_hello(R"({"type":"hello","protocol":1,"build":{"commit":"said"}})");
    const auto build = describe_build(binary, hello, "");
    EXPECT_EQ(build.binary_sha256, sha256);
    EXPECT_EQ(build.commit, "said");
    EXPECT_EQ(build.flags, "-O9");
    EXPECT_EQ(build.compiler, std::nullopt);
    EXPECT_EQ(build.missing.count("compiler"), 1u);
    EXPECT_EQ(build.missing.at("dirty_diff_sha256"), "the tree was clean");
}

TEST(Build, build_json_of_another_binary_is_not_believed) {
    fakes::TemporaryFolder folder;
    const auto binary = folder.write("engine", "binary");
    folder.write("build.json", R"({"binary_sha256":"00","commit":"file"})");
    const auto build = describe_build(binary, std::nullopt, "no hello: exit code 3");
    EXPECT_EQ(build.commit, std::nullopt);
    EXPECT_NE(build.missing.at("commit").find("no hello: exit code 3"), std::string::npos);
}

}  // namespace
