// The file of the open scene, which other programs may edit.
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
  /// Reads the file. May be called on any thread, one call at a time.
  using Reader = std::function<std::optional<SceneReload>()>;

  /// Must be called when another scene, the one in `file`, runs.
  void follow(const std::string& file);

  /// Whether the file was edited and must be read again; see FileWatch.
  bool changed(FileWatch::Clock::time_point now) { return watch_.changed(now); }

  /// A reader that applies `settings` ("path=value") to the scene.
  Reader reader(std::vector<std::string> settings) const;

  /// A reader for callers that cannot wait until changed() is certain. Reads nothing if the file is gone or
  /// equals the text of the running scene. The edit no longer counts as a change afterwards.
  Reader reader_of_other(std::vector<std::string> settings);

 private:
  FileWatch watch_;
  std::shared_ptr<std::string> text_;  ///< text of the running scene; shared by the readers
};

}  // namespace limber
