// SPDX-License-Identifier: Apache-2.0
// A model folder in which something is not the file it should be: refused by name, without waiting.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/capability.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <filesystem>

#include "engine/commands/bus_error.h"
#include "engine/model/model.h"
#include "engine/model/session.h"
#include "tests/engine/tiny_model.h"

namespace {

namespace fs = std::filesystem;
using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Rows;
using engine::model::Session;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* index_text = R"({"weight_map":{"a":"model.safetensors"}})";

// A good model with all the files that opening one reads; the index is added where it is broken.
void write_model(const scratch::Directory& directory) {
    tiny_model::write(directory, tiny_model::tensors(), tiny_model::config());
    directory.write("generation_config.json", R"({"eos_token_id":2})");
}

constexpr const char* files[] = {"config.json", "generation_config.json", "model.safetensors",
                                 "model.safetensors.index.json"};

// The refusal when `name` has been replaced by what `replace` puts there.
template <class Replace>
std::string refusal(const std::string& name, const Replace& replace) {
    const scratch::Directory directory;
    write_model(directory);
    fs::remove(directory.path() / name);
    replace(directory.path() / name);
    return scratch::message_of([&] { Model::open(directory.path()); });
}

TEST(ModelFiles, a_pipe_in_place_of_a_file_is_refused_without_waiting_for_a_writer) {
    for (const std::string name : files) {
        const auto pipe = [](const fs::path& path) { ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0); };
        EXPECT_THAT(refusal(name, pipe), AllOf(HasSubstr(name), HasSubstr("is a pipe")));
    }
}

TEST(ModelFiles, a_directory_in_place_of_a_file_is_refused) {
    for (const std::string name : files) {
        const auto make = [](const fs::path& path) { fs::create_directory(path); };
        EXPECT_THAT(refusal(name, make), AllOf(HasSubstr(name), HasSubstr("is a directory")));
    }
}

TEST(ModelFiles, an_empty_file_is_refused) {
    for (const std::string name : files) {
        const auto make = [](const fs::path& path) { std::ofstream{path}; };
        EXPECT_THAT(
            refusal(name, make),
            AllOf(HasSubstr(name), testing::AnyOf(HasSubstr("is empty"), HasSubstr("end"))));
    }
}

TEST(ModelFiles, a_link_to_nothing_is_refused) {
    for (const std::string name : {"model.safetensors"}) {
        const auto make = [](const fs::path& path) { fs::create_symlink("nowhere", path); };
        EXPECT_THAT(refusal(name, make), HasSubstr(name));
    }
}

// Root may read every file: not while this object lives.
class WithoutOverride {
  public:
    WithoutOverride() {
        ::syscall(SYS_capget, &header_, sets_);
        const auto effective = sets_[0].effective;
        sets_[0].effective &= ~(1u << CAP_DAC_OVERRIDE | 1u << CAP_DAC_READ_SEARCH);
        ::syscall(SYS_capset, &header_, sets_);
        sets_[0].effective = effective;
    }

    ~WithoutOverride() { ::syscall(SYS_capset, &header_, sets_); }

    WithoutOverride(const WithoutOverride&) = delete;
    WithoutOverride& operator=(const WithoutOverride&) = delete;

  private:
    __user_cap_header_struct header_{_LINUX_CAPABILITY_VERSION_3, 0};
    __user_cap_data_struct sets_[2]{};
};

TEST(ModelFiles, a_file_without_permission_is_refused) {
    for (const std::string name : files) {
        const scratch::Directory directory;
        write_model(directory);
        if (name == files[3]) directory.write(name, index_text);
        fs::permissions(directory.path() / name, fs::perms::none);
        const WithoutOverride mortal;
        EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                    AllOf(HasSubstr(name), HasSubstr("Permission denied")));
    }
}

TEST(ModelFiles, no_model_at_all_says_what_is_missing) {
    const scratch::Directory directory;
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path() / "none"); }),
                HasSubstr("no config.json"));
    const auto file = directory.write("file", "text");
    EXPECT_THAT(scratch::message_of([&] { Model::open(file); }), HasSubstr("Give a directory"));
    directory.write("config.json", tiny_model::config().dump());
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                AllOf(HasSubstr("no weights"), HasSubstr("neither model.safetensors nor"),
                      HasSubstr("model.safetensors.index.json")));
}

TEST(ModelFiles, a_shard_that_is_not_there_is_named_with_its_index) {
    const scratch::Directory directory;
    write_model(directory);
    directory.write("model.safetensors.index.json",
                    R"({"weight_map":{"a":"model-00001-of-00002.safetensors"}})");
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                AllOf(HasSubstr("index.json"), HasSubstr("model-00001-of-00002.safetensors"),
                      HasSubstr("not there")));
}

TEST(ModelFiles, an_index_of_other_tensors_than_its_shards_hold_is_refused) {
    const scratch::Directory directory;
    write_model(directory);
    directory.write("model.safetensors.index.json", index_text);
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                AllOf(HasSubstr("\"a\""), HasSubstr("model.safetensors")));
}

TEST(ModelFiles, a_config_that_is_too_long_to_be_one_is_not_read) {
    const scratch::Directory directory;
    write_model(directory);
    fs::resize_file(directory.path() / "config.json", std::uint64_t{1} << 40);  // sparse
    EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                AllOf(HasSubstr("config.json"), HasSubstr("over the limit")));
}

// The same file at every length: never accepted, and every message names it.
TEST(ModelFiles, a_weight_file_cut_short_anywhere_is_refused) {
    const scratch::Directory directory;
    write_model(directory);
    const fs::path file = directory.path() / "model.safetensors";
    for (auto size = static_cast<std::int64_t>(fs::file_size(file)) - 1; size >= 0; size -= 7) {
        fs::resize_file(file, static_cast<std::uint64_t>(size));
        EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                    HasSubstr("model.safetensors"))
            << size;
    }
}

TEST(ModelFiles, a_config_cut_short_anywhere_is_refused) {
    const scratch::Directory directory;
    write_model(directory);
    const fs::path file = directory.path() / "config.json";
    for (auto size = static_cast<std::int64_t>(fs::file_size(file)) - 1; size >= 0; --size) {
        fs::resize_file(file, static_cast<std::uint64_t>(size));
        EXPECT_THAT(scratch::message_of([&] { Model::open(directory.path()); }),
                    HasSubstr("config.json"))
            << size;
    }
}

// A page of the mapping that is gone: a sentence and exit code 2 instead of a bare signal.
TEST(ModelFilesDeathTest, a_weight_file_that_shrinks_in_use_is_explained) {
    GTEST_FLAG_SET(death_test_style, "threadsafe");
    const scratch::Directory directory;
    for (const auto& entry :
         fs::directory_iterator(TARE_SOURCE_DIR "/tests/golden/family/legacy")) {
        fs::copy(entry.path(), directory.path());
    }
    const auto shrink_and_run = [&] {
        engine::commands::explain_bus_errors();
        const Model model = Model::open(directory.path());
        fs::resize_file(directory.path() / "model.safetensors", 4096);
        engine::trace::Tracer tracer;
        Session session(model, {.threads = 1, .max_tokens = 4}, tracer);
        session.forward(std::vector<std::int32_t>{1, 2, 3}, Rows::last, [](const LogitsBlock&) {});
        std::_Exit(0);
    };
    EXPECT_EXIT(shrink_and_run(), testing::ExitedWithCode(2), "became shorter");
}

}  // namespace
