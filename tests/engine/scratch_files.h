// SPDX-License-Identifier: Apache-2.0
// Small files that tests write, broken ones included.
#pragma once

#include <unistd.h>

#include <cstdint>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>

namespace scratch {

// A directory of this test process's own, removed with the object.
class Directory {
  public:
    Directory() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("tare_engine_test." + std::to_string(::getpid()) + "." + std::to_string(count++));
        std::filesystem::create_directories(path_);
    }

    ~Directory() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    Directory(const Directory&) = delete;
    Directory& operator=(const Directory&) = delete;

    const std::filesystem::path& path() const { return path_; }

    std::filesystem::path write(const std::string& name, std::string_view bytes) const {
        std::ofstream(path_ / name, std::ios::binary) << bytes;
        return path_ / name;
    }

  private:
    std::filesystem::path path_;
};

// The bytes of a safetensors file: header size, header, data.
inline std::string safetensors(const std::string& header, std::size_t data_bytes) {
    std::string bytes(8, '\0');
    for (std::size_t i = 0; i < 8; ++i) {
        bytes[i] = static_cast<char>(std::uint64_t(header.size()) >> (8 * i) & 255);
    }
    return bytes + header + std::string(data_bytes, '\0');
}

// What `body` throws; "" when it throws nothing.
template <class Body>
std::string message_of(const Body& body) {
    try {
        body();
    } catch (const std::exception& error) {
        return error.what();
    }
    return "";
}

}  // namespace scratch
