// SPDX-License-Identifier: Apache-2.0
// Products with stored weights, every format, against a float64 loop.
#include "engine/ops/matmul.h"

#include <tuple>

#include "engine/format/dtype.h"
#include "tests/engine/op_fixture.h"

namespace {

using namespace op_fixture;
using engine::cpu::Epilogue;
using engine::cpu::Matmul;
using engine::ops::Format;
using engine::ops::Matrix;

// A stored matrix and what it means.
struct Stored {
    std::vector<std::uint8_t> data, scales;
    std::vector<double> values;  // [rows, cols]
    Matrix matrix{};
};

double e2m1(int code) {
    const double magnitude[] = {0, 0.5, 1, 1.5, 2, 3, 4, 6};
    return code & 8 ? -magnitude[code & 7] : magnitude[code & 7];
}

void store_nvfp4(Stored& s, Index rows, Index cols, std::mt19937& generator) {
    const float scale = 0.0123f;
    for (Index i = 0; i < rows * cols / 2; ++i) s.data.push_back(generator() & 255);
    for (Index i = 0; i < rows * cols / 16; ++i) s.scales.push_back(generator() & 127 & ~1);
    for (Index i = 0; i < rows * cols; ++i) {
        const int byte = s.data[static_cast<std::size_t>(i / 2)];
        const double block = engine::format::widen_e4m3(s.scales[static_cast<std::size_t>(i / 16)]);
        s.values.push_back(e2m1(i % 2 ? byte >> 4 : byte & 15) * block * double(scale));
    }
    s.matrix = {Format::nvfp4,
                rows,
                cols,
                reinterpret_cast<const std::byte*>(s.data.data()),
                reinterpret_cast<const std::byte*>(s.scales.data()),
                scale};
}

void store_fp8(Stored& s, Index rows, Index cols, std::mt19937& generator) {
    const float scale = 0.0371f;
    for (Index i = 0; i < rows * cols; ++i) {
        const auto byte = static_cast<std::uint8_t>(generator() & 255);
        s.data.push_back((byte & 0x7f) == 0x7f ? 0 : byte);
        s.values.push_back(double(engine::format::widen_e4m3(s.data.back())) * double(scale));
    }
    s.matrix = {Format::fp8, rows, cols, reinterpret_cast<const std::byte*>(s.data.data()),
                nullptr,     scale};
}

Stored store(Format format, Index rows, Index cols) {
    Stored s;
    std::mt19937 generator(7);
    if (format == Format::fp8) {
        store_fp8(s, rows, cols, generator);
        return s;
    }
    if (format == Format::nvfp4) {
        store_nvfp4(s, rows, cols, generator);
        return s;
    }
    s.data.push_back(0);  // weights need no alignment
    for (Index i = 0; i < rows * cols; ++i) {
        const auto bits16 = static_cast<std::uint16_t>((generator() & 0x83ff) | 0x3c00);
        const float f32 = static_cast<float>(generator() % 2001) / 1000 - 1;
        const void* from = format == Format::f32 ? static_cast<const void*>(&f32) : &bits16;
        const std::size_t size = format == Format::f32 ? 4 : 2;
        const auto* bytes = static_cast<const std::uint8_t*>(from);
        s.data.insert(s.data.end(), bytes, bytes + size);
        s.values.push_back(format == Format::f32    ? double(f32)
                           : format == Format::bf16 ? double(engine::format::widen_bf16(bits16))
                                                    : double(engine::format::widen_f16(bits16)));
    }
    s.matrix = {format,  rows, cols, reinterpret_cast<const std::byte*>(s.data.data() + 1),
                nullptr, 1};
    return s;
}

template <class T>
std::vector<double> expected(const Stored& s,
                             const std::vector<T>& x,
                             Index rows,
                             Epilogue epilogue) {
    std::vector<double> y;
    for (Index t = 0; t < rows; ++t) {
        for (Index n = 0; n < s.matrix.rows; ++n) {
            double sum = 0;
            for (Index k = 0; k < s.matrix.cols; ++k) {
                sum += double(x[t * s.matrix.cols + k]) * s.values[n * s.matrix.cols + k];
            }
            const double positive = std::max(sum, 0.0);
            y.push_back(epilogue == Epilogue::relu2 ? positive * positive : sum);
        }
    }
    return y;
}

template <class T>
class MatmulOp : public testing::Test {};

TYPED_TEST_SUITE(MatmulOp, Precisions);

template <class T>
void check(Format format, Index rows, Index out, Index in, Epilogue epilogue) {
    const Stored s = store(format, out, in);
    const std::vector<T> x = random<T>(rows * in, 3);
    const auto y = everywhere<T>(engine::cpu::matmul_scratch(in), [&](const Backend<T>& backend) {
        std::vector<T> result(static_cast<std::size_t>(rows * out));
        const Matmul<T> op{&s.matrix, x.data(), in, result.data(), out, rows, epilogue, nullptr};
        engine::cpu::matmul<T>(backend, std::span(&op, 1));
        return result;
    });
    const double tolerance = engine::ops::matmul::declaration(format).tolerance_f32;
    EXPECT_LE(distance(y, expected(s, x, rows, epilogue)), bound<T>(tolerance))
        << engine::ops::name(format) << " rows " << rows << " out " << out << " in " << in;
}

TYPED_TEST(MatmulOp, plain_formats_of_odd_shapes_meet_the_reference) {
    for (const Format format : {Format::f32, Format::f16, Format::bf16, Format::fp8}) {
        for (const auto& [rows, out, in] : {std::tuple<Index, Index, Index>{1, 1, 1},
                                            {2, 3, 16},
                                            {3, 7, 17},
                                            {5, 31, 33},
                                            {1, 130, 192},
                                            {131, 50, 80}}) {
            check<TypeParam>(format, rows, out, in, Epilogue::none);
        }
    }
}

TYPED_TEST(MatmulOp, nvfp4_of_odd_shapes_meets_the_reference) {
    check<TypeParam>(Format::nvfp4, 1, 50, 16, Epilogue::none);
    check<TypeParam>(Format::nvfp4, 3, 7, 48, Epilogue::none);
    check<TypeParam>(Format::nvfp4, 130, 53, 80, Epilogue::none);
}

TYPED_TEST(MatmulOp, squared_relu_is_applied_after_the_scale) {
    check<TypeParam>(Format::nvfp4, 4, 20, 32, Epilogue::relu2);
    check<TypeParam>(Format::bf16, 4, 20, 32, Epilogue::relu2);
    check<TypeParam>(Format::fp8, 4, 20, 32, Epilogue::relu2);
}

// Both NaN codes, both zeros, every subnormal: the same bits on every instruction set.
TYPED_TEST(MatmulOp, every_eight_bit_code_is_widened_exactly) {
    std::vector<std::uint8_t> codes;
    for (int code = 0; code < 256; ++code) codes.push_back(static_cast<std::uint8_t>(code));
    const Matrix table{Format::fp8, 1, 256, reinterpret_cast<const std::byte*>(codes.data()),
                       nullptr,     1};
    const std::int32_t token = 0;
    const auto seen = everywhere<TypeParam>(0, [&](const Backend<TypeParam>& backend) {
        std::vector<TypeParam> row(256);
        engine::cpu::embedding(backend, {&table, &token, row.data()}, 1);
        return row;
    });
    for (std::size_t code = 0; code < 256; ++code) {
        const auto wanted = TypeParam(engine::format::widen_e4m3(codes[code]));
        EXPECT_EQ(std::isnan(seen[code]), (code & 127) == 127) << code;
        if (std::isnan(wanted)) continue;
        EXPECT_EQ(seen[code], wanted) << code;
        EXPECT_EQ(std::signbit(seen[code]), code >= 128) << code;
    }
}

TYPED_TEST(MatmulOp, a_batch_runs_every_member_on_its_own_rows_and_counts_them) {
    using T = TypeParam;
    const Stored a = store(Format::bf16, 40, 48), b = store(Format::nvfp4, 24, 48);
    const std::vector<T> x = random<T>(150 * 48, 5);
    std::int64_t rows_done = 0;
    std::vector<T> ya(149 * 40), yb(1 * 24);
    const Machine<T> machine(Set::automatic, 2, engine::cpu::matmul_scratch(48));
    const Matmul<T> batch[] = {
        {&a.matrix, x.data(), 48, ya.data(), 40, 149, Epilogue::none, &rows_done},
        {&b.matrix, x.data() + 149 * 48, 48, yb.data(), 24, 1, Epilogue::none, &rows_done}};
    engine::cpu::matmul<T>(*machine, batch);
    EXPECT_EQ(rows_done, 150);
    EXPECT_LE(distance(ya, expected(a, x, 149, Epilogue::none)), bound<T>(1e-6));
    const std::vector<T> last(x.end() - 48, x.end());
    EXPECT_LE(distance(yb, expected(b, last, 1, Epilogue::none)), bound<T>(1e-6));
}

}  // namespace
