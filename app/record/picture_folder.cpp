#include "app/record/picture_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr int most_pictures = 9999;

fs::path picture_folder() {
  const char* chosen = std::getenv("LIMBER_OUTPUT");
  return fs::absolute(chosen && *chosen ? fs::path(chosen) : fs::path("."));
}

Expected<std::string> reserve_numbered(const fs::path& folder, const std::string& base,
                                       std::string_view extension, const std::string& hint) {
  for (int number = 1; number <= most_pictures; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "_%04d", number);
    const std::string path = (folder / (base + name + std::string(extension))).string();
    if (std::FILE* file = std::fopen(path.c_str(), "wx")) {
      std::fclose(file);
      return path;
    }
    if (errno != EEXIST)
      return Error{std::string("cannot save a file: ") + std::strerror(errno), path, 0, hint};
  }
  return Error{"cannot save a file: all numbers are taken", folder.string(), 0, "move the old files away"};
}

}  // namespace

Expected<std::string> reserve_file(const std::string& scene, std::string_view extension) {
  const fs::path folder = picture_folder().lexically_normal();
  std::error_code error;
  fs::create_directories(folder, error);
  return reserve_numbered(folder, "limber_" + scene, extension,
                          "set LIMBER_OUTPUT to a folder that can be written");
}

Expected<std::string> reserve_beside(const std::string& path, const std::string& scene) {
  const fs::path whole = fs::absolute(path).lexically_normal();
  return reserve_numbered(whole.parent_path(), whole.stem().string() + "_" + scene,
                          whole.extension().string(), {});
}

}  // namespace limber
