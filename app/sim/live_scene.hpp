// A scene that a person plays with: the Simulation, its pace, its past, its messages. No threads in here.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/sim/pace.hpp"
#include "app/sim/run_status.hpp"
#include "app/sim/scene_reload.hpp"
#include "app/sim/scene_watch.hpp"
#include "app/sim/snapshot_ring.hpp"
#include "app/sim/work_watch.hpp"
#include "app/view/extract.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Called where the simulation lives, for whoever keeps a record of it. Any of them may be empty.
struct RunObserver {
  std::function<void()> opened;                                       ///< another scene begins
  std::function<void(const Simulation&, const StepReport&)> stepped;  ///< after every frame
  std::function<void(const Simulation&)> closing;  ///< once, at the end, if a scene is there
  std::function<void(const Expected<InputRecording>&)> recorded = {};  ///< then too: what a person did to it
  /// What a person did to a scene that another one takes the place of. Returns the file that keeps it.
  std::function<Expected<std::string>(const InputRecording&)> left = {};
};

class LiveScene {
 public:
  /// `watch`, if given, is told what is under way, and can end it.
  LiveScene(const RunOptions& options, RunObserver observer, WorkWatch* watch = nullptr);

  /// Builds `scene` and runs it. On an error the scene before stays. `original` is the scene as its file
  /// says, if that is something else: what differs counts as changed by the user.
  void open(Expected<SceneDesc> scene, std::optional<SceneDesc> original = std::nullopt);
  /// Takes over what changed in the scene's file: live where that is enough, else by a new build. Camera,
  /// pace and the values a person changed stay. On an error the present scene goes on.
  void reload(SceneReload changed);
  void set_threads(int threads);  ///< from the next frame on, also of scenes opened later

  void show(HeatMap map) { extractor_.show(map); }
  void show(Overlay overlay) { extractor_.show(overlay); }
  /// While `wait` is true a running scene takes no step before picture_taken() was called for the last one.
  void wait_for_pictures(bool wait);
  void picture_taken() { picture_missing_ = false; }

  /// Everything a person did up to now (see InputHistory).
  Expected<InputRecording> recording() const;
  /// Calls `save` with it; the file it returns, or its error, is a message that outlives the scene.
  void save_input(const std::function<Expected<std::string>(const InputRecording&)>& save);

  void set_speed(double speed) { pace_.set_speed(speed); }  ///< of simulated time; no part of the physics

  void toggle_running();
  void pause();
  void step_once();
  void step_back();
  void restart();            ///< with the values of now
  void restart_as_opened();  ///< with the scene's own

  /// A grab, move, release or pin on the vertices of `model_version`; ignored when that model is gone.
  void interact(const Command& command, std::uint64_t model_version);
  void edit(const SetValue& change);

  /// `elapsed` seconds of real time have passed: steps at most once, if a frame is due. Whether it did.
  bool advance(double elapsed);
  double until_due() const;  ///< s; infinite while nothing runs
  bool running() const { return running_; }

  /// Something outside went wrong: pauses and says so.
  void fail(const std::string& reason);

  void publish(Publication& out);
  std::vector<Message> take_messages() { return std::exchange(messages_, {}); }
  void close();

 private:
  Expected<std::unique_ptr<Simulation>> build(SceneDesc scene);
  Expected<void> submit(const Command& command);
  void adopt(std::unique_ptr<Simulation> simulation);
  void forget_past();
  bool step();
  void note(const StepReport& report);
  void sample();
  Expected<std::string> apply_live(const SceneDesc& wanted, const std::vector<std::string>& paths);
  Expected<std::string> rebuild(SceneDesc wanted);
  void refresh_scene();
  void say(Message::Severity severity, std::string text, std::string about = {});
  void report_error(std::string text, std::string about = {}) {
    say(Message::Severity::error, std::move(text), std::move(about));
  }
  void settle(const std::string& about);
  void warn(const Warning& warning, std::string about,
            Message::Severity severity = Message::Severity::warning);
  void warn_of(Moment moment);
  void watch_state(bool undone);
  void look_for_files();

  RunOptions options_;
  RunObserver observer_;
  WorkWatch own_watch_;  ///< where nobody gave one
  WorkWatch& watch_;
  std::unique_ptr<Simulation> simulation_;
  FrameExtractor extractor_;
  Pace pace_;
  SnapshotRing past_;
  InputHistory inputs_;
  bool running_ = false;
  bool waits_for_pictures_ = false, picture_missing_ = false;
  double since_measured_ = 0.0;  ///< s
  SceneWatch troubles_;
  RunStatus status_;
  std::vector<Message> messages_;
  std::set<std::string> complaints_;  ///< what they are about, as far as that still holds
};

}  // namespace limber
