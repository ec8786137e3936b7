// SPDX-License-Identifier: Apache-2.0
// The system refused a buffer whose size is known.
#pragma once

#include <cstdint>
#include <memory>
#include <new>
#include <string>
#include <string_view>

namespace engine::model {

class NotEnoughMemory : public std::bad_alloc {
  public:
    NotEnoughMemory(std::uint64_t bytes, std::string_view use);

    const char* what() const noexcept override { return text_->c_str(); }

  private:
    std::shared_ptr<const std::string> text_;  // exceptions are copied without throwing
};

}  // namespace engine::model
