# attn_layer(NAME [QT] LINKS target…)
#
# One library per folder: every .cpp and .h of the folder and its sub-folders belongs to it. Static, but shared for
# the sanitizers (presets), where a copy of the program in each test would take 18 GB. QT adds the project's Qt
# definitions. A folder may include only what it links (STYLE: layers); tests/layering checks the rest.
function(attn_layer name)
    cmake_parse_arguments(arg "QT" "" "LINKS" ${ARGN})
    file(GLOB_RECURSE sources CONFIGURE_DEPENDS *.cpp *.h)
    list(FILTER sources EXCLUDE REGEX "/main\\.cpp$")
    if(CMAKE_CURRENT_SOURCE_DIR STREQUAL "${PROJECT_SOURCE_DIR}/ui")
        list(FILTER sources EXCLUDE REGEX "/ui/widgets/")
    endif()
    add_library(${name} ${sources})
    target_link_libraries(${name} PUBLIC attn_options ${arg_LINKS})
    set_target_properties(${name} PROPERTIES AUTOMOC ${arg_QT} DEFINE_SYMBOL "")
    if(arg_QT)
        target_link_libraries(${name} PUBLIC attn_qt_options)
    endif()
endfunction()
