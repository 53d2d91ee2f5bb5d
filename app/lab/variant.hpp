// A variant of a scene: its simulation, picture and warnings.
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

/// Settings in which a variant differs from the scene.
using VariantSettings = std::vector<SetValue>;

inline constexpr std::size_t most_variants = 4;  ///< shown side by side

/// Simulation, picture, status and warnings of one variant. Takes no decisions; Session does.
class Variant {
 public:
  Variant(std::unique_ptr<Simulation> simulation, std::shared_ptr<const SceneDesc> original,
          VariantSettings own);

  Simulation& simulation() { return *simulation_; }
  const Simulation& simulation() const { return *simulation_; }

  void adopt(std::unique_ptr<Simulation> simulation);  ///< replaces it by another build of the scene
  void set_original(std::shared_ptr<const SceneDesc> original) { status_.original = std::move(original); }
  /// Settings that the variant sets for itself. They stay when all others are reset to the scene's values.
  const VariantSettings& own_settings() const { return own_; }
  void set_own(const SetValue& change);

  /// Copies settings and counts of the simulation into the status.
  void refresh_scene();
  /// Clears the histories, because they belong to another world.
  void forget_past();

  /// Steps one frame and records its report in the status.
  enum class Trace { none, kept, made };  ///< no trace, the trace of an earlier frame, a new trace
  StepReport step(const CancelFlag& cancel, Trace trace);
  double tracing_ms() const { return tracing_ms_; }  ///< cost of the trace of the last frame
  SceneWatch::Change watch(bool undone);             ///< call between frames; updates RunStatus::trouble
  std::vector<const SceneWatch::Found*> troubles() const { return troubles_.standing(); }
  void measure_soon() { since_measured_ = measure_period_; }
  void pass(double elapsed) { since_measured_ += elapsed; }
  void note_distance(const Distance& from_first);  ///< at the present time

  /// Whether the last frame could not be computed. A stopped variant is not stepped until something changes.
  bool stopped() const { return stopped_; }
  void set_stopped(bool stopped) { stopped_ = stopped; }

  FrameExtractor& extractor() { return extractor_; }
  RunStatus& status() { return status_; }
  const RunStatus& status() const { return status_; }
  /// Writes the present picture and status into `out`.
  void publish(Publication& out);

  /// Start positions of the vertices, m. Empty unless keep_start() was called when the variant was built.
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
  double viscosity_residual_ = 0.0;          ///< residual of the last frame
  double since_measured_ = measure_period_;  ///< s
  bool stopped_ = false;
};

/// The command `command` on `from`, converted for `to`. Uses the same vertex or, if `to` has another mesh,
/// the vertex of the same object that started nearest; for a body, the same point of the body.
Command counterpart(const Command& command, const Variant& from, const Variant& to);

/// A text per scene on the settings that differ: "pbd, substeps 10". Empty if all scenes are alike.
std::vector<std::string> differences(const std::vector<const SceneDesc*>& scenes);

}  // namespace limber
