// SPDX-License-Identifier: Apache-2.0
// A shared library that may not be there.
#pragma once

#include <dlfcn.h>

#include <string>
#include <vector>

namespace scenarios::cli {

class Library {
  public:
    // Opens the first of `names` that can be opened (a file name, or a path).
    explicit Library(const std::vector<std::string>& names) {
        for (const std::string& name : names) {
            // Vendor libraries keep threads and memory that they do not give back: never unmap one.
            handle_ = dlopen(name.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
            if (handle_ != nullptr) return;
            const char* error = dlerror();
            if (error_.empty() && error != nullptr) error_ = error;
        }
    }

    ~Library() {
        if (handle_ != nullptr) dlclose(handle_);
    }

    Library(const Library&) = delete;
    Library& operator=(const Library&) = delete;

    explicit operator bool() const { return handle_ != nullptr; }

    const std::string& error() const { return error_; }  // of the first name

    // nullptr: not in the library.
    template <class Function>
    Function* function(const char* symbol) const {
        return handle_ == nullptr ? nullptr : reinterpret_cast<Function*>(dlsym(handle_, symbol));
    }

  private:
    void* handle_ = nullptr;
    std::string error_;
};

}  // namespace scenarios::cli
