// A scene that a person plays with, in up to four variants: their clock, past, input, messages. No threads in
// here.
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

/// Called where the simulation lives, for whoever keeps a record of it. Any of them may be empty.
struct RunObserver {
  std::function<void()> opened;                                       ///< another scene begins
  std::function<void(const Simulation&, const StepReport&)> stepped;  ///< after every frame
  std::function<void(const Simulation&)> closing;  ///< once, at the end, if a scene is there
  std::function<void(const Expected<InputRecording>&)> recorded = {};  ///< then too: what a person did to it
  /// What a person did to a scene that another one takes the place of. Returns the file that keeps it.
  std::function<Expected<std::string>(const InputRecording&)> left = {};
};

/// One clock and one stream of commands for all variants of a scene. They share one set of worker threads and
/// are stepped in turn. A person acts on one of them: what is grabbed, cut or thrown there is so in all, and
/// a setting is changed in all but where it is not linked (link()). The first variant is the one that
/// recordings, reports and the pace of frames go by.
class Session {
 public:
  /// `watch`, if given, is told what is under way, and can end it.
  Session(const RunOptions& options, RunObserver observer, WorkWatch* watch = nullptr);

  /// Builds `scene` and runs it. On an error the scene before stays. `original` is the scene as its file
  /// says, if that is something else: what differs counts as changed by the user.
  /// `variants`: what each has on its own; none or one is the scene alone.
  /// `recording`: what a person did to that scene once. It is played from the start: every input before its
  /// frame, until the recording ends, which pauses, or a person does something to the scene, which is theirs
  /// then.
  void open(Expected<SceneDesc> scene, std::optional<SceneDesc> original = std::nullopt,
            std::vector<VariantSettings> variants = {},
            std::shared_ptr<const InputRecording> recording = nullptr);
  /// Another variant that goes on from the state and the settings of number `like`.
  void add_variant(std::size_t like);
  void remove_variant(std::size_t number);  ///< any but the first
  /// Whether edits of the setting act on all variants. Those that differ when a scene is opened do not.
  void link(const std::string& path, bool linked);
  /// Traces of iterations are kept for plots: of as many frames as TraceBudget allows, and of
  /// each one that is stepped alone.
  void trace(bool wanted) { traced_ = wanted, budget_.start_over(); }

  /// Takes over what changed in the scene's file: live where that is enough, else by a new build. Camera,
  /// pace and the values a person changed stay. On an error the present scene goes on.
  void reload(SceneReload changed);
  void set_threads(int threads);  ///< from the next frame on, also of scenes opened later

  void show(HeatMap map);
  void show(const HeatLook& look);  ///< see FrameExtractor
  void show(Overlay overlay);
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

  /// A grab, move, release or pin on the vertices of `model_version` of a variant; ignored when that model is
  /// gone.
  void interact(const Command& command, std::uint64_t model_version, std::size_t variant = 0);
  void edit(const SetValue& change, std::size_t variant = 0);

  /// `elapsed` seconds of real time have passed: steps at most once, if a frame is due. Whether it did.
  bool advance(double elapsed);
  double until_due() const;  ///< s; infinite while nothing runs
  bool running() const { return running_; }

  /// Something outside went wrong: pauses and says so.
  void fail(const std::string& reason);

  void publish(Publication& out);  ///< the first variant
  void publish(Publications& out);
  std::vector<Message> take_messages() { return std::exchange(messages_, {}); }
  void close();

 private:
  /// What complaints can be about, besides settings.
  struct Subject {
    static constexpr const char *start = "start", *setting = "setting", *state = "state", *file = "file",
                                *gone = "gone", *build = "build";
  };
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
  WorkWatch own_watch_;  ///< where nobody gave one
  WorkWatch& watch_;
  std::vector<std::unique_ptr<Variant>> variants_;  ///< none before the first scene is open
  std::shared_ptr<const std::set<std::string>> unlinked_ = std::make_shared<const std::set<std::string>>();
  Pace pace_;
  SnapshotRing past_;
  InputHistory inputs_;  ///< of the first variant
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
  std::map<std::string, Complaint> complaints_;  ///< by what they are about, as far as that still holds
};

}  // namespace limber
