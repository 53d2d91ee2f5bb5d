// Numbered files side by side: name_0001.vtu, name_0002.vtu, ...
#pragma once

#include <string>
#include <string_view>

#include "engine/core/expected.hpp"

namespace limber {

class FrameSeries {
 public:
  /// `path` is NAME; its ending is ignored. Fails if the folder cannot be written, or if it has files of an
  /// earlier series of that name, which would mix with the new ones. `option` is the option of the command
  /// line that errors name.
  static Expected<FrameSeries> create(const std::string& path, std::string_view ending,
                                      std::string_view option);

  std::string next();  ///< path of the next file
  int files() const { return files_; }

 private:
  FrameSeries(std::string stem, std::string ending) : stem_(std::move(stem)), ending_(std::move(ending)) {}

  std::string stem_, ending_;
  int files_ = 0;
};

}  // namespace limber
