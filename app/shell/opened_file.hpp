// The file of the scene that is open, which other programs may write.
#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "app/lab/file_watch.hpp"
#include "app/lab/scene_reload.hpp"

namespace limber {

class OpenedFile {
 public:
  /// Reads the file; may be called on any thread, one at a time.
  using Reader = std::function<std::optional<SceneReload>()>;

  /// Another scene runs, as `file` says.
  void follow(const std::string& file);

  /// See FileWatch: then it is time to read it again.
  bool changed(FileWatch::Clock::time_point now) { return watch_.changed(now); }

  /// With "path=value" for every one of `settings`.
  Reader reader(std::vector<std::string> settings) const;

  /// Reads nothing where the file is gone, or says what the scene that runs was built of: for whoever cannot
  /// wait until changed() is sure. What is read so is no change any more.
  Reader reader_of_other(std::vector<std::string> settings);

 private:
  FileWatch watch_;
  std::shared_ptr<std::string> text_;  ///< that runs; the readers' and the simulation's
};

}  // namespace limber
