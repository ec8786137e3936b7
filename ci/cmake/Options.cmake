# Flags every target shares, as the interface library `tare_options`.
set(TARE_SANITIZE "" CACHE STRING "value of -fsanitize= (address,undefined or thread), empty for none")

# RelWithDebInfo here means optimised as a release, with line tables: a profile without symbols
# helps nobody, and NDEBUG stays off because an assertion is cheaper than a wrong number.
set(CMAKE_CXX_FLAGS_RELWITHDEBINFO "-O2 -g1")

add_library(tare_options INTERFACE)
target_include_directories(tare_options INTERFACE "${CMAKE_SOURCE_DIR}" "${CMAKE_BINARY_DIR}/generated")
target_compile_options(tare_options INTERFACE
    # One form of code for libraries and programs, so that they share precompiled headers.
    -fPIC
    -Wall -Wextra -Wpedantic -Werror -Wshadow -Wconversion -Wno-sign-conversion -Wnon-virtual-dtor
    # Designated initialisers name what they set; the rest has its default on purpose.
    -Wno-missing-field-initializers
    # Results must not depend on whether the compiler fuses a multiply and an add.
    -ffp-contract=off)
if(TARE_SANITIZE)
  target_compile_options(tare_options INTERFACE -fsanitize=${TARE_SANITIZE} -fno-omit-frame-pointer)
  target_link_options(tare_options INTERFACE -fsanitize=${TARE_SANITIZE})
  if(TARE_SANITIZE MATCHES "undefined")
    target_compile_options(tare_options INTERFACE -fno-sanitize-recover=all)
  endif()
endif()
