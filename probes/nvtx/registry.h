// SPDX-License-Identifier: Apache-2.0
// What a program registers once and uses often: domains, strings, categories, payload schemas.
//
// Registering takes a lock; looking up does not. The handles NVTX hands around are pointers to the
// objects here, which live until the process ends.
#pragma once

#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "probes/capture/records.h"
#include "probes/nvtx/text.h"

namespace probes::nvtx {

struct Category {
    std::uint32_t id;
    std::string name;
    const Category* older;
};

constexpr std::uint32_t domain_limit = 256;
constexpr std::uint32_t schema_limit = 4096;

struct Domain {
    std::string name;
    std::uint32_t index;  // below domain_limit
    std::atomic<const Category*> newest_category{nullptr};

    // "" for a category without a name. A path keeps the name its category had when the path was
    // first written.
    std::string_view category_name(std::uint32_t id) const;
};

struct Schema {
    capture::PayloadSchema layout;
    const Domain* domain;
    std::uint64_t static_id;   // given by the program; 0: none
    std::size_t static_bytes;  // of a payload whose size is left out
    bool is_op;                // "work": the range plays the part of a kernel
};

class Registry {
  public:
    Registry();

    // The same domain may be created once per ELF image: merged by name. Null when there are
    // domain_limit of them already.
    Domain* domain(std::string_view name);

    Domain* default_domain() { return default_; }

    const Text* string(std::string_view text);
    void name_category(Domain& domain, std::uint32_t id, std::string_view name);
    void name_thread(std::uint32_t tid, std::string_view name);

    // The schema's number in the file; 0 when there are schema_limit of them already. Equal
    // layouts share a number. `layout.id` is ignored.
    std::uint32_t schema(const Domain* domain,
                         std::uint64_t static_id,
                         std::size_t static_bytes,
                         capture::PayloadSchema layout);

    // Null: nobody registered it. `id` is what NVTX handed to the program, or a static id.
    const Schema* find_schema(const Domain* domain, std::uint64_t id) const;

    // What was registered since the last call, for the writer.
    std::vector<capture::PayloadSchema> take_new_schemas();
    std::vector<std::pair<std::uint32_t, std::string>> take_new_thread_names();

  private:
    std::mutex mutex_;
    std::vector<std::unique_ptr<Domain>> domains_;
    Domain* default_ = nullptr;
    std::vector<std::unique_ptr<Category>> categories_;
    std::vector<std::unique_ptr<Schema>> owned_schemas_;
    std::array<std::atomic<const Schema*>, schema_limit> schemas_{};
    std::atomic<std::uint32_t> schema_count_{0};
    TextTable strings_;
    std::vector<capture::PayloadSchema> new_schemas_;
    std::vector<std::pair<std::uint32_t, std::string>> new_thread_names_;
};

// Schema ids handed to programs are this plus the number in the file.
constexpr std::uint64_t dynamic_schema_start = std::uint64_t{1} << 32;

}  // namespace probes::nvtx
