// SPDX-License-Identifier: Apache-2.0
// Consecutive rows of a buffer, seen in place: no copy, and what is written reaches the buffer.
#pragma once

#include <cstdint>
#include <span>
#include <type_traits>

namespace engine::cpu {

[[noreturn]] void fail_slice(std::int64_t first, std::int64_t rows, std::int64_t there);

// T may be const. Whoever owns the buffer must outlive the view.
template <class T>
class RowSlice {
  public:
    RowSlice(T* data, std::int64_t rows, std::int64_t width)  // [rows, width]
        : data_(data), rows_(rows), width_(width) {}

    // A view that may write is one that may read.
    operator RowSlice<const T>() const requires(!std::is_const_v<T>) {
        return {data_, rows_, width_};
    }

    // Rows [first, first + rows). Throws std::out_of_range saying the rows asked and the rows
    // there.
    RowSlice slice(std::int64_t first, std::int64_t rows) const {
        if (first < 0 || rows < 0 || first > rows_ || rows > rows_ - first) {
            fail_slice(first, rows, rows_);
        }
        return {data_ + first * width_, rows, width_};
    }

    std::span<T> row(std::int64_t index) const {
        return {slice(index, 1).data_, static_cast<std::size_t>(width_)};
    }

    T* data() const { return data_; }

    std::int64_t rows() const { return rows_; }

    std::int64_t width() const { return width_; }

  private:
    T* data_;
    std::int64_t rows_, width_;
};

}  // namespace engine::cpu
