// One variant of a scene: its simulation, its picture, its warnings.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "app/lab/distance.hpp"
#include "app/lab/run_status.hpp"
#include "app/lab/scene_watch.hpp"
#include "app/lab/work_watch.hpp"
#include "app/view/extract.hpp"
#include "app/watch/crossings.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Sets a scene apart from the others that run beside it.
using VariantSettings = std::vector<SetValue>;

inline constexpr std::size_t most_variants = 4;  ///< side by side

/// What a person may see of a variant and what is to be told of it. It takes no decisions: see Session.
class Variant {
 public:
  Variant(std::unique_ptr<Simulation> simulation, std::shared_ptr<const SceneDesc> original,
          VariantSettings own);

  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  void adopt(std::unique_ptr<Simulation> simulation);  ///< another build of its scene
  void set_original(std::shared_ptr<const SceneDesc> original) { status_.original = std::move(original); }
  /// What sets it apart from the first, whatever else is set back to the scene's own values.
  const VariantSettings& own_settings() const { return own_; }
  void set_own(const SetValue& change);

  /// Takes over what the simulation has as settings and parts.
  void refresh_scene();
  /// What was noted of frames belongs to a world that is gone.
  void forget_past();

  /// One frame, and what there is to note of it.
  enum class Trace { none, kept, made };  ///< no trace, that of an earlier frame, of this one
  StepReport step(const CancelFlag& cancel, Trace trace);
  double tracing_ms() const { return tracing_ms_; }  ///< what the trace of the last frame has cost
  SceneWatch::Change watch(bool undone);             ///< between frames; updates RunStatus::trouble
  std::vector<const SceneWatch::Found*> troubles() const { return troubles_.standing(); }
  void measure_soon() { since_measured_ = measure_period_; }
  void pass(double elapsed) { since_measured_ += elapsed; }
  void note_distance(const Distance& from_first);  ///< of now

  /// Its last frame could not be computed: it stands still until something changes.
  bool stopped() const { return stopped_; }
  void set_stopped(bool stopped) { stopped_ = stopped; }

  FrameExtractor& extractor() { return extractor_; }
  RunStatus& status() { return status_; }
  const RunStatus& status() const { return status_; }
  /// The picture and the status of now.
  void publish(Publication& out);

  /// m, where the vertices were when it was built; empty unless it was asked for then.
  void keep_start();
  const std::vector<glm::vec3>& start() const { return start_; }

 private:
  void note(const StepReport& report);
  void sample();

  static constexpr double measure_period_ = 0.25;  ///< s; measuring visits every constraint

  std::unique_ptr<Simulation> simulation_;
  VariantSettings own_;
  FrameExtractor extractor_;
  SceneWatch troubles_;
  Crossings crossings_;
  RunStatus status_;
  std::vector<glm::vec3> start_;
  std::vector<IterationTrace> trace_;
  double tracing_ms_ = 0.0;
  double since_measured_ = measure_period_;  ///< s
  bool stopped_ = false;
};

/// The same command for another variant: the same vertex, or, where that has another mesh, the one of the
/// same object that started nearest to it; the same point of a body.
Command counterpart(const Command& command, const Variant& from, const Variant& to);

/// What differs between the scenes, a text for each: "pbd, substeps 10". Empty where all are alike.
std::vector<std::string> differences(const std::vector<const SceneDesc*>& scenes);

}  // namespace limber
