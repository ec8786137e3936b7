// SPDX-License-Identifier: Apache-2.0
// Looks for NaN and infinities.
#include "engine/model/finite.h"

#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <string>
#include <vector>

namespace engine::model {

namespace {

using format::Dtype;
using format::Tensor;

// A float is not finite when its exponent is all ones: adding one to the exponent then reaches the
// sign bit, which was cleared. Two floats, or one double, a word.
template <class T>
constexpr std::uint64_t magnitude_bits = sizeof(T) == 4 ? 0x7fffffff'7fffffffu
                                                        : 0x7fffffff'ffffffffu;
template <class T>
constexpr std::uint64_t exponent_one = sizeof(T) == 4 ? 0x00800000'00800000u : 0x00100000'00000000u;

template <class T>
bool all_finite(const T* values, std::size_t count) {
    constexpr std::size_t step = sizeof(std::uint64_t) / sizeof(T);
    std::uint64_t seen = 0;
    std::size_t i = 0;
    for (; i + step <= count; i += step) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, values + i, sizeof bits);
        seen |= (bits & magnitude_bits<T>)+exponent_one<T>;
    }
    bool rest = true;
    for (; i < count; ++i) rest = rest && std::isfinite(values[i]);
    return rest && (seen & ~magnitude_bits<T>) == 0;
}

float value_of(const Tensor& tensor, std::size_t i) {
    const std::byte* p = tensor.bytes.data();
    std::uint16_t bits = 0;
    float value = 0;
    switch (tensor.dtype) {
        case Dtype::f32:
            std::memcpy(&value, p + 4 * i, sizeof value);
            return value;
        case Dtype::f16:
            std::memcpy(&bits, p + 2 * i, sizeof bits);
            return format::widen_f16(bits);
        case Dtype::bf16:
            std::memcpy(&bits, p + 2 * i, sizeof bits);
            return format::widen_bf16(bits);
        case Dtype::f8_e4m3:
            return format::widen_e4m3(static_cast<std::uint8_t>(p[i]));
        default:  // integers, and the codes of NVFP4
            return 0;
    }
}

// "[3, 17]": where element i lies.
std::string place(const Tensor& tensor, std::size_t i) {
    std::vector<std::int64_t> at(tensor.shape.size());
    auto left = static_cast<std::int64_t>(i);
    for (std::size_t d = at.size(); d-- > 0;) {
        at[d] = left % tensor.shape[d];
        left /= tensor.shape[d];
    }
    return format::shape_text(at);
}

[[noreturn]] void fail(std::int64_t position, std::int64_t token, double value, const char* type) {
    throw std::runtime_error(fmt::format(
        "the logit of token {} at position {} is {} although every weight is finite: the "
        "arithmetic overflowed in {}{}",
        token, position, value, type,
        std::string_view(type) == "float32" ? "; try --precision f64" : ""));
}

template <class T>
void check_rows(const Model& model, const LogitsBlock& block, const T* logits, const char* type) {
    const auto count = static_cast<std::size_t>(block.rows * block.vocab);
    if (all_finite(logits, count)) return;
    for (const Tensor* tensor : model.weights().tensors) require_finite(*tensor);
    for (std::size_t i = 0; i < count; ++i) {
        if (std::isfinite(logits[i])) continue;
        const auto at = static_cast<std::int64_t>(i);
        fail(block.first_row + at / block.vocab, at % block.vocab, double(logits[i]), type);
    }
}

}  // namespace

void require_finite(const Tensor& tensor) {
    const auto count = static_cast<std::size_t>(tensor.elements());
    for (std::size_t i = 0; i < count; ++i) {
        const float value = value_of(tensor, i);
        if (std::isfinite(value)) continue;
        throw BadWeights(
            fmt::format("tensor \"{}\": element {} of {} {} is {}: the weight file is damaged, or "
                        "was written by a training run that diverged; get it anew",
                        tensor.name, place(tensor, i), format::name(tensor.dtype),
                        format::shape_text(tensor.shape), value));
    }
}

void require_finite(const Model& model, const LogitsBlock& block) {
    if (block.f32) return check_rows(model, block, block.f32, "float32");
    check_rows(model, block, block.f64, "float64");
}

}  // namespace engine::model
