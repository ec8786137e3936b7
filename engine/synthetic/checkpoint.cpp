// SPDX-License-Identifier: Apache-2.0
// Streams tensors into files, a buffer at a time.
#include "engine/synthetic/checkpoint.h"

#include <fmt/format.h>

#include <algorithm>
#include <vector>

#include "engine/model/config_reader.h"
#include "engine/synthetic/checkpoint_json.h"
#include "engine/synthetic/fill.h"
#include "engine/synthetic/partial_directory.h"
#include "engine/synthetic/shards.h"

namespace engine::synthetic {

namespace {

constexpr std::uint64_t buffer_bytes = std::uint64_t{64} << 20;

// Whole shards through one buffer: slices are collected until it is full, made by all threads
// together, and written.
class Stream {
  public:
    Stream(const Spec& spec, const WriteOptions& options, std::uint64_t total)
        : seed_(spec.seed), options_(options), total_(total) {
        buffer_.resize(std::min(buffer_bytes, total));
    }

    void write(const Shard& shard, const std::filesystem::path& directory) {
        NewFile file(directory / shard.file);
        const std::string text = header(shard);
        file.append(std::as_bytes(std::span(text)));
        for (const Entry* entry : shard.entries) {
            for (std::uint64_t at = 0; at < entry->bytes();) {
                at += take(*entry, at);
                if (used_ == buffer_.size()) flush(file);
            }
        }
        flush(file);
        file.close();
        written_ += text.size();
    }

    std::uint64_t written() const { return written_; }

  private:
    // As much of the entry as there is room for.
    std::uint64_t take(const Entry& entry, std::uint64_t at) {
        const auto bytes = std::min<std::uint64_t>(entry.bytes() - at, buffer_.size() - used_);
        slices_.push_back({&entry, at, std::span(buffer_).subspan(used_, bytes)});
        used_ += bytes;
        return bytes;
    }

    void flush(NewFile& file) {
        if (options_.interrupted()) throw Interrupted("interrupted; what was written is removed");
        fill(slices_, seed_, options_.threads);
        file.append(std::span<const std::byte>(buffer_).first(used_));
        written_ += used_;
        slices_.clear();
        used_ = 0;
        if (options_.progress) options_.progress(written_, total_);
    }

    std::uint64_t seed_;
    const WriteOptions& options_;
    std::uint64_t total_;
    std::uint64_t written_ = 0;
    std::vector<std::byte> buffer_;
    std::vector<Slice> slices_;
    std::uint64_t used_ = 0;
};

void require_space(const std::filesystem::path& directory, std::uint64_t needed) {
    std::error_code error;
    const auto space = std::filesystem::space(directory, error);
    if (error || needed <= space.available) return;  // unknown: writing will tell
    throw std::runtime_error(fmt::format(
        "{}: the checkpoint needs {} bytes of disk, {} are free; free space there, name another "
        "folder, or choose a smaller format or config",
        directory.parent_path().string(), needed, space.available));
}

}  // namespace

Written write_checkpoint(const Spec& spec, const WriteOptions& options) {
    const model::ConfigReader config(spec.name + ".json", spec.config);
    const Catalogue tensors = catalogue(model::read_geometry(config), spec.recipe);
    const std::vector<Shard> files = shards(tensors, options.shard_bytes);
    std::uint64_t headers = 0;
    for (const Shard& shard : files) headers += header(shard).size();
    const std::uint64_t total = tensors.bytes() + headers;

    PartialDirectory directory(options.directory);
    require_space(directory.path(), total);
    Stream stream(spec, options, total);
    for (const Shard& shard : files) stream.write(shard, directory.path());
    if (files.size() > 1) directory.write("model.safetensors.index.json", index(files));
    if (const std::string text = quantisation(tensors); !text.empty()) {
        directory.write("hf_quant_config.json", text);
    }
    directory.write("generation_config.json", generation_config(spec));
    directory.write("config.json", spec.config);  // last: what makes a folder a model
    directory.commit();
    return {.bytes = stream.written(), .shards = files.size(), .tensors = tensors.entries.size()};
}

}  // namespace engine::synthetic
