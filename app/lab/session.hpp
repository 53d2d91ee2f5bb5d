// An interactive scene in up to four variants, with their clock, past states, input and messages. Starts no
// threads.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "app/lab/pace.hpp"
#include "app/lab/run_status.hpp"
#include "app/lab/scene_reload.hpp"
#include "app/lab/snapshot_ring.hpp"
#include "app/lab/trace_budget.hpp"
#include "app/lab/variant.hpp"
#include "app/lab/work_watch.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/input_recording.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Callbacks for recording a simulation, called on its thread. Each may be empty.
struct RunObserver {
  std::function<void()> opened;                                       ///< another scene begins
  std::function<void(const Simulation&, const StepReport&)> stepped;  ///< after every frame
  std::function<void(const Simulation&)> closing;  ///< once, at the end, if there is a scene
  std::function<void(const Expected<InputRecording>&)> recorded = {};  ///< at the end: the user's inputs
  /// The user's inputs to a scene that another one replaces. Returns the file that they were saved to.
  std::function<Expected<std::string>(const InputRecording&)> left = {};
};

/// One clock and one stream of commands for all variants of a scene. The variants share one set of worker
/// threads and are stepped in turn. The user acts on one variant, and the same vertex is grabbed, cut or
/// thrown in all; a changed setting changes in all variants unless it is unlinked (link()). Recordings,
/// reports and pace follow the first variant.
class Session {
 public:
  /// `watch`, if given, is told of the work under way and can cancel it.
  Session(const RunOptions& options, RunObserver observer, WorkWatch* watch = nullptr);

  /// Builds `scene` and runs it. On an error the previous scene stays. `original` is the scene as in its
  /// file, if it differs from `scene`: the differences count as changes by the user.
  /// `variants`: settings of each variant; none or one: the scene alone.
  /// `recording`: inputs that are played from the start, each before its frame. Playing ends with a pause at
  /// the end of the recording, or when the user acts on the scene and so takes over.
  void open(Expected<SceneDesc> scene, std::optional<SceneDesc> original = std::nullopt,
            std::vector<VariantSettings> variants = {},
            std::shared_ptr<const InputRecording> recording = nullptr);
  /// Adds a variant that continues from the state and the settings of number `like`.
  void add_variant(std::size_t like);
  void remove_variant(std::size_t number);  ///< any but the first
  /// Sets whether edits of the setting act on all variants. Settings that differ between variants when a
  /// scene is opened start unlinked.
  void link(const std::string& path, bool linked);
  /// Switches the iteration traces for plots. Traces as many frames as TraceBudget allows, and every frame
  /// that is stepped singly.
  void trace(bool wanted) { traced_ = wanted, budget_.start_over(); }

  /// Takes over changes of the scene's file: live if possible, otherwise by a rebuild. Camera, pace and the
  /// user's changes stay. On an error the present scene continues.
  void reload(SceneReload changed);
  void set_threads(int threads);  ///< from the next frame on, also for scenes opened later

  void show(HeatMap map);
  void show(const HeatLook& look);  ///< see FrameExtractor
  void show(Overlay overlay);
  /// While `wait` is true, a running scene takes no step before picture_taken() was called for the last one.
  void wait_for_pictures(bool wait);
  void picture_taken() { picture_missing_ = false; }

  /// All inputs of the user so far (see InputHistory).
  Expected<InputRecording> recording() const;
  /// Calls `save` with the recording. The returned file name, or the error, becomes a message that outlives
  /// the scene.
  void save_input(const std::function<Expected<std::string>(const InputRecording&)>& save);

  /// Simulated seconds per real second; no physical setting.
  void set_speed(double speed) { pace_.set_speed(speed); }

  void toggle_running();
  void pause();
  void step_once();
  void step_back();
  void restart();            ///< with the present values
  void restart_as_opened();  ///< with the values of the scene file

  /// Applies a grab, move, release or pin on vertices of model `model_version` of a variant. Ignored if that
  /// model has been replaced.
  void interact(const Command& command, std::uint64_t model_version, std::size_t variant = 0);
  void edit(const SetValue& change, std::size_t variant = 0);

