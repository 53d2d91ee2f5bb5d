// State of the simulation thread for the window, published beside the picture.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "app/lab/number_history.hpp"
#include "app/view/render_frame.hpp"
#include "engine/simulation/simulation.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {

enum class RunState { empty, building, paused, running };

/// A message for the user. Shown in the message area, never in the console alone.
struct Message {
  enum class Severity { info, warning, error };
  Severity severity = Severity::info;
  std::string text;  ///< empty: takes back the earlier message about `about`
  /// Subject of a complaint, such as the path of a setting. The message goes when the setting is set again or
  /// a newer message has the same subject.
  std::string about = {};
  std::optional<std::uint64_t> scene = {};  ///< number of the load it belongs to; the message goes with that
                                            ///< scene
  std::vector<SetValue> remedies = {};      ///< changes that may fix it, offered as buttons
  std::size_t variant = 0;                  ///< number of the variant it is about
};

/// Whether `about` is `subject` or a part of it: "start/2" is a part of "start".
inline bool is_about(std::string_view about, std::string_view subject) {
  return about.starts_with(subject) && (about.size() == subject.size() || about[subject.size()] == '/');
}

struct StageTime {
  std::string name;
  double ms = 0.0;
};

/// Cost of one stage over the last steps.
struct StageHistory {
  std::string name;
  std::vector<float> ms;  ///< oldest first, as many as step_history
};

/// Numbers of the scene at one time, for plots over time.
struct StateSample {
  float time = 0.0f;                                     ///< s, simulated
  float kinetic_energy = 0.0f, potential_energy = 0.0f;  ///< J
  float strain_mean = 0.0f, strain_max = 0.0f;           ///< 1
  float residual_mean = 0.0f;                            ///< of the first constraint type, in its unit
  float penetration_max = 0.0f;                          ///< m
};

/// Distance of a variant from the first variant at one time.
struct DistanceSample {
  float time = 0.0f;             ///< s, simulated
  float rms = 0.0f, max = 0.0f;  ///< m
};

/// State of a variant relative to the other variants.
struct VariantStatus {
  std::size_t number = 0, count = 1;
  std::string text;                       ///< settings that differ: "pbd, substeps 10"; "" if none do
  bool stopped = false;                   ///< its last frame could not be computed, so it is no longer
                                          ///< stepped
  std::vector<DistanceSample> distances;  ///< oldest first
  std::vector<IterationTrace> trace;      ///< of the last traced frame; empty while tracing is off
};

struct RunStatus {
  VariantStatus variant;
  RunState state = RunState::empty;
  std::string trouble;             ///< a fault that lasts while the scene runs: "cloth stretched"; "" for
                                   ///< none
  std::string name;                ///< of the scene that runs or is being built
  std::string part;                ///< slow part of the build in progress, or empty
  double progress = 0.0;           ///< progress of `part`, 0 to 1
  std::uint64_t loads = 0;         ///< scenes opened so far; when it grows, the window takes over the new
                                   ///< camera
  std::uint64_t steps = 0;         ///< steps taken so far, over all scenes
  std::uint64_t edits = 0;         ///< edits handled so far, refused ones included
  std::int64_t replay_frames = 0;  ///< length of the recording being played; 0: none
  std::shared_ptr<const std::set<std::string>> unlinked;  ///< settings edited in each variant separately
  std::shared_ptr<const SceneDesc> scene;     ///< with all edits so far; null before the first build
  std::shared_ptr<const SceneDesc> original;  ///< the scene as it was opened

  double real_time_factor = 1.0;  ///< measured simulated seconds per real second while running
  double speed = 1.0;             ///< requested simulated seconds per real second
  HeatMap heat_map = no_heat_map;
  HeatMapsThere heat_maps{};        ///< heat maps with values in the scene
  OverlaysThere overlays{};         ///< overlays with anything to mark in the scene
  double step_ms = 0.0;             ///< median of step_history
  std::vector<float> step_history;  ///< ms, oldest first
  std::vector<StageTime> stages;    ///< of the last step
  std::vector<StageHistory> stage_history;
  std::vector<StateSample> state_history;        ///< a few a second, oldest first
  std::shared_ptr<const NumberHistory> numbers;  ///< at the times of state_history; null before the first
                                                 ///< sample
  std::vector<BatchCount> batches;
  std::int64_t triangles = 0, contacts = 0, bodies = 0;
  std::int64_t surface_contacts = 0, in_zones = 0;  ///< of the last frame, see StepReport
  std::optional<std::int64_t> intersections;        ///< counted once a simulated second
  std::size_t snapshots = 0;                        ///< number of frames that the user can step back
  int threads = 0, threads_at_work = 0;
  bool chooses_threads = false;  ///< number of threads found by measuring (RunOptions::threads)
  Simd simd = Simd::scalar;
  Precision precision = Precision::f32;
  Measures measures;         ///< refreshed a few times a second
  std::vector<Index> fixed;  ///< vertices with inverse mass zero
};

/// A change of a setting, and the variant in whose inspector it was made.
struct Edit {
  SetValue change;
  std::size_t variant = 0;
};

/// A picture with the status of its simulation.
struct Publication {
  RenderFrame frame;
  RunStatus status;
};

/// Pictures and status of all variants of the scene; always at least one.
struct Publications {
  std::vector<Publication> variants = std::vector<Publication>(1);
  const Publication& front() const { return variants.front(); }
};

}  // namespace limber
