#include "app/record/sequence_folder.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>

namespace limber {
namespace fs = std::filesystem;

Expected<SequenceFolder> SequenceFolder::create(const std::string& path, std::string_view option) {
  const auto refuse = [&](const std::string& why, const std::string& hint = {}) {
    return Error{std::string(option) + ": cannot write into this folder, " + why, path, 0, hint};
  };
  if (path.empty()) return Error{std::string(option) + ": needs the name of a folder"};
  std::error_code error;
  if (fs::exists(path, error) && !fs::is_directory(path, error)) return refuse("it is a file");
  fs::create_directories(path, error);
  if (error) return refuse(error.message());
  const bool empty = fs::is_empty(path, error);
  if (error) return refuse(error.message());
  if (!empty) return refuse("there are files in it", "name a new or an empty folder");
  if (access(path.c_str(), W_OK) != 0) return refuse(std::strerror(errno));
  return SequenceFolder(path);
}

std::string SequenceFolder::next(std::string_view extension) {
  char name[32];
  std::snprintf(name, sizeof name, "frame_%04d", ++files_);
  return (fs::path(path_) / name).string() + std::string(extension);
}

}  // namespace limber