  /// Must be called when `elapsed` real seconds have passed. Takes at most one step, if a frame is due.
  /// Returns whether it took one.
  bool advance(double elapsed);
  double until_due() const;  ///< s; infinite while nothing runs
  bool running() const { return running_; }

  /// Pauses and reports a fault outside the simulation.
  void fail(const std::string& reason);

  void publish(Publication& out);  ///< publishes the first variant
  void publish(Publications& out);
  std::vector<Message> take_messages() { return std::exchange(messages_, {}); }
  void close();

 private:
  /// Subjects of messages other than settings.
  struct Subject {
    static constexpr const char *start = "start", *setting = "setting", *state = "state", *file = "file",
                                *gone = "gone", *build = "build";
  };
  static constexpr const char* goes_on_ = " - the scene before goes on.";  ///< the end of some errors
  Expected<std::unique_ptr<Simulation>> build(SceneDesc scene);
  Expected<void> submit(Variant& variant, const Command& command);
  Expected<std::vector<std::unique_ptr<Variant>>> build_variants(const SceneDesc& scene,
                                                                 std::shared_ptr<const SceneDesc> original,
                                                                 const std::vector<VariantSettings>& own);
  void play(std::shared_ptr<const InputRecording> recording);
  bool feed_replay();
  void end_replay();
  void take_over();
  Variant& first() { return *variants_.front(); }
  const Variant& first() const { return *variants_.front(); }
  bool alone() const { return variants_.size() == 1; }
  std::string called(std::size_t number) const;
  static std::string about_state_of(std::size_t variant);
  void forget_past();
  void follow_variants();
  void unlink_differences();
  bool step();
  bool step_variants();
  bool step_to(double end, Variant& variant, std::size_t number, Variant::Trace trace);
  bool all_stopped() const;
  void resume_stopped();
  bool set_in(Variant& variant, std::size_t number, const SetValue& change);
  Expected<std::string> apply_live(const SceneReload& changed, const std::vector<SceneDesc>& wanted);
  Expected<std::string> rebuild(std::vector<SceneDesc> wanted);
  void say(Message::Severity severity, std::string text, std::string about = {}, std::size_t variant = 0);
  void report_error(std::string text, std::string about = {}) {
    say(Message::Severity::error, std::move(text), std::move(about));
  }
  void settle(const std::string& about);
  void settle_from(std::size_t variant);
  void tell_of_state_again();
  void warn(const Warning& warning, std::string about, std::size_t variant,
            Message::Severity severity = Message::Severity::warning);
  void warn_of(Moment moment);
  void watch_state(std::size_t number, bool undone);
  void look_for_files();
  void write_shared(RunStatus& status) const;

  RunOptions options_;
  RunObserver observer_;
  WorkWatch own_watch_;  ///< used if the caller passed no watch
  WorkWatch& watch_;
  std::vector<std::unique_ptr<Variant>> variants_;  ///< none before the first scene is open
  std::shared_ptr<const std::set<std::string>> unlinked_ = std::make_shared<const std::set<std::string>>();
  Pace pace_;
  SnapshotRing past_;
  InputHistory inputs_;  ///< inputs to the first variant
  DistanceMeter meter_;
  bool running_ = false, traced_ = false;
  TraceBudget budget_;
  bool waits_for_pictures_ = false, picture_missing_ = false;
  HeatMap heat_map_ = no_heat_map;
  HeatLook heat_look_;
  /// A recording that is played, and the input that is next.
  struct Replay {
    std::shared_ptr<const InputRecording> recording;
    std::size_t next = 0;
  };
  std::optional<Replay> replay_;
  Overlay overlay_ = Overlay::none;
  std::uint64_t loads_ = 0, steps_ = 0, edits_ = 0;
  std::vector<Message> messages_;
  struct Complaint {
    std::string text;
    std::size_t variant = 0;
  };
  std::map<std::string, Complaint> complaints_;  ///< complaints that still hold, by subject
};

}  // namespace limber
