# Third-party packages. All come from Debian or the Python package registry (CONTRIBUTING.md).
find_package(Threads REQUIRED)
find_package(OpenSSL REQUIRED COMPONENTS Crypto)   # sha256
find_package(nlohmann_json REQUIRED)               # config.json, protocol lines, reports
find_package(fmt REQUIRED)                         # text formatting
find_package(CLI11 REQUIRED)                       # option parsing
find_package(tomlplusplus REQUIRED)                # scenarios
find_package(SQLiteCpp REQUIRED)                   # the store
find_package(SQLite3 REQUIRED)
find_package(GTest REQUIRED)
find_package(benchmark REQUIRED)
find_package(Boost 1.74 REQUIRED)                  # headers only: distributions of reports/stats
find_library(ZSTD_LIBRARY zstd REQUIRED)           # raw files at rest
find_path(ZSTD_INCLUDE_DIR zstd.h REQUIRED)

find_library(PCRE2_LIBRARY pcre2-8 REQUIRED)       # the tokenizer's regular expressions
find_path(PCRE2_INCLUDE_DIR pcre2.h REQUIRED)

add_library(tare_pcre2 INTERFACE)
target_include_directories(tare_pcre2 SYSTEM INTERFACE "${PCRE2_INCLUDE_DIR}")
target_compile_definitions(tare_pcre2 INTERFACE PCRE2_CODE_UNIT_WIDTH=8)
target_link_libraries(tare_pcre2 INTERFACE "${PCRE2_LIBRARY}")

add_library(tare_zstd INTERFACE)
target_include_directories(tare_zstd SYSTEM INTERFACE "${ZSTD_INCLUDE_DIR}")
target_link_libraries(tare_zstd INTERFACE "${ZSTD_LIBRARY}")

# NVTX is header-only and always needed: from a CUDA toolkit >= 13.0, else from the pinned wheel
# that ci/setup unpacked into $TARE_CUDA_HOME.
set(TARE_CUDA_HOME "" CACHE PATH "CUDA toolkit >= 13.0 (ci/setup passes the one it found or made)")
find_path(NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h
    HINTS "${TARE_CUDA_HOME}/include" "$ENV{CUDA_HOME}/include" /usr/local/cuda/include
    NO_DEFAULT_PATH)
if(NOT NVTX_INCLUDE_DIR)
  message(FATAL_ERROR "NVTX headers not found (nvtx3/nvToolsExt.h). Run ci/setup, or pass "
                      "-DTARE_CUDA_HOME=<CUDA toolkit 13.0 or newer>.")
endif()
add_library(tare_nvtx INTERFACE)
target_include_directories(tare_nvtx SYSTEM INTERFACE "${NVTX_INCLUDE_DIR}")
target_link_libraries(tare_nvtx INTERFACE ${CMAKE_DL_LIBS})

# The CUDA compiler is optional: without it the build is the full CPU product.
find_program(TARE_NVCC nvcc
    HINTS "${TARE_CUDA_HOME}/bin" "$ENV{CUDA_HOME}/bin" /usr/local/cuda/bin NO_DEFAULT_PATH)
if(TARE_NVCC)
  set(CMAKE_CUDA_COMPILER "${TARE_NVCC}")
  # Machine code only, for the architectures that are measured: no PTX, so nothing is compiled at run time.
  set(CMAKE_CUDA_ARCHITECTURES "80-real;90a-real" CACHE STRING "CUDA architectures")
  enable_language(CUDA)
  # CMake 3.25 does not know yet that nvcc speaks C++20.
  set(CMAKE_CUDA20_STANDARD_COMPILE_OPTION "-std=c++20")
  set(CMAKE_CUDA20_EXTENSION_COMPILE_OPTION "-std=c++20")
  message(STATUS "CUDA compiler: ${TARE_NVCC} (${CMAKE_CUDA_COMPILER_VERSION})")
else()
  message(STATUS "CUDA compiler: not found. Building the full CPU product; left out: the programs under tests/gpu.")
endif()
