// SPDX-License-Identifier: Apache-2.0
// Members of the family that are not shipped, against the float64 reference: latent experts, sizes
// per layer, router groups, dense blocks, tied embeddings, legacy keys, every stored format.
// tools/make_family.py wrote them.
#include <gtest/gtest.h>

#include <cmath>
#include <cstring>
#include <numeric>

#include "tests/golden/golden.h"

namespace {

using engine::format::Safetensors;
using engine::model::Isa;
using engine::model::LogitsBlock;
using engine::model::Model;
using engine::model::Moe;
using engine::model::Precision;
using engine::model::Rows;
using engine::model::Session;
using engine::model::SessionOptions;

const std::string folder = TARE_SOURCE_DIR "/tests/golden/family/";

struct Outcome {
    std::vector<double> logits;  // [tokens, vocab]; a float32 is a float64
    engine::model::Counters counters;
};

class Family : public testing::TestWithParam<const char*> {
  protected:
    const Model model_ = Model::open(folder + GetParam());
    const Safetensors golden_ = Safetensors::open_file(folder + GetParam() + ".safetensors");
    const std::vector<std::int32_t> tokens_ = golden::tokens(golden_, "tokens");

    std::vector<double> expected() const {
        const auto& tensor = golden_.at("logits");
        std::vector<double> logits(static_cast<std::size_t>(tensor.elements()));
        std::memcpy(logits.data(), tensor.bytes.data(), tensor.bytes.size());
        return logits;
    }

    // Logits of every token, fed `step` tokens at a time.
    Outcome run(SessionOptions options, std::size_t step = 1000) const {
        options.max_tokens = static_cast<std::int64_t>(tokens_.size());
        engine::trace::Tracer tracer;
        Session session(model_, options, tracer);
        Outcome result;
        std::span<const std::int32_t> left = tokens_;
        while (!left.empty()) {
            const std::size_t rows = std::min(step, left.size());
            const auto plan = session.plan(static_cast<std::int64_t>(rows), Rows::all);
            const auto ops = tracer.ops();
            session.forward(left.first(rows), Rows::all, [&](const LogitsBlock& block) {
                for (std::int64_t i = 0; i < block.rows * block.vocab; ++i) {
                    result.logits.push_back(block.f32 ? double(block.f32[i]) : block.f64[i]);
                }
            });
            EXPECT_EQ(tracer.ops() - ops, plan.ops);
            if (left.size() == tokens_.size()) {  // a high-water mark: later calls may be smaller
                EXPECT_EQ(session.scratch_used_bytes(), plan.scratch_bytes);
            }
            left = left.subspan(rows);
        }
        result.counters = session.counters();
        return result;
    }

    void expect_golden(Precision precision, double tolerance) const {
        const std::vector<double> wanted = expected(), seen = run({.precision = precision}).logits;
        ASSERT_EQ(seen.size(), wanted.size());
        double error = 0, size = 0;
        for (std::size_t i = 0; i < wanted.size(); ++i) {
            error += (seen[i] - wanted[i]) * (seen[i] - wanted[i]);
            size += wanted[i] * wanted[i];
        }
        EXPECT_LE(std::sqrt(error / size), tolerance);
        const auto vocab = model_.geometry().vocab;
        for (std::size_t row = 0; row < tokens_.size(); ++row) {
            const auto best = [&](const std::vector<double>& logits) {
                const auto first = logits.begin() + static_cast<std::ptrdiff_t>(row) * vocab;
                return std::max_element(first, first + vocab) - first;
            };
            EXPECT_EQ(best(seen), best(wanted)) << "row " << row;
        }
    }
};

TEST_P(Family, float64_meets_the_reference) {
    expect_golden(Precision::f64, 1e-6);
}

TEST_P(Family, float32_meets_the_reference) {
    expect_golden(Precision::f32, 1e-4);
}

TEST_P(Family, steps_threads_sets_and_dense_experts_give_the_same_bytes) {
    for (const Precision precision : {Precision::f32, Precision::f64}) {
        const auto first = run({.precision = precision, .isa = Isa::baseline, .threads = 1});
        for (const Moe moe : {Moe::gather, Moe::dense}) {
            for (const Isa isa : {Isa::baseline, Isa::automatic}) {
                for (const int threads : {1, 3}) {
                    const SessionOptions options{
                        .precision = precision, .isa = isa, .threads = threads, .moe = moe};
                    EXPECT_EQ(run(options).logits, first.logits);
                }
            }
            EXPECT_EQ(run({.precision = precision, .moe = moe}, 1).logits, first.logits);
            EXPECT_EQ(run({.precision = precision, .moe = moe}, 7).logits, first.logits);
        }
    }
}

TEST_P(Family, expert_rows_are_counted_with_each_layer_s_own_sizes) {
    std::uint64_t picked = 0, all = 0;
    for (const auto& layer : model_.geometry().layers) {
        picked += static_cast<std::uint64_t>(layer.moe.top_k) * tokens_.size();
        all += static_cast<std::uint64_t>(layer.moe.experts) * tokens_.size();
    }
    const auto gathered = run({}).counters, dense = run({.moe = Moe::dense}).counters;
    EXPECT_EQ(gathered.expert_rows_asked, picked);
    EXPECT_EQ(gathered.expert_rows_done, picked);
    EXPECT_EQ(dense.expert_rows_asked, picked);
    EXPECT_EQ(dense.expert_rows_done, all);
}

INSTANTIATE_TEST_SUITE_P(Members, Family, testing::Values("puzzle", "legacy", "grouped"));

using Formats = std::map<std::string, std::int64_t>;

TEST(FamilyFormats, each_member_mixes_them_per_tensor) {
    const auto formats = [](const char* name) {
        return Model::open(folder + name).weights().formats;
    };
    EXPECT_GT(formats("puzzle").at("FP8"), 10);
    EXPECT_GT(formats("puzzle").at("F16"), 5);
    EXPECT_EQ(formats("legacy").count("NVFP4"), 0u);
    EXPECT_EQ(formats("legacy").at("FP8"), 2);
    EXPECT_GT(formats("grouped").at("NVFP4"), 20);
    EXPECT_GT(formats("grouped").at("FP8"), 8);
}

}  // namespace
