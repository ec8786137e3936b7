// SPDX-License-Identifier: Apache-2.0
// The registered objects of a traced program.
#include "probes/nvtx/registry.h"

namespace probes::nvtx {
namespace {

bool same_layout(const capture::PayloadSchema& a, const capture::PayloadSchema& b) {
    if (a.name != b.name || a.fields.size() != b.fields.size()) {
        return false;
    }
    for (std::size_t i = 0; i < a.fields.size(); ++i) {
        const capture::PayloadField& x = a.fields[i];
        const capture::PayloadField& y = b.fields[i];
        if (x.name != y.name || x.type != y.type || x.offset != y.offset || x.size != y.size) {
            return false;
        }
    }
    return true;
}

}  // namespace

std::string_view Domain::category_name(std::uint32_t id) const {
    const Category* category = newest_category.load(std::memory_order_acquire);
    while (category != nullptr && category->id != id) {
        category = category->older;
    }
    return category == nullptr ? std::string_view() : category->name;
}

Registry::Registry() {
    default_ = domain("");
}

Domain* Registry::domain(std::string_view name) {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Domain>& domain : domains_) {
        if (domain->name == name) {
            return domain.get();
        }
    }
    if (domains_.size() == domain_limit) {
        return nullptr;
    }
    auto fresh = std::make_unique<Domain>();
    fresh->name = name;
    fresh->index = static_cast<std::uint32_t>(domains_.size());
    domains_.push_back(std::move(fresh));
    return domains_.back().get();
}

const Text* Registry::string(std::string_view text) {
    const std::lock_guard lock(mutex_);
    return strings_.intern(text);
}

void Registry::name_category(Domain& domain, std::uint32_t id, std::string_view name) {
    const std::lock_guard lock(mutex_);
    if (domain.category_name(id) == name) {
        return;
    }
    categories_.push_back(std::make_unique<Category>(
        Category{.id = id, .name = std::string(name), .older = domain.newest_category.load()}));
    domain.newest_category.store(categories_.back().get(), std::memory_order_release);
}

void Registry::name_thread(std::uint32_t tid, std::string_view name) {
    const std::lock_guard lock(mutex_);
    new_thread_names_.emplace_back(tid, name);
}

std::uint32_t Registry::schema(const Domain* domain,
                               std::uint64_t static_id,
                               std::size_t static_bytes,
                               capture::PayloadSchema layout) {
    const std::lock_guard lock(mutex_);
    for (const std::unique_ptr<Schema>& known : owned_schemas_) {
        if (known->domain == domain && known->static_id == static_id &&
            same_layout(known->layout, layout)) {
            return known->layout.id;
        }
    }
    const std::uint32_t id = schema_count_.load(std::memory_order_relaxed) + 1;
    if (id >= schema_limit) {
        return 0;
    }
    layout.id = id;
    const bool is_op = layout.name == "work";
    new_schemas_.push_back(layout);
    owned_schemas_.push_back(std::make_unique<Schema>(Schema{.layout = std::move(layout),
                                                             .domain = domain,
                                                             .static_id = static_id,
                                                             .static_bytes = static_bytes,
                                                             .is_op = is_op}));
    schemas_[id].store(owned_schemas_.back().get(), std::memory_order_release);
    schema_count_.store(id, std::memory_order_release);
    return id;
}

const Schema* Registry::find_schema(const Domain* domain, std::uint64_t id) const {
    if (id > dynamic_schema_start) {
        const std::uint64_t number = id - dynamic_schema_start;
        return number < schema_limit ? schemas_[number].load(std::memory_order_acquire) : nullptr;
    }
    const std::uint32_t count = schema_count_.load(std::memory_order_acquire);
    for (std::uint32_t number = count; id != 0 && number > 0; --number) {
        const Schema* schema = schemas_[number].load(std::memory_order_acquire);
        if (schema->static_id == id && schema->domain == domain) {
            return schema;
        }
    }
    return nullptr;
}

std::vector<capture::PayloadSchema> Registry::take_new_schemas() {
    const std::lock_guard lock(mutex_);
    return std::exchange(new_schemas_, {});
}

std::vector<std::pair<std::uint32_t, std::string>> Registry::take_new_thread_names() {
    const std::lock_guard lock(mutex_);
    return std::exchange(new_thread_names_, {});
}

}  // namespace probes::nvtx
