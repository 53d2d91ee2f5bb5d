// The simulation's thread. Takes requests and publishes pictures and messages; the window never waits for it.
#pragma once

#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "app/lab/latest.hpp"
#include "app/lab/run_status.hpp"
#include "app/lab/session.hpp"
#include "app/lab/work_watch.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Owns the thread on which scenes are read, built and stepped. All functions must be called from one thread
/// (the window's). They return at once and take effect in the order of the calls.
class Runner {
 public:
  /// Reads a scene; called on the runner's thread.
  using Loader = std::function<Expected<SceneDesc>()>;
  /// Reads the settings that each variant of a scene sets for itself.
  using VariantReader = std::function<Expected<std::vector<VariantSettings>>(const SceneDesc&)>;

  /// `news`, if given, is called on the runner's thread whenever latest() or take_messages() have something
  /// new. It must not call the Runner.
  explicit Runner(const RunOptions& options, RunObserver observer = {}, std::function<void()> news = {});
  /// Completes all requests so far, then ends the thread. Cancels a frame or build that takes long.
  ~Runner();

  /// Ends the thread as the destructor does, within about `seconds`, and notifies the observer. Returns false
  /// if the thread is still in a build that could not be cancelled. The thread then changes nothing more, but
  /// this object must not be destroyed.
  bool finish(double seconds);

  /// Reads and builds the scene `name`. One scene is loaded at a time. A request for a scene that is being
  /// loaded, or was requested within the time of a double click, is ignored; a request for another scene
  /// replaces the load under way. `original`, if given, reads the scene without the user's command line
  /// settings. `variants` reads the settings of each variant ("path=value path=value"), see Session::open.
  /// `recording` is filled by the loader and played, see Session::open.
  void load(std::string name, Loader loader, Loader original = {}, VariantReader variants = {},
            std::shared_ptr<const InputRecording> recording = nullptr);
  void add_variant(std::size_t like);  ///< see Session
  void remove_variant(std::size_t number);
  void link(std::string path, bool linked);
  void trace(bool wanted);
  /// See Session::reload. Does nothing if the loader returns nothing.
  void reload(std::function<std::optional<SceneReload>()> loader);
  void show(HeatMap map);
  void show(const HeatLook& look);
  void show(Overlay overlay);
  void wait_for_pictures(bool wait);  ///< see Session
  void picture_taken();
  /// Calls `save` on the runner's thread with the user's inputs so far. Its result becomes a message.
  void save_input(std::function<Expected<std::string>(const InputRecording&)> save);
  void set_speed(double speed);  ///< simulated seconds per second
  void set_threads(int threads);
  void toggle_running();
  void step_once();
  void step_back();
  void restart();            ///< with the present values
  void restart_as_opened();  ///< with the values of the scene file
  void interact(Command command, std::uint64_t model_version, std::size_t variant);  ///< see Session
  void edit(Edit edit);

  /// The newest pictures, valid until the next call. Cancels a frame that delays a request for too long.
  const Publications& latest();
  /// Number of different pictures that latest() has returned.
  std::uint64_t pictures() const { return latest_.taken(); }

  /// Present work of the thread.
  struct Activity {
    double frame = 0.0;  ///< s spent on the frame under way; 0 if there is none
    std::string next;    ///< the scene that will be opened next; "" for none
  };
  Activity activity();

  /// Messages since the last call, oldest first.
  std::vector<Message> take_messages();

 private:
  using Clock = std::chrono::steady_clock;
  struct Load {
    std::string name;
    Loader loader, original;
    VariantReader variants;
    std::shared_ptr<const InputRecording> recording;
  };
  struct AddVariant {
    std::size_t like;
  };
  struct RemoveVariant {
    std::size_t number;
  };
  struct Link {
    std::string path;
    bool linked;
  };
  struct Trace {
    bool wanted;
  };
  struct Reload {
    std::function<std::optional<SceneReload>()> loader;
  };
  struct SetSpeed {
    double speed;
  };
  struct SetThreads {
    int threads;
  };
  struct Interact {
    Command command;
    std::uint64_t model_version;
    std::size_t variant;
  };
  struct SaveInput {
    std::function<Expected<std::string>(const InputRecording&)> save;
  };
  enum class Control {
    toggle_running,
    step_once,
    step_back,
    restart,
    restart_as_opened,
    await_pictures,
    picture_taken,
    no_pictures
  };
  struct Wish {
    std::string name;  ///< the scene requested last
    Clock::time_point asked;
    bool under_way = false;  ///< not open yet
  };
  using Request = std::variant<Load, Reload, HeatMap, HeatLook, Overlay, SetSpeed, SetThreads, SaveInput,
                               Control, Interact, Edit, AddVariant, RemoveVariant, Link, Trace>;

  static bool needs_no_frame(const Request& request);
  void ask(Request request);
  void work();
  bool wait_for_requests(std::vector<Request>& requests);
  void serve(std::vector<Request>& requests);
  void handle(Request& request);
  bool handle_variants(const Request& request);
  bool is_granted(const std::string& name) const;
  bool begin_load(const std::string& name);
  void end_load();
  void load(Load& load);
  void control(Control what);
  void announce_building(const std::string& name, const std::string& part = {}, double progress = 0.0);
  std::function<bool(const std::string&, double)> announce_progress(const std::string& name);
  void publish();

  std::function<void()> news_;
  WorkWatch watch_;
  Session session_;  ///< used by the runner's thread only
  Clock::time_point last_;
  Latest<Publications> latest_;

  std::mutex mutex_;
  std::condition_variable wake_, ended_;
  std::vector<Request> requests_;  ///< guarded by mutex_, like the next two
  std::vector<Message> messages_;
  bool stopping_ = false, impatient_ = false, done_ = false;
  std::string next_;  ///< the scene requested last, until its load begins
  Wish wish_;

  std::thread thread_;  ///< declared last, because it uses all members above
};

}  // namespace limber
