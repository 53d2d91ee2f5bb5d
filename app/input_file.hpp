// Recordings of what a person did, as files.
#pragma once

#include <memory>
#include <string>
#include <utility>

#include "app/commands/output_file.hpp"
#include "app/sim/live_scene.hpp"
#include "engine/simulation/input_recording.hpp"

namespace limber {

/// Writes `recording` into a new numbered file "SCENE_input_0001.json". Returns its path.
Expected<std::string> save_input_recording(const InputRecording& recording);

/// The recording of a whole session, written when it ends (--record-input).
class SessionInput {
 public:
  /// Fails at once when `path` cannot be written.
  static Expected<std::unique_ptr<SessionInput>> create(const std::string& path);

  /// For RunObserver::recorded; called on the simulation's thread.
  void keep(const Expected<InputRecording>& recording);

  /// After the Runner has ended: puts the file in its place. Fails when there was no complete recording.
  Expected<void> finish();

 private:
  explicit SessionInput(OutputFile file) : file_(std::move(file)) {}

  OutputFile file_;
  Expected<void> kept_ = Error{"no scene was opened, so there is no input to record", "--record-input"};
};

}  // namespace limber
