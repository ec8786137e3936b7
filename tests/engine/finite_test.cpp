// SPDX-License-Identifier: Apache-2.0
// Weights that are no numbers: found where they are, in every format, and told from an overflow.
#include "engine/model/finite.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <filesystem>

#include "engine/cpu/backend.h"
#include "tests/engine/scratch_files.h"

namespace {

namespace fs = std::filesystem;
using engine::format::Safetensors;
using engine::model::BadWeights;
using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Precision;
using engine::model::Rows;
using engine::model::Session;
using testing::AllOf;
using testing::HasSubstr;

// A copy of one member of tests/golden/family.
class Copy {
  public:
    explicit Copy(const std::string& member) {
        const fs::path from = TARE_SOURCE_DIR "/tests/golden/family/" + member;
        for (const auto& entry : fs::directory_iterator(from)) {
            fs::copy(entry.path(), directory_.path());
        }
    }

    // Overwrites bytes of a tensor from element `at` on.
    void poke(const std::string& tensor, std::size_t at, const std::string& bytes) const {
        const auto files = Safetensors::open_directory(directory_.path());
        const std::byte* target = files.at(tensor).bytes.data() + at * bytes.size();
        for (const auto& file : files.files()) {
            const auto offset = target - file.bytes().data();
            if (offset < 0 || offset >= static_cast<std::ptrdiff_t>(file.bytes().size())) continue;
            std::fstream stream(file.path(), std::ios::in | std::ios::out | std::ios::binary);
            stream.seekp(offset);
            stream << bytes;
        }
    }

    // What a forward pass throws.
    std::string failure(Precision precision = Precision::f32) const {
        const Model model = Model::open(directory_.path());
        engine::trace::Tracer tracer;
        std::int64_t blocks = 0;
        const auto message = scratch::message_of([&] {
            Session session(model, {.precision = precision, .threads = 1, .max_tokens = 8}, tracer);
            session.forward(std::vector<std::int32_t>{5, 6, 7}, Rows::all,
                            [&](const LogitsBlock&) { ++blocks; });
        });
        EXPECT_EQ(blocks == 0, !message.empty()) << "logits were handed out";
        return message;
    }

