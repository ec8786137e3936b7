// SPDX-License-Identifier: Apache-2.0
// Reads safetensors: one file, or shards listed by model.safetensors.index.json.
//
// Layout of a file: u64 little-endian header size, JSON header {name: {dtype, shape,
// data_offsets}}, then the data, which the tensors tile without holes or overlaps.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "engine/format/dtype.h"
#include "engine/format/mapped_file.h"

namespace engine::format {

// A stored tensor, lying in its file's mapping. Not necessarily aligned to its element size.
struct Tensor {
    std::string name;
    Dtype dtype = Dtype::f32;
    std::vector<std::int64_t> shape;  // row-major; empty: a scalar
    std::span<const std::byte> bytes;

    std::int64_t elements() const;
};

std::string shape_text(std::span<const std::int64_t> shape);  // "[4096, 192]"

// Tensors by name; owns the mappings that they lie in.
// Opening throws std::runtime_error with file, tensor, the value seen and the limit.
class Safetensors {
  public:
    static Safetensors open_file(const std::filesystem::path& file);

    // Tensors that lie in memory. `origin` stands in messages where a file's path would; `owner`
    // holds the bytes. Throws std::runtime_error for a name that appears twice.
    static Safetensors in_memory(std::string origin,
                                 std::vector<Tensor> tensors,
                                 std::shared_ptr<const void> owner);

    // A directory with model.safetensors.index.json (every shard's tensors must be the ones the
    // index lists for it, no more and no fewer), or else with one model.safetensors.
    static Safetensors open_directory(const std::filesystem::path& directory);

    const std::map<std::string, Tensor, std::less<>>& tensors() const { return tensors_; }

    const Tensor* find(std::string_view name) const;  // nullptr: no such tensor
    const Tensor& at(std::string_view name) const;    // throws std::runtime_error naming it

    const std::vector<MappedFile>& files() const { return files_; }

    const std::string& origin() const { return origin_; }  // path of the file or the directory

    std::uint64_t stored_bytes() const;  // of the files; in memory: of the tensors

  private:
    void add(const std::filesystem::path& file);

    std::string origin_;
    std::shared_ptr<const void> owner_;

    std::vector<MappedFile> files_;
    std::map<std::string, Tensor, std::less<>> tensors_;
};

}  // namespace engine::format
