// A person's inputs to a scene. Played back, they bring the scene to the same state.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

inline constexpr int input_format = 1;  ///< "format" of the recordings this program writes and reads

/// A command and the frame before which it was given: Simulation::frame() was `frame` when it was submitted.
struct RecordedInput {
  std::int64_t frame = 0;
  Command command;
  int line = 0;  ///< line in the file of the recording; 0 if it has none
};

/// A setting's value when the scene was opened.
struct RecordedSetting {
  std::string path;
  Value value;
  int line = 0;  ///< line in the file of the recording; 0 if it has none
};

/// Everything that a replay needs. Threads and vector width are left out, because they change no result.
struct InputRecording {
  std::string source;  ///< file of the recording; "" if it was not read from one
  std::string scene;   ///< name of the scene
  std::string file;    ///< file of the scene; "" if it was not read from one
  std::uint64_t seed = 1;
  Precision precision = Precision::f32;
  std::vector<RecordedSetting> settings;  ///< every setting of the scene
  std::int64_t frames = 0;
  std::uint64_t state_hash = 0;       ///< after `frames` frames and all inputs; 0: unknown (a recording
                                      ///< written by hand)
  std::vector<RecordedInput> inputs;  ///< frames never decrease and are at most `frames`
};

/// Writes JSON, one input per line, and doubles with all digits.
std::string to_json(const InputRecording& recording);

/// Parses a recording. Fails, naming the line, on malformed JSON, a missing, unknown or repeated key, a wrong
/// type, or frames out of order. `name` stands for the file in errors.
Expected<InputRecording> parse_input_recording(std::string_view text, const std::string& name);
Expected<InputRecording> read_input_recording(const std::string& path);

/// Sets the seed and the settings of `scene` to those of the recording. Fails, with the recording's line, on
/// a setting that the scene does not have or a value that it refuses.
Expected<void> restore_settings(const InputRecording& recording, SceneDesc& scene);

/// Records the inputs that lead from the start of a scene to its present state. A restart or a rebuild drops
/// all past inputs but keeps the settings. A step back drops the inputs after the frame to which it returns.
/// If the hand moves or a value changes several times within a frame, only the last one is kept. Not
/// thread-safe.
class InputHistory {
 public:
  /// At 100 bytes each about 10 MB: half an hour of dragging without a pause. Further inputs are dropped.
  static constexpr std::size_t most_inputs = 100'000;

  /// Starts the history of another scene, with the settings of `opened`.
  void begin(SceneDesc opened);

  /// Adds `command`, which the simulation accepted before frame `frame`.
  void add(const Command& command, std::int64_t frame);
  void start_over();
  void go_back(std::int64_t frame);
  bool empty() const { return inputs_.empty() && !overflowed_; }

  /// The recording up to the present state of `simulation`. Fails if there were more than most_inputs.
  Expected<InputRecording> recording(const Simulation& simulation) const;

 private:
  SceneDesc opened_;
  std::vector<RecordedInput> inputs_;
  bool overflowed_ = false;
};

/// Submits the inputs of a recording to a simulation at their frames.
class InputPlayer {
 public:
  /// `recording` must outlive the player.
  explicit InputPlayer(const InputRecording& recording) : recording_(recording) {}

  /// Submits all inputs up to the present frame. Call it before every step and once after the last. Fails as
  /// submit() does, naming the recording's line and the frame.
  Expected<void> submit_due(Simulation& simulation);

 private:
  const InputRecording& recording_;
  std::size_t next_ = 0;
};

}  // namespace limber
