# Language, warnings, sanitizers and build speed, in one place for every target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_AUTOMOC ON)
# moc 6.4 cannot parse the concepts of libstdc++; without the compiler's predefined macros it skips them.
set(CMAKE_AUTOMOC_COMPILER_PREDEFINES OFF)
# No header is generated for another target, so no layer has to wait until the libraries below it are built.
set(CMAKE_AUTOGEN_ORIGIN_DEPENDS OFF)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/bin)

if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE RelWithDebInfo)
endif()

set(ATTN_SANITIZE "" CACHE STRING "Sanitizers to build with, for example address,undefined")

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER ${CCACHE_PROGRAM})
endif()

add_library(attn_options INTERFACE)
target_compile_options(attn_options INTERFACE
    -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Woverloaded-virtual -Wcast-align -Wconversion
    -Wno-sign-conversion -Wdouble-promotion -Wformat=2 -Werror -ffp-contract=off)
target_include_directories(attn_options INTERFACE ${PROJECT_SOURCE_DIR}/src ${PROJECT_SOURCE_DIR}/ui)

find_program(LLD_PROGRAM ld.lld)
if(LLD_PROGRAM)
    target_link_options(attn_options INTERFACE -fuse-ld=lld)
endif()

if(ATTN_SANITIZE)
    # GCC 12 reports variants as maybe uninitialised once sanitizers instrument them.
    target_compile_options(attn_options INTERFACE -fsanitize=${ATTN_SANITIZE} -fno-omit-frame-pointer
        -fno-sanitize-recover=all $<$<CXX_COMPILER_ID:GNU>:-Wno-maybe-uninitialized>)
    target_link_options(attn_options INTERFACE -fsanitize=${ATTN_SANITIZE})
endif()

add_library(attn_qt_options INTERFACE)
target_compile_definitions(attn_qt_options INTERFACE
    QT_NO_CAST_FROM_ASCII QT_NO_CAST_TO_ASCII QT_NO_CAST_FROM_BYTEARRAY QT_NO_URL_CAST_FROM_STRING
    QT_NO_FOREACH QT_USE_QSTRINGBUILDER QT_NO_NARROWING_CONVERSIONS_IN_CONNECT)
