#include "app/shell/dropped_file.hpp"

#include <algorithm>
#include <cctype>
#include <filesystem>

namespace limber {

Expected<std::string> file_to_open(const std::vector<std::string>& paths) {
  namespace fs = std::filesystem;
  if (paths.empty()) return Error{"nothing was dropped"};
  for (const std::string& path : paths) {
    std::string extension = fs::path(path).extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char c) { return char(std::tolower(c)); });
    std::error_code error;
    if ((extension == ".json" || extension == ".obj") && fs::is_regular_file(path, error)) return path;
  }
  std::error_code error;
  const bool folder = fs::is_directory(paths.front(), error);
  return Error{folder ? "a folder cannot be opened" : "this file cannot be opened", paths.front(), 0,
               "drop a scene (.json) or a mesh (.obj)"};
}

}  // namespace limber
