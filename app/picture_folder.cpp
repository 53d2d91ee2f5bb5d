#include "app/picture_folder.hpp"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>

namespace limber {
namespace fs = std::filesystem;
namespace {

constexpr int kMostPictures = 9999;

fs::path picture_folder() {
  const char* chosen = std::getenv("LIMBER_OUTPUT");
  return fs::absolute(chosen && *chosen ? fs::path(chosen) : fs::path("."));
}

}  // namespace

Expected<std::string> reserve_file(const std::string& scene, std::string_view extension) {
  const fs::path folder = picture_folder().lexically_normal();
  std::error_code error;
  fs::create_directories(folder, error);
  for (int number = 1; number <= kMostPictures; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "_%04d", number);
    const std::string path = (folder / ("limber_" + scene + name + std::string(extension))).string();
    if (std::FILE* file = std::fopen(path.c_str(), "wx")) {
      std::fclose(file);
      return path;
    }
    if (errno != EEXIST)
      return Error{std::string("cannot save a file: ") + std::strerror(errno), path, 0,
                   "set LIMBER_OUTPUT to a folder that can be written"};
  }
  return Error{"cannot save a file: all numbers are taken", folder.string(), 0, "move the old files away"};
}

}  // namespace limber
