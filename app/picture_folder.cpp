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

Expected<std::string> reserve_picture(const std::string& scene) {
  const fs::path folder = picture_folder().lexically_normal();
  std::error_code error;
  fs::create_directories(folder, error);
  for (int number = 1; number <= kMostPictures; ++number) {
    char name[32];
    std::snprintf(name, sizeof name, "_%04d.png", number);
    const std::string path = (folder / ("limber_" + scene + name)).string();
    if (std::FILE* file = std::fopen(path.c_str(), "wx")) {
      std::fclose(file);
      return path;
    }
    if (errno != EEXIST)
      return Error{std::string("cannot save a picture: ") + std::strerror(errno), path, 0,
                   "set LIMBER_OUTPUT to a folder that can be written"};
  }
  return Error{"cannot save a picture: all numbers are taken", folder.string(), 0,
               "move the old pictures away"};
}

}  // namespace limber
