#include "app/commands/output_file.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <utility>

namespace limber {
namespace fs = std::filesystem;
namespace {

Error cannot_write(const std::string& path, std::string_view option, const std::string& why) {
  return {std::string(option) + ": cannot write this file, " + why, path};
}

/// The file at the end of symbolic links in `path`. Renaming over it replaces the target and keeps the link.
Expected<fs::path> resolve(const std::string& path, std::string_view option) {
  if (path.empty()) return Error{std::string(option) + ": needs a file name", {}};
  std::error_code error;
  fs::path target = path;
  const bool device = fs::exists(target, error) && !fs::is_regular_file(target, error);
  if (!device && fs::is_symlink(target, error)) {  // a device like /dev/stdout may lead to a pipe, which has
                                                   // no path
    target = fs::weakly_canonical(target, error);
    if (error) return cannot_write(path, option, error.message());
  }
  if (fs::is_directory(target, error)) return cannot_write(path, option, "it is a folder");
  if (!target.has_filename()) return cannot_write(path, option, "it has no file name");
  const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
  if (!fs::is_directory(folder, error)) {
    return cannot_write(path, option, "there is no folder " + folder.string());
  }
  if (fs::exists(target, error) && access(target.c_str(), W_OK) != 0) {
    return cannot_write(path, option, std::strerror(errno));
  }
  return target;
}

}  // namespace

Expected<OutputFile> OutputFile::create(const std::string& path, std::string_view option) {
  Expected<fs::path> target = resolve(path, option);
  if (!target) return target.error();

  OutputFile file;
  file.path_ = target->string();
  std::error_code error;
  const bool direct = fs::exists(*target, error) && !fs::is_regular_file(*target, error);
  if (!direct) file.temporary_ = file.path_ + ".part" + std::to_string(getpid());
  file.stream_.open(direct ? file.path_ : file.temporary_, std::ios::binary | std::ios::trunc);
  if (!file.stream_) {
    const Error failure = cannot_write(path, option, std::strerror(errno));
    file.temporary_.clear();
    return failure;
  }
  return file;
}

OutputFile::OutputFile(OutputFile&& other) noexcept
    : path_(std::move(other.path_)),
      temporary_(std::exchange(other.temporary_, {})),
      stream_(std::move(other.stream_)) {}

OutputFile::~OutputFile() {
  if (temporary_.empty()) return;
  std::error_code ignored;
  fs::remove(temporary_, ignored);
}

Expected<void> OutputFile::commit() {
  stream_.close();
  if (!stream_) return Error{"cannot write this file, is the disk full?", path_};
  if (temporary_.empty()) return {};
  std::error_code error;
  fs::rename(temporary_, path_, error);
  if (error) return Error{"cannot write this file, " + error.message(), path_};
  temporary_.clear();
  return {};
}

Expected<void> check_writable(const std::string& path, std::string_view option) {
  Expected<OutputFile> trial = OutputFile::create(path, option);
  if (!trial) return trial.error();
  return {};
}

}  // namespace limber
