// limber --version and --licenses.
#define GLFW_INCLUDE_NONE
#include <GLFW/glfw3.h>
#include <imgui.h>
#include <zlib.h>

#include <cstdio>
#include <fstream>
#include <iterator>

#include "app/commands/commands.hpp"
#include "app/commands/scene_source.hpp"
#include "app/render/headless_context.hpp"
#include "app/render/renderer.hpp"
#include "engine/core/simd_choice.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {
namespace {

std::string compiler() {
#if defined(__clang__)
  return "Clang " __clang_version__;
#elif defined(__GNUC__)
  return "GCC " __VERSION__;
#else
  return "unknown compiler";
#endif
}

std::string instruction_sets() {
  std::string names;
  for (const Simd simd : {Simd::scalar, Simd::w4, Simd::w8, Simd::w16})
    if (supported(simd)) names += (names.empty() ? "" : ", ") + std::string(to_string(simd));
  return names + " lanes; used: " + std::string(to_string(resolve(Simd::automatic)));
}

std::string opengl() {
  const auto context = HeadlessContext::create();
  if (!context) return "none without a display: " + context.error().text();
  const Expected<std::string> data = data_folder();
  if (!data) return data.error().text();
  const auto renderer = Renderer::create((*context)->load(), *data + "/shaders");
  return renderer ? (*renderer)->description() : renderer.error().text();
}

std::string precisions() { return built_precisions().size() > 1 ? "f32, f64" : "f32"; }

/// The first line printed by `ffmpeg -version`, up to its copyright.
std::string ffmpeg() {
  std::FILE* pipe = ::popen("ffmpeg -version 2>/dev/null", "r");
  char line[256] = "";
  const bool said = pipe && std::fgets(line, sizeof line, pipe);
  if (pipe) ::pclose(pipe);
  const std::string text(line);
  return said ? text.substr(0, text.find(" Copyright")) : "not installed (videos become PNG files)";
}

}  // namespace

std::string version_text() {
  return "limber " LIMBER_VERSION "\ncompiler  " + compiler() + ", " LIMBER_BUILD_TYPE "\nvectors   " +
         instruction_sets() + "\nprecision " + precisions() + "\nGLFW      " + glfwGetVersionString() +
         "\nImGui     " IMGUI_VERSION + "\nzlib      " + zlibVersion() + "\nOpenGL    " + opengl() +
         "\nvideo     " + ffmpeg();
}

int print_licenses() {
  const Expected<std::string> data = data_folder();
  if (!data) return fail(data.error());
  const std::string path = *data + "/assets/third_party.md";
  std::ifstream file(path);
  const std::string text{std::istreambuf_iterator<char>(file), {}};
  if (text.empty()) return fail({"the third-party notices cannot be read", path, 0, "install limber again"});
  std::fputs(text.c_str(), stdout);
  return exit_ok;
}

}  // namespace limber