  private:
    scratch::Directory directory_;
};

struct Case {
    const char* member;
    const char* tensor;
    std::size_t element;
    std::string bytes;
    const char* expected;
};

TEST(Finite, the_first_weight_that_is_no_number_is_named_in_every_format) {
    using namespace std::string_literals;
    const Case cases[] = {
        {"puzzle", "language_model.backbone.layers.0.mixer.in_proj.weight", 50, "\x7f", "[1, 2]"},
        {"puzzle", "language_model.backbone.layers.4.mixer.out_proj.weight", 0, "\xff", "[0, 0]"},
        {"puzzle", "language_model.backbone.layers.2.mixer.q_proj.weight", 3, "\xc0\x7f"s, "nan"},
        {"legacy", "model.layers.1.mixer.up_proj.weight", 41, "\x00\x7c"s, "[1, 1]"},
        {"legacy", "model.layers.0.mixer.in_proj.weight", 1, "\x00\x00\x80\xff"s, "-inf"},
        {"grouped", "backbone.layers.5.mixer.up_proj.weight_scale", 3, "\x7f", "[1, 1]"},
        // A NaN with a payload, in a row that gives time steps: softplus and its limits come after.
        {"legacy", "model.layers.0.mixer.in_proj.weight", 40 * 170, "\x01\x00\xc0\x7f"s, "nan"}};
    for (const Case& c : cases) {
        const Copy copy(c.member);
        EXPECT_EQ(copy.failure(), "");
        copy.poke(c.tensor, c.element, c.bytes);
        for (const Precision precision : {Precision::f32, Precision::f64}) {
            EXPECT_THAT(copy.failure(precision),
                        AllOf(HasSubstr(c.tensor), HasSubstr(c.expected), HasSubstr("damaged")));
        }
    }
}

// A NaN score makes an expert the last choice: no logit would show it.
TEST(Finite, routers_are_looked_at_before_anything_runs) {
    using namespace std::string_literals;
    const Copy copy("grouped");
    copy.poke("backbone.layers.0.mixer.gate.weight", 9, "\x00\x00\xc0\x7f"s);
    EXPECT_THAT(copy.failure(), AllOf(HasSubstr("gate.weight"), HasSubstr("[0, 9]")));
}

TEST(Finite, exp_of_any_nan_is_nan) {
    for (const std::uint32_t payload : {0u, 1u, 5u, 0x1ffu, 0x3fffffu}) {
        const float x = std::bit_cast<float>(0x7fc00000u | payload);
        float y = 0;
        engine::cpu::choose_kernels<float>(engine::cpu::Set::automatic).exp(&x, &y, 1);
        EXPECT_TRUE(std::isnan(y)) << payload;
        engine::cpu::choose_kernels<float>(engine::cpu::Set::baseline).exp(&x, &y, 1);
        EXPECT_TRUE(std::isnan(y)) << payload;
    }
}

TEST(Finite, small_weights_are_looked_at_before_anything_runs) {
    using namespace std::string_literals;
    for (const char* name : {"norm.weight", "mixer.conv1d.weight", "mixer.A_log", "mixer.D",
                             "mixer.dt_bias", "mixer.norm.weight"}) {
        const Copy copy("grouped");
        const auto tensor = std::string("backbone.layers.1.") + name;
        copy.poke(tensor, 2, "\x80\x7f"s);
        EXPECT_THAT(copy.failure(), AllOf(HasSubstr(tensor), HasSubstr("is inf")));
    }
}

TEST(Finite, scales_of_a_whole_tensor_are_looked_at_when_the_model_is_opened) {
    using namespace std::string_literals;
    const Copy copy("grouped");
    copy.poke("backbone.layers.5.mixer.up_proj.weight_scale_2", 0, "\x00\x00\xc0\x7f"s);
    EXPECT_THAT(scratch::message_of([&] { copy.failure(); }),
                AllOf(HasSubstr("up_proj.weight_scale_2"), HasSubstr("not a finite scale")));
}

// Finite weights of 1e38: the products are not.
TEST(Finite, an_overflow_is_no_fault_of_the_file) {
    using namespace std::string_literals;
    const Copy copy("legacy");
    for (std::size_t i = 0; i < 40; ++i) {
        copy.poke("model.layers.0.mixer.in_proj.weight", i, "\xff\xff\x7f\x7f"s);
        copy.poke("model.layers.2.mixer.o_proj.weight", i, "\xff\xff\x7f\x7f"s);
    }
    EXPECT_THAT(copy.failure(), AllOf(HasSubstr("every weight is finite"), HasSubstr("float32"),
                                      HasSubstr("--precision f64")));
}

TEST(Finite, one_bad_logit_among_many_is_seen_wherever_it_is) {
    const Model model = Model::open(TARE_SOURCE_DIR "/tests/golden/family/legacy");
    for (const std::int64_t vocab : {1, 2, 7, 72}) {
        for (std::int64_t i = 0; i < vocab; ++i) {
            for (const float bad : {NAN, -NAN, INFINITY, -INFINITY}) {
                std::vector<float> single(static_cast<std::size_t>(vocab), 3e38f);
                std::vector<double> wide(static_cast<std::size_t>(vocab), -1e308);
                EXPECT_NO_THROW(
                    require_finite(model, {.rows = 1, .vocab = vocab, .f32 = single.data()}));
                EXPECT_NO_THROW(
                    require_finite(model, {.rows = 1, .vocab = vocab, .f64 = wide.data()}));
                single[i] = bad;
                wide[i] = double(bad);
                EXPECT_THROW(
                    require_finite(model, {.rows = 1, .vocab = vocab, .f32 = single.data()}),
                    std::runtime_error);
                EXPECT_THROW(require_finite(model, {.rows = 1, .vocab = vocab, .f64 = wide.data()}),
                             std::runtime_error);
            }
        }
    }
}

}  // namespace
