#include "engine/geometry/files/mesh_format.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <system_error>

namespace limber {
namespace {

namespace fs = std::filesystem;

struct Format {
  /// An empty beginning: a container format that other files use too
  std::string_view name, extension, beginning;
};
constexpr std::array formats{
    Format{"an STL", ".stl", "solid "},  Format{"a PLY", ".ply", "ply\n"},
    Format{"a PLY", ".ply", "ply\r"},    Format{"a glTF", ".glb", "glTF"},
    Format{"a glTF", ".gltf", ""},       Format{"an FBX", ".fbx", "Kaydara FBX"},
    Format{"an FBX", ".fbx", "; FBX"},   Format{"a Collada", ".dae", ""},
    Format{"an OFF", ".off", "OFF\n"},   Format{"a 3DS", ".3ds", ""},
    Format{"a 3MF", ".3mf", ""},         Format{"a Blender", ".blend", "BLENDER"},
    Format{"a USD", ".usd", "PXR-USDC"}, Format{"a USD", ".usda", "#usda"},
    Format{"a USD", ".usdc", ""},        Format{"a USD", ".usdz", ""},
};

/// A binary STL: 80 bytes of anything, the number of triangles, 50 bytes each.
bool is_binary_stl(std::string_view start, std::uintmax_t bytes) {
  constexpr std::size_t header = 84;
  if (start.size() < header) return false;
  std::uintmax_t triangles = 0;
  for (std::size_t k = 4; k-- > 0;) triangles = 256 * triangles + static_cast<unsigned char>(start[80 + k]);
  return triangles > 0 && bytes == header + 50 * triangles;
}

std::string_view format_of(std::string_view start, std::uintmax_t bytes, std::string extension) {
  for (const Format& format : formats)
    if (!format.beginning.empty() && start.starts_with(format.beginning)) return format.name;
  if (is_binary_stl(start, bytes)) return formats.front().name;
  std::transform(extension.begin(), extension.end(), extension.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const Format& format : formats)
    if (format.extension == extension) return format.name;
  return {};
}

}  // namespace

Expected<void> check_no_foreign_mesh(const std::string& path) {
  std::error_code code;
  if (!fs::is_regular_file(path, code)) return {};
  const std::uintmax_t bytes = fs::file_size(path, code);
  std::array<char, 128> start{};
  std::ifstream file(path, std::ios::binary);
  file.read(start.data(), start.size());
  const std::string_view read(start.data(), static_cast<std::size_t>(file.gcount()));
  const std::string_view name = format_of(read, code ? 0 : bytes, fs::path(path).extension().string());
  if (name.empty()) return {};
  return Error{"this is " + std::string(name) + " file, and of meshes only OBJ is read", path, 0,
               "convert it, in Blender for instance: " + std::string(mesh_advice)};
}

bool begins_like_obj(std::string_view text) {
  constexpr std::array<std::string_view, 9> keywords{"v", "vt", "vn", "f", "o", "mtllib", "usemtl", "g", "s"};
  constexpr std::string_view blank = " \t\r\n";
  while (!text.empty()) {
    const std::size_t begin = std::min(text.find_first_not_of(blank), text.size());
    text.remove_prefix(begin);
    if (!text.starts_with('#')) break;
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  const std::string_view word = text.substr(0, text.find_first_of(blank));
  return std::find(keywords.begin(), keywords.end(), word) != keywords.end();
}

}  // namespace limber
