// SPDX-License-Identifier: Apache-2.0
// One SQLite file, seen through plain values. database.cpp is the only file that includes the
// SQLite wrapper; every failure becomes a StoreError that names the file and what to do.
#pragma once

#include <cstdint>
#include <filesystem>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "reports/store/store.h"

namespace reports::store {

using Blob = std::vector<std::uint8_t>;
using Value = std::variant<std::monostate, std::int64_t, double, std::string, Blob>;

// nullopt becomes NULL.
template <class T>
Value nullable(const std::optional<T>& value) {
    if (!value) return {};
    if constexpr (std::is_integral_v<T>) {
        return static_cast<std::int64_t>(*value);
    } else {
        return *value;
    }
}

// A prepared statement. Columns are read by name; NULL is nullopt.
class Statement {
  public:
    ~Statement();
    Statement(Statement&&) noexcept;

    // Binds ?1, ?2, ... and starts over.
    Statement& bind(std::initializer_list<Value> values);
    bool step();                                    // to the next row; false: no more
    void run(std::initializer_list<Value> values);  // bind, then step to the end

    std::optional<std::int64_t> integer(const char* column) const;
    std::optional<double> real(const char* column) const;
    std::optional<std::string> text(const char* column) const;
    Blob blob(const char* column) const;

    // For columns that are never NULL: throws StoreError naming the column if one is.
    std::int64_t need_integer(const char* column) const;
    double need_real(const char* column) const;
    std::string need_text(const char* column) const;

  private:
    friend class Database;
    struct State;
    explicit Statement(std::unique_ptr<State> state);
    std::unique_ptr<State> state_;
};

class Database {
  public:
    enum class Open { create, read_write, read_only, immutable };

    Database(std::filesystem::path file, Open how, const Patience& patience);
    ~Database();
    Database(Database&&) noexcept;

    const std::filesystem::path& file() const;

    Statement prepare(std::string_view sql) const;
    void run(std::string_view sql, std::initializer_list<Value> values = {});
    // For "insert ... returning id".
    std::int64_t insert_returning_id(std::string_view sql, std::initializer_list<Value> values);
    void script(std::string_view sql);  // several statements
    std::int64_t last_id() const;
    int changes() const;  // rows of the last statement

    int user_version() const;
    void use_wal();  // readers and one writer at a time; stays with the file
    void copy_to(const std::filesystem::path& file) const;  // a consistent snapshot

    // Without commit() everything is rolled back.
    class Transaction {
      public:
        explicit Transaction(Database& database);  // takes the write lock at once
        ~Transaction();
        Transaction(const Transaction&) = delete;
        Transaction& operator=(const Transaction&) = delete;
        void commit();

      private:
        Database& database_;
        bool open_ = true;
    };

    // Everything read while it lives is from one moment.
    class Snapshot {
      public:
        explicit Snapshot(const Database& database);
        ~Snapshot();
        Snapshot(const Snapshot&) = delete;
        Snapshot& operator=(const Snapshot&) = delete;

      private:
        const Database& database_;
    };

  private:
    struct State;
    std::unique_ptr<State> state_;
};

}  // namespace reports::store
