// A scene that a person plays with: the Simulation, its pace, its past, its messages. No threads in here.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "app/sim/pace.hpp"
#include "app/sim/run_status.hpp"
#include "app/sim/snapshot_ring.hpp"
#include "app/view/extract.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Called where the simulation lives, for whoever keeps a record of it. Any of them may be empty.
struct RunObserver {
  std::function<void()> opened;                                       ///< another scene begins
  std::function<void(const Simulation&, const StepReport&)> stepped;  ///< after every frame
  std::function<void(const Simulation&)> closing;  ///< once, at the end, if a scene is there
};

class LiveScene {
 public:
  LiveScene(const RunOptions& options, RunObserver observer);

  /// Builds `scene` and runs it. On an error the scene before stays.
  void open(Expected<SceneDesc> scene);
  void set_threads(int threads);  ///< builds the present scene again with so many, from its start

  void toggle_running();
  void pause();
  void step_once();
  void step_back();
  void restart();

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
  void adopt(std::unique_ptr<Simulation> simulation);
  void forget_past();
  void step();
  void note(const StepReport& report);
  void refresh_scene();
  void report_error(const std::string& text) { messages_.push_back({Message::Severity::error, text}); }

  RunOptions options_;
  RunObserver observer_;
  std::unique_ptr<Simulation> simulation_;
  FrameExtractor extractor_;
  Pace pace_;
  SnapshotRing past_;
  bool running_ = false;
  double since_measured_ = 0.0;  ///< s
  RunStatus status_;
  std::vector<Message> messages_;
};

}  // namespace limber
