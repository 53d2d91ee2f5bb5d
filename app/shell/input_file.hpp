// Writes recordings of user input to files.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/commands/output_file.hpp"
#include "app/lab/session.hpp"
#include "engine/simulation/input_recording.hpp"

namespace limber {

/// Writes `recording` into a new numbered file "SCENE_input_0001.json". Returns its path.
Expected<std::string> save_input_recording(const InputRecording& recording);

/// The recordings of a session (--record-input). The scene open at the end goes into the named file; scenes
/// that were replaced before go into files beside it.
class SessionInput {
 public:
  /// Fails at once if `path` cannot be written.
  static Expected<std::unique_ptr<SessionInput>> create(const std::string& path);

  /// The callback for RunObserver::recorded. Called on the simulation's thread.
  void keep(const Expected<InputRecording>& recording);

  /// The callback for RunObserver::left. Writes a new numbered file "NAME_SCENE_0001.json" and returns its
  /// path.
  Expected<std::string> keep_beside(const InputRecording& recording);

  /// Moves the file into place. Must be called after the Runner has ended. Fails if no recording is complete.
  Expected<void> finish();

 private:
  SessionInput(std::string path, OutputFile file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  OutputFile file_;
  Expected<void> kept_ = Error{"no scene was opened, so there is no input to record", "--record-input"};
};

}  // namespace limber
