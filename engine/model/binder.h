// SPDX-License-Identifier: Apache-2.0
// Takes tensors out of a checkpoint by name, checks them, and knows which ones nobody took.
#pragma once

#include <set>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/model/weights.h"

namespace engine::model {

class Binder {
  public:
    Binder(const format::Safetensors& files, Weights& weights);

    const std::string& prefix() const { return prefix_; }  // of the layers: "backbone."

    const std::string& head_prefix() const { return head_prefix_; }  // of lm_head: ""

    bool has(std::string_view tensor) const { return files_.find(tensor) != nullptr; }

    // A linear layer `name`.weight of [rows, cols], in the format its tensors say it has.
    ops::Matrix matrix(const std::string& name, std::int64_t rows, std::int64_t cols);
    // `name` of [count, rows, cols], plain formats only: one matrix each.
    std::vector<ops::Matrix> stacked(const std::string& name,
                                     std::int64_t count,
                                     std::int64_t rows,
                                     std::int64_t cols);
    // A small tensor of the given shape.
    const format::Tensor* small(const std::string& name, std::span<const std::int64_t> shape);
    const format::Tensor* small(const std::string& name, std::int64_t count);

    void ignore(const std::string& name) { taken_.insert(name); }  // knowingly unused

    void discount(std::int64_t elements) { weights_.parameters -= elements; }

    // Throws for the first tensor that nobody took and that is not knowingly ignored.
    void require_all_taken() const;

  private:
    const format::Tensor& take(const std::string& name);
    void count(std::string_view format, std::int64_t elements);
    ops::Matrix nvfp4(const std::string& name,
                      const format::Tensor& codes,
                      std::int64_t rows,
                      std::int64_t cols);
    ops::Matrix fp8(const std::string& name,
                    const format::Tensor& bytes,
                    std::int64_t rows,
                    std::int64_t cols);
    ops::Format plain_format(const format::Tensor& tensor) const;
    float scalar(const format::Tensor& tensor) const;
    void require_shape(const format::Tensor& tensor, std::span<const std::int64_t> shape) const;
    bool ignored(std::string_view name) const;
    [[noreturn]] void fail(std::string_view tensor, std::string_view what) const;

    const format::Safetensors& files_;
    Weights& weights_;
    std::string prefix_, head_prefix_;
    std::set<std::string, std::less<>> taken_;
};

}  // namespace engine::model
