// SPDX-License-Identifier: Apache-2.0
// tare-engine given numbers, names, files and limits that nobody should give it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>

#include "tests/fakes/engine_process.h"
#include "tests/fakes/temporary.h"

namespace {

namespace fs = std::filesystem;
using fakes::engine, fakes::small_bf16;
using testing::AllOf, testing::HasSubstr, testing::Not, testing::StartsWith;
using Arguments = std::vector<std::string>;

constexpr auto most_seed = "18446744073709551615";

Arguments with(Arguments arguments, const Arguments& more) {
    arguments.insert(arguments.end(), more.begin(), more.end());
    return arguments;
}

Arguments generate(const Arguments& more) {
    return with({"generate", "--model", small_bf16, "--max-tokens", "1"}, more);
}

// At once: what waits for ever is killed at the time limit.
void expect_refused(const Arguments& arguments, const std::string& reason) {
    const auto result = engine(arguments, {.timeout_s = 20});
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err, AllOf(StartsWith("tare-engine: "), HasSubstr(reason)));
    EXPECT_EQ(result.out, "");
}

TEST(EngineNumbers, out_of_bounds_are_refused_with_option_value_and_bounds) {
    const Arguments bench{"bench", "--model", small_bf16, "--tokens", "1"};
    const Arguments info{"info", "--model", small_bf16, "--plan"};
    const Arguments synth{"synth", "--model", "synthetic:nano", "--out", "/nowhere/x"};

    const struct {
        Arguments command;
        const char* option;
        std::vector<std::string> values;
        std::string bounds;
    } cases[] = {
        {with(bench, {"--prefill"}), "--threads", {"0", "-1", "1025", "2x", ""}, "1 to 1024"},
        {with(bench, {"--prefill"}), "--reps", {"0", "1000001", "1e3"}, "1 to 1000000"},
        {with(bench, {"--prefill"}), "--warm-up", {"-1", "1000001"}, "0 to 1000000"},
        {bench, "--decode", {"0", "1099511627777"}, "1 to 1099511627776"},
        {with(bench, {"--prefill"}), "--prefill-chunk", {"0", "0x10"}, "1 to 1099511627776"},
        {info, "--rows", {"0", "99999999999"}, "1 to 2147483648"},
        {info, "--context", {"-1"}, "0 to 2147483648"},
        {{"check", "repeat", "--model", small_bf16, "--tokens", "1"},
         "--seed",
         {"-1", "18446744073709551616", "1.5"},
         std::string("0 to ") + most_seed},
        {synth, "--seed", {"-1", "18446744073709551616"}, std::string("0 to ") + most_seed},
        {synth, "--shard-bytes", {"0", "-5"}, "1 to 4611686018427387904"},
        {synth, "--threads", {"0"}, "1 to 1024"},
        {{"roof"}, "--threads", {"4294967297"}, "1 to 1024"}};

    for (const auto& c : cases) {
        for (const auto& value : c.values) {
            expect_refused(
                with(c.command, {c.option, value}),
                c.option + (" '" + value) + "': accepted: a whole number from " + c.bounds);
        }
    }
}

TEST(EngineNumbers, at_their_bounds_are_taken) {
    const auto result = engine({"check", "repeat", "--model", small_bf16, "--tokens", "1", "--seed",
                                most_seed, "--threads", "1"});
    EXPECT_EQ(result.exit_code, 0) << result.err;
}

TEST(EngineMessages, of_options_begin_as_all_others_do_and_name_what_is_accepted) {
    expect_refused(generate({"--tokens", "1", "--isa", "avx9"}),
                   "--isa 'avx9': accepted: auto, baseline, avx2");
    expect_refused(generate({"--tokens", "1", "--what"}),
                   "--what; `tare-engine generate --help` shows what there is");
    expect_refused({"generate"}, "--model is required; `tare-engine generate --help`");
    expect_refused(generate({"--threads", std::string(400, '9')}), "999...': accepted");
}

