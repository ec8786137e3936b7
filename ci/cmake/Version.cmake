# generated/version.h is rewritten at every build when the commit or the tree's state changed,
# so `--version` never names a commit that was not built.
string(TOUPPER "${CMAKE_BUILD_TYPE}" tare_build_type)
add_custom_target(tare_version
    COMMAND ${CMAKE_COMMAND} -DSOURCE=${CMAKE_SOURCE_DIR} -DVERSION=${PROJECT_VERSION}
            -DOUTPUT=${CMAKE_BINARY_DIR}/generated/version.h -DCOMPILER=${CMAKE_CXX_COMPILER_ID}-${CMAKE_CXX_COMPILER_VERSION}
            "-DFLAGS=${CMAKE_CXX_FLAGS} ${CMAKE_CXX_FLAGS_${tare_build_type}}" -DBUILD_TYPE=${CMAKE_BUILD_TYPE}
            "-DSANITIZE=${TARE_SANITIZE}"
            -P ${CMAKE_SOURCE_DIR}/ci/cmake/WriteVersion.cmake
    BYPRODUCTS ${CMAKE_BINARY_DIR}/generated/version.h
    COMMENT "version.h")
