// Exports the frames of a scene that runs in the window.
#pragma once

#include <mutex>
#include <optional>
#include <string>

#include "app/record/scene_export.hpp"

namespace limber {

/// An export that the user starts and stops while the scene runs. Any thread may call the functions; add() is
/// called on the simulation's thread after each frame.
class LiveExport {
 public:
  /// Starts to write the frames that follow. Fails as SceneExport::create() does, and if an export is under
  /// way.
  Expected<void> start(const ExportPlan& plan);

  /// Writes the present state if an export is under way. Ends the export if the scene is another one or has
  /// gone back in time, because files hold one run.
  void add(const Simulation& simulation);

  /// Completes the files. Returns what to tell the user: "12 frames of cloth in out.usda"; the error of a
  /// frame that could not be written.
  Expected<std::string> stop();

  /// The result of an export that ended by itself since the last call, as stop() returns it.
  std::optional<Expected<std::string>> take_ended();

  struct Progress {
    std::string path;
    int frames = 0;
  };
  std::optional<Progress> progress() const;  ///< none: no export is under way

 private:
  Expected<std::string> end();

  mutable std::mutex mutex_;  ///< guards all members
  std::optional<SceneExport> writer_;
  Progress progress_;
  std::string scene_;
  std::int64_t last_ = -1;  ///< number of the last frame
  std::optional<Error> failure_;
  std::optional<Expected<std::string>> ended_;
};

}  // namespace limber
