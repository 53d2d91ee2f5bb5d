// A folder for numbered files: frame_0001.obj, frame_0002.obj, ...
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

class SequenceFolder {
 public:
  /// Uses an empty folder, or creates it. Fails on a folder with any content, so that nothing is overwritten
  /// and sequences never mix. `option` begins the message.
  static Expected<SequenceFolder> create(const std::string& path, std::string_view option);

  /// The path of the next file; the first is frame_0001 with `extension`.
  std::string next(std::string_view extension);

  const std::string& path() const { return path_; }
  int files() const { return files_; }

 private:
  explicit SequenceFolder(std::string path) : path_(std::move(path)) {}

  std::string path_;
  int files_ = 0;
};

}  // namespace limber
