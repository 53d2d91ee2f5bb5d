# Third-party code: the system's packages first, FetchContent with a pinned tag where they are missing.
# Every dependency ends as one target, named here, so the rest of the build does not care where it came from.
include(FetchContent)
set(FETCHCONTENT_TRY_FIND_PACKAGE_MODE OPT_IN)
find_package(Threads REQUIRED)
find_package(PkgConfig QUIET)

# glm::glm, nlohmann_json::nlohmann_json, tinyobjloader::tinyobjloader, Eigen3::Eigen, CLI11::CLI11, glfw
FetchContent_Declare(glm GIT_REPOSITORY https://github.com/g-truc/glm GIT_TAG 1.0.1 FIND_PACKAGE_ARGS)
FetchContent_Declare(nlohmann_json GIT_REPOSITORY https://github.com/nlohmann/json GIT_TAG v3.11.2 FIND_PACKAGE_ARGS 3.9)
FetchContent_Declare(tinyobjloader GIT_REPOSITORY https://github.com/tinyobjloader/tinyobjloader GIT_TAG v2.0.0rc13
                     FIND_PACKAGE_ARGS CONFIG)
# Eigen's own build makes hundreds of tests and copies of BLAS; its headers are all that is wanted.
FetchContent_Declare(Eigen3 GIT_REPOSITORY https://gitlab.com/libeigen/eigen.git GIT_TAG 3.4.0 SOURCE_SUBDIR unused
                     FIND_PACKAGE_ARGS 3.4 NO_MODULE)
FetchContent_MakeAvailable(glm nlohmann_json tinyobjloader Eigen3)
if(NOT TARGET Eigen3::Eigen)
  add_library(limber_eigen INTERFACE)
  target_include_directories(limber_eigen SYSTEM INTERFACE ${eigen3_SOURCE_DIR})
  add_library(Eigen3::Eigen ALIAS limber_eigen)
endif()
if(NOT TARGET tinyobjloader::tinyobjloader)  # its own build has the name without the namespace
  add_library(tinyobjloader::tinyobjloader ALIAS tinyobjloader)
endif()
if(LIMBER_APP)
  FetchContent_Declare(CLI11 GIT_REPOSITORY https://github.com/CLIUtils/CLI11 GIT_TAG v2.3.2 FIND_PACKAGE_ARGS)
  set(GLFW_BUILD_DOCS OFF CACHE BOOL "" FORCE)
  set(GLFW_BUILD_TESTS OFF CACHE BOOL "" FORCE)
  set(GLFW_BUILD_EXAMPLES OFF CACHE BOOL "" FORCE)
  FetchContent_Declare(glfw3 GIT_REPOSITORY https://github.com/glfw/glfw GIT_TAG 3.3.8 FIND_PACKAGE_ARGS 3.3)
  FetchContent_MakeAvailable(CLI11 glfw3)
  find_package(ZLIB REQUIRED)

  # limber_stb: headers only, no CMake package of its own
  add_library(limber_stb INTERFACE)
  find_path(STB_INCLUDE_DIR NAMES stb_image_write.h PATH_SUFFIXES stb)
  if(NOT STB_INCLUDE_DIR)
    FetchContent_Declare(stb GIT_REPOSITORY https://github.com/nothings/stb GIT_TAG f75e8d1cad7d90d72ef7a4661f1b994ef78b4e31)
    FetchContent_MakeAvailable(stb)
    set(STB_INCLUDE_DIR ${stb_SOURCE_DIR} CACHE PATH "" FORCE)
  endif()
  target_include_directories(limber_stb SYSTEM INTERFACE ${STB_INCLUDE_DIR})

  # limber_imgui: Debian ships it with the glfw and opengl3 backends inside, through pkg-config only
  if(PkgConfig_FOUND)
    pkg_check_modules(IMGUI QUIET IMPORTED_TARGET imgui)
  endif()
  if(IMGUI_FOUND)
    add_library(limber_imgui INTERFACE)
    target_link_libraries(limber_imgui INTERFACE PkgConfig::IMGUI glfw ${CMAKE_DL_LIBS})
  else()
    FetchContent_Declare(imgui GIT_REPOSITORY https://github.com/ocornut/imgui GIT_TAG v1.89.9)
    FetchContent_MakeAvailable(imgui)
    file(GLOB imgui_sources ${imgui_SOURCE_DIR}/*.cpp)
    add_library(limber_imgui STATIC ${imgui_sources} ${imgui_SOURCE_DIR}/backends/imgui_impl_glfw.cpp
                ${imgui_SOURCE_DIR}/backends/imgui_impl_opengl3.cpp)
    target_include_directories(limber_imgui SYSTEM PUBLIC ${imgui_SOURCE_DIR})
    # In one translation unit GLFW's OpenGL headers would come before ImGui's own loader, which refuses that.
    set_target_properties(limber_imgui PROPERTIES UNITY_BUILD OFF)
    target_link_libraries(limber_imgui PUBLIC glfw ${CMAKE_DL_LIBS})
  endif()

  # limber_glad: generated at build time by glad 2 from the registry it carries with it
  find_program(GLAD_EXECUTABLE glad PATHS /usr/bin NO_DEFAULT_PATH)
  find_program(GLAD_EXECUTABLE glad)
  set(glad_extensions GL_KHR_debug,GL_ARB_buffer_storage,GL_EXT_texture_filter_anisotropic)
  if(GLAD_EXECUTABLE)
    set(glad_dir ${CMAKE_BINARY_DIR}/glad)
    add_custom_command(
      OUTPUT ${glad_dir}/src/gl.c ${glad_dir}/include/glad/gl.h
      COMMAND ${GLAD_EXECUTABLE} --quiet --reproducible --api gl:core=3.3 --extensions ${glad_extensions}
              --out-path ${glad_dir} c
      COMMENT "Generating the OpenGL 3.3 core loader" VERBATIM)
    add_library(limber_glad STATIC ${glad_dir}/src/gl.c)
    target_include_directories(limber_glad SYSTEM PUBLIC ${glad_dir}/include)
  else()
    FetchContent_Declare(glad GIT_REPOSITORY https://github.com/Dav1dde/glad GIT_TAG v2.0.8 SOURCE_SUBDIR cmake)
    FetchContent_MakeAvailable(glad)
    string(REPLACE "," ";" glad_extensions "${glad_extensions}")
    glad_add_library(limber_glad STATIC REPRODUCIBLE API gl:core=3.3 EXTENSIONS ${glad_extensions})
  endif()
endif()
if(LIMBER_TESTS)
  FetchContent_Declare(googletest GIT_REPOSITORY https://github.com/google/googletest GIT_TAG v1.14.0
                       FIND_PACKAGE_ARGS NAMES GTest)
  FetchContent_MakeAvailable(googletest)
endif()