// Terminals obey escapes, CSI of one character (U+009B) and U+202E; files hold what they like.
TEST(EngineMessages, show_what_people_and_files_say_without_its_escapes) {
    const std::string nasty = "a\x1b[31m\xC2\x9B\xE2\x80\xAE\x07\r\n\xFF";
    const std::string shown = "a\\u{1b}[31m\\u{9b}\\u{202e}\\u{7}\\r\\n\\xff";
    const fakes::TemporaryFolder folder;
    const auto model = folder.path() / "model";
    fs::copy(small_bf16, model, fs::copy_options::recursive);
    const auto file = folder.write("t.safetensors", [&] {
        const std::string header =
            R"({"b\u001b[31m":{"dtype":"I32","shape":[1],"data_offsets":[0,4]}})";
        std::string bytes(8, '\0');
        bytes[0] = static_cast<char>(header.size());
        return bytes + header + std::string(4, '\0');
    }());
    for (const auto& arguments :
         {Arguments{nasty}, Arguments{"info", "--model", nasty}, generate({"--tokens", nasty}),
          generate({"--tokens-file", nasty}), generate({"--prompt-file", nasty}),
          generate({"--tokens", "1", nasty}), generate({"--tokens", "1", "--fault", nasty}),
          generate({"--tokens", "1", "--backend", nasty}),
          Arguments{"score", "--model", small_bf16, "--tokens", "1", "--logits-out",
                    "/nowhere/" + nasty}}) {
        expect_refused(arguments, shown);
    }
    expect_refused(generate({"--tokens-file", file.string() + ":x"}), "b\\u{1b}[31m");
    std::ofstream(model / "config.json") << "{\"model_type\":\"\\u001b[31m\"}";
    const auto config = engine({"info", "--model", model.string()});
    EXPECT_EQ(config.exit_code, 2);
    EXPECT_THAT(config.err, Not(HasSubstr("\x1b")));
}

TEST(EngineMessages, in_JSON_are_UTF8_whatever_the_name_of_the_model) {
    const fakes::TemporaryFolder folder;
    const auto model = folder.path() / "caf\xE9\x1b[3m";
    fs::copy(small_bf16, model, fs::copy_options::recursive);
    const auto json = engine({"info", "--json", "--model", model.string()});
    ASSERT_EQ(json.exit_code, 0) << json.err;
    EXPECT_EQ(fakes::json_lines(json.out).at(0).at("model").at("name"), "caf\xEF\xBF\xBD\x1b[3m");
    const auto text = engine({"info", "--model", model.string()});
    EXPECT_THAT(text.out, StartsWith("caf\\xe9\\u{1b}[3m: "));
}

TEST(EngineFiles, that_are_pipes_or_devices_are_refused_at_once) {
    const fakes::TemporaryFolder folder;
    const auto pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const Arguments tokenize{"tokenize", "--model", small_bf16};
    for (const auto& arguments :
         {generate({"--prompt-file", pipe}), generate({"--tokens-file", pipe}),
          generate({"--tokens-file", pipe + ":tokens"}), with(tokenize, {"--jsonl", pipe}),
          Arguments{"synth", "--config", pipe, "--out", folder.path() / "out"},
          Arguments{"score", "--model", small_bf16, "--tokens", "1", "--logits-out", pipe}}) {
        expect_refused(arguments, pipe + ": is a pipe");
    }
    expect_refused(with(tokenize, {"--prompt-file", "/dev/zero"}), "/dev/zero: is a device");
}

TEST(EngineFiles, of_a_model_that_are_pipes_are_refused_at_once) {
    for (const char* name : {"config.json", "generation_config.json", "tokenizer.json",
                             "model.safetensors.index.json", "model-00001-of-00002.safetensors"}) {
        const fakes::TemporaryFolder folder;
        const auto model = folder.path() / "model";
        fs::copy(small_bf16, model, fs::copy_options::recursive);
        fs::remove(model / name);
        ASSERT_EQ(::mkfifo((model / name).c_str(), 0600), 0);
        expect_refused(
            {"generate", "--model", model.string(), "--max-tokens", "1", "--prompt", "a", "--bos"},
            std::string(name) + ": is a pipe, not a regular file; name a regular file");
    }
}

TEST(EngineFiles, that_the_process_was_given_open_may_be_pipes) {
    const auto ids = engine({"tokenize", "--model", small_bf16, "--prompt", "hello"}).out;
    const Arguments tokenize{"tokenize", "--model", small_bf16};
    for (const char* name : {"-", "/dev/stdin", "/dev/fd/0"}) {
        EXPECT_EQ(engine(with(tokenize, {"--prompt-file", name}), {.stdin_text = "hello"}).out, ids)
            << name;
        const auto bench = engine(
            {"bench", "--model", small_bf16, "--score", "--reps", "1", "--tokens-file", name},
            {.stdin_text = "[1,2,3]"});
        EXPECT_EQ(bench.exit_code, 0) << bench.err;
    }
}

TEST(EngineLogits, go_to_whatever_the_link_leads_to_also_when_that_is_not_there_yet) {
    const fakes::TemporaryFolder folder;
    const auto link = folder.path() / "link", target = folder.path() / "target";
    fs::create_symlink("target", link);
    const auto result =
        engine({"score", "--model", small_bf16, "--tokens", "1,2", "--logits-out", link.string()});
    EXPECT_EQ(result.exit_code, 0) << result.err;
    EXPECT_TRUE(fs::is_symlink(link));
    EXPECT_TRUE(fs::is_regular_file(fs::symlink_status(target)));
}

TEST(EngineLogits, to_a_folder_are_refused_before_the_work) {
    const fakes::TemporaryFolder folder;
    const auto result = engine({"score", "--model", small_bf16, "--tokens-file",
                                TARE_SOURCE_DIR "/scenarios/prompts/long256.json", "--logits-out",
                                folder.path().string()});
    EXPECT_EQ(result.exit_code, 2);
    EXPECT_THAT(result.err, HasSubstr("is a directory; nothing is left behind; name another file"));
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

// exec keeps the shell's process id, which is that of the partial file.
TEST(EngineLogits, leave_alone_what_lies_at_the_name_of_the_partial_file) {
    const char* there[] = {"echo kept > $p", "mkdir $p", "ln -s nowhere $p", "mkfifo $p",
                           "echo kept > $p; mkdir $p.2"};
    for (const auto* make : there) {
        const fakes::TemporaryFolder folder;
        const auto file = (folder.path() / "logits").string();
        const auto result =
            fakes::run({"sh", "-c",
                        "p=" + file + ".partial.$$; " + make +
                            "; exec " TARE_BUILD_DIR "/bin/tare-engine score --model " +
                            small_bf16 + " --tokens 1,2 --logits-out " + file});
        EXPECT_EQ(result.exit_code, 0) << make << ": " << result.err;
        EXPECT_GT(fs::file_size(file), 2u * 4096 * 4);
        const auto left = std::distance(fs::directory_iterator(folder.path()), {});
        EXPECT_EQ(left, std::string(make).find(".2") == std::string::npos ? 2 : 3) << make;
        EXPECT_FALSE(fs::exists(folder.path() / "nowhere"));
    }
}

TEST(EngineLogits, go_into_a_pipe_that_is_read) {
    const fakes::TemporaryFolder folder;
    const auto pipe = (folder.path() / "pipe").string();
    ASSERT_EQ(::mkfifo(pipe.c_str(), 0600), 0);
    const auto result =
        fakes::run({"sh", "-c",
                    "exec 3<>" + pipe + "; " TARE_BUILD_DIR "/bin/tare-engine score --model " +
                        small_bf16 + " --tokens 1,2 --logits-out " + pipe +
                        " >&2 & head -c 32800 <" + pipe + " | wc -c; wait $!"},
                   {.timeout_s = 20});
    EXPECT_EQ(result.out, "32800\n") << result.err;
}

fakes::Result limited(const std::string& limit, const std::string& arguments) {
    return fakes::run(
        {"sh", "-c", "ulimit " + limit + "; exec " TARE_BUILD_DIR "/bin/tare-engine " + arguments});
}

TEST(EngineLimits, of_memory_are_named_with_what_was_asked_for) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's shadow takes more address space than any limit leaves";
#endif
    const auto work = "generate --max-tokens 2 --threads 1 --tokens-file " TARE_SOURCE_DIR
                      "/scenarios/prompts/long4314.json --model " +
                      small_bf16;
    int named = 0;
    for (int kilobytes = 25'000; kilobytes <= 60'000; kilobytes += 2'500) {
        const auto result = limited("-v " + std::to_string(kilobytes), work);
        if (result.exit_code == 0) break;
        EXPECT_EQ(result.exit_code, 2) << kilobytes << ": " << result.err;
        EXPECT_THAT(result.err, AllOf(Not(HasSubstr("bad_alloc")), HasSubstr("ulimit -v")));
        named += result.err.find("bytes for ") != std::string::npos ? 1 : 0;
    }
    EXPECT_GT(named, 0) << "no limit met the state or the activations";
}

TEST(EngineLimits, of_threads_say_how_many_there_can_be) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's shadow takes more address space than any limit leaves";
#endif
    const auto result = limited(
        "-v 200000", "generate --tokens 1 --max-tokens 1 --threads 1000 --model " + small_bf16);
    EXPECT_EQ(result.exit_code, 2) << result.err;
    EXPECT_THAT(result.err,
                AllOf(HasSubstr(" of 1000 cannot be started"), HasSubstr("use --threads")));
}

