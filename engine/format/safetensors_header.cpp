// SPDX-License-Identifier: Apache-2.0
// Parses and checks the header of one safetensors file.
#include "engine/format/safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "engine/format/json_strict.h"

namespace engine::format {

namespace {

using nlohmann::json;
using Path = std::filesystem::path;
using Bytes = std::span<const std::byte>;

constexpr std::uint64_t max_header_bytes = 100'000'000;  // the format's own limit
constexpr std::uint64_t max_extent = std::numeric_limits<std::int64_t>::max();

[[noreturn]] void fail(const Path& file, std::string_view what) {
    throw std::runtime_error(fmt::format("{}: {}", file.string(), what));
}

[[noreturn]] void fail(const Path& file, std::string_view tensor, std::string_view what) {
    throw std::runtime_error(fmt::format("{}: tensor \"{}\": {}", file.string(), tensor, what));
}

std::uint64_t header_bytes(const Path& file, Bytes bytes) {
    const std::size_t size = bytes.size();
    if (size < 8) fail(file, fmt::format("{} bytes: too short for the 8-byte header size", size));
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), 8);
    if (header > max_header_bytes || header > size - 8) {
        fail(file, fmt::format(
                       "header size {} is over the limit {}: not a safetensors file, or cut short",
                       header, std::min<std::uint64_t>(max_header_bytes, size - 8)));
    }
    return header;
}

json parse_root(const Path& file, Bytes header) {
    const std::string_view text(reinterpret_cast<const char*>(header.data()), header.size());
    json root = parse_strictly(text, file.string() + ": header");
    if (!root.is_object()) fail(file, "header is not a JSON object");
    return root;
}

std::vector<std::int64_t> parse_shape(const Path& file,
                                      const std::string& name,
                                      const json& entry) {
    const auto shape = entry.find("shape");
    if (shape == entry.end() || !shape->is_array()) fail(file, name, "has no \"shape\" list");
    std::vector<std::int64_t> result;
    for (const json& extent : *shape) {
        const bool count = extent.is_number_unsigned() && extent.get<std::uint64_t>() <= max_extent;
        if (!count) {
            fail(file, name,
                 fmt::format("extent {} in its shape is not a count up to {}", shown(extent),
                             max_extent));
        }
        result.push_back(extent.get<std::int64_t>());
    }
    return result;
}

Dtype parse_type(const Path& file, const std::string& name, const json& entry) {
    const auto type = entry.find("dtype");
    if (type == entry.end() || !type->is_string()) fail(file, name, "has no \"dtype\"");
    const std::optional<Dtype> dtype = parse_dtype(type->get_ref<const std::string&>());
    if (!dtype) {
        fail(file, name,
             fmt::format("dtype {} is not one of F64 F32 F16 BF16 F8_E4M3 I64 I32 I16 I8 U8 BOOL",
                         shown(*type)));
    }
    return *dtype;
}

// Bytes that the shape asks for; refuses products that overflow, also where a later extent is 0.
std::uint64_t wanted_bytes(const Path& file, const Tensor& tensor) {
    std::int64_t wanted = bytes(tensor.dtype);
    for (const std::int64_t extent : tensor.shape) {
        if (__builtin_mul_overflow(wanted, extent, &wanted)) {
            fail(file, tensor.name,
                 fmt::format("shape {} overflows 63 bits", shape_text(tensor.shape)));
        }
    }
    return static_cast<std::uint64_t>(wanted);
}

Tensor parse_tensor(const Path& file, const std::string& name, const json& entry, Bytes data) {
    if (!entry.is_object()) fail(file, name, "its header entry is not an object");
    Tensor tensor{.name = name,
                  .dtype = parse_type(file, name, entry),
                  .shape = parse_shape(file, name, entry),
                  .bytes = {}};
    const auto offsets = entry.find("data_offsets");
    if (offsets == entry.end() || !offsets->is_array() || offsets->size() != 2 ||
        !(*offsets)[0].is_number_unsigned() || !(*offsets)[1].is_number_unsigned()) {
        fail(file, name, "has no \"data_offsets\" [begin, end]");
    }
    const auto begin = (*offsets)[0].get<std::uint64_t>(), end = (*offsets)[1].get<std::uint64_t>();
    if (begin > end || end > data.size()) {
        fail(file, name,
             fmt::format("data_offsets [{}, {}] reach outside the file's {} bytes of data", begin,
                         end, data.size()));
    }
    const std::uint64_t wanted = wanted_bytes(file, tensor);
    if (end - begin != wanted) {
        fail(file, name,
             fmt::format("{} {} needs {} bytes, data_offsets hold {}", format::name(tensor.dtype),
                         shape_text(tensor.shape), wanted, end - begin));
    }
    tensor.bytes = data.subspan(begin, end - begin);
    return tensor;
}

void require_tiling(const Path& file, Bytes data, std::vector<Tensor>& tensors) {
    std::stable_sort(tensors.begin(), tensors.end(), [](const Tensor& a, const Tensor& b) {
        return std::pair(a.bytes.data(), a.bytes.size()) <
               std::pair(b.bytes.data(), b.bytes.size());
    });
    const std::byte* end = data.data();
    for (const Tensor& tensor : tensors) {
        const std::ptrdiff_t distance = tensor.bytes.data() - end;
        if (distance < 0) {
            fail(file, tensor.name,
                 fmt::format("overlaps the one before it by {} bytes", -distance));
        }
        if (distance > 0) {
            fail(file, tensor.name,
                 fmt::format("{} bytes before it belong to no tensor", distance));
        }
        end = tensor.bytes.data() + tensor.bytes.size();
    }
    if (const std::ptrdiff_t rest = data.data() + data.size() - end; rest > 0) {
        fail(file, fmt::format("the last {} bytes belong to no tensor", rest));
    }
}

}  // namespace

std::vector<Tensor> parse_header(const Path& file, Bytes bytes) {
    const std::uint64_t header = header_bytes(file, bytes);
    const json root = parse_root(file, bytes.subspan(8, header));
    const Bytes data = bytes.subspan(8 + header);
    std::vector<Tensor> tensors;
    for (const auto& [name, entry] : root.items()) {
        if (name != "__metadata__") tensors.push_back(parse_tensor(file, name, entry, data));
    }
    require_tiling(file, data, tensors);
    return tensors;
}

}  // namespace engine::format
