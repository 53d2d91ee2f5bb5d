// Recordings of what a person did, as files.
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

/// The recording of a session (--record-input). The scene that is open at the end goes into the file that was
/// named, those that were left before into files beside it.
class SessionInput {
 public:
  /// Fails at once when `path` cannot be written.
  static Expected<std::unique_ptr<SessionInput>> create(const std::string& path);

  /// For RunObserver::recorded; called on the simulation's thread.
  void keep(const Expected<InputRecording>& recording);

  /// For RunObserver::left. Writes a new numbered file "NAME_SCENE_0001.json". Returns its path.
  Expected<std::string> keep_beside(const InputRecording& recording);

  /// After the Runner has ended: puts the file in its place. Fails when there was no complete recording.
  Expected<void> finish();

 private:
  SessionInput(std::string path, OutputFile file) : path_(std::move(path)), file_(std::move(file)) {}

  std::string path_;
  OutputFile file_;
  Expected<void> kept_ = Error{"no scene was opened, so there is no input to record", "--record-input"};
};

}  // namespace limber