// 64 KiB are also what the threads get then.
TEST(EngineLimits, of_the_stack_leave_enough_at_64_KiB) {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    GTEST_SKIP() << "a sanitizer's frames are several times as large";
#endif
    const auto model = " --model " + small_bf16;
    const std::string prompt = " --tokens-file " TARE_SOURCE_DIR "/scenarios/prompts/long256.json";
    for (const auto& work :
         {"generate --bos --prompt hello --max-tokens 4 --threads 4" + model,
          "score --precision f64" + prompt + model,
          "bench --prefill --reps 1 --moe dense" + prompt + model,
          "check chunked resume repeat segments --tokens 1,2,3" + model, std::string("roof"),
          std::string("info --plan --model synthetic:super"),
          "tokenize --prompt-file " TARE_SOURCE_DIR "/README.md" + model}) {
        const auto result = limited("-s 64", work);
        EXPECT_EQ(result.exit_code, 0) << work << ": signal " << result.signal << result.err;
    }
}

TEST(EngineSyntheticModels, say_why_they_have_neither_bos_nor_text) {
    const Arguments nano{"generate", "--model", "synthetic:nano", "--max-tokens", "1"};
    expect_refused(
        with(nano, {"--tokens", "1", "--bos"}),
        "--bos: synthetic:nano is a synthetic model, which has no id that begins a text");
    expect_refused(with(nano, {"--prompt", "a"}),
                   "synthetic:nano: a synthetic model has no tokenizer");
}

}  // namespace
