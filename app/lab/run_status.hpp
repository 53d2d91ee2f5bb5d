// What the simulation thread tells the window beside the picture.
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

/// Something a person should read. It goes to the message area, never to the console alone.
struct Message {
  enum class Severity { info, warning, error };
  Severity severity = Severity::info;
  std::string text;  ///< empty: what was said about `about` has become untrue
  /// What it complains of, a setting's path for one: gone once that is set again, or anything newer is said
  /// about it.
  std::string about = {};
  std::optional<std::uint64_t> scene = {};  ///< number of the load it was said in: gone with that scene
  std::vector<SetValue> remedies = {};      ///< changes that may mend it, offered as buttons
  std::size_t variant = 0;                  ///< of the scene, that it is about
};

/// Whether what is about `about` is about `subject`, or a part of it: "start/2" is of "start".
inline bool is_about(std::string_view about, std::string_view subject) {
  return about.starts_with(subject) && (about.size() == subject.size() || about[subject.size()] == '/');
}

struct StageTime {
  std::string name;
  double ms = 0.0;
};

/// A stage of the step and what it cost in the last steps.
struct StageHistory {
  std::string name;
  std::vector<float> ms;  ///< oldest first, as long as step_history
};

/// The state of the scene at one moment, for plots over time.
struct StateSample {
  float time = 0.0f;                                     ///< s, simulated
  float kinetic_energy = 0.0f, potential_energy = 0.0f;  ///< J
  float strain_mean = 0.0f, strain_max = 0.0f;           ///< 1
  float residual_mean = 0.0f;                            ///< of the first constraint type, in its unit
  float penetration_max = 0.0f;                          ///< m
};

/// How far a variant is from the first one.
struct DistanceSample {
  float time = 0.0f;             ///< s, simulated
  float rms = 0.0f, max = 0.0f;  ///< m
};

/// What sets a scene apart from those that run beside it.
struct VariantStatus {
  std::size_t number = 0, count = 1;
  std::string text;                       ///< what differs: "pbd, substeps 10"; "" where nothing does
  bool stopped = false;                   ///< its last frame could not be computed, it stands still
  std::vector<DistanceSample> distances;  ///< oldest first
  std::vector<IterationTrace> trace;      ///< of the last frame that was traced, while that is asked for
};

struct RunStatus {
  VariantStatus variant;
  RunState state = RunState::empty;
  std::string trouble;             ///< what is wrong while it runs: "cloth stretched"; "" for nothing
  std::string name;                ///< of the scene that runs or is being built
  std::string part;                ///< while it is being built: what takes so long, or empty
  double progress = 0.0;           ///< of that part, 0 to 1
  std::uint64_t loads = 0;         ///< scenes opened so far; a new number means: take its camera
  std::uint64_t steps = 0;         ///< taken so far, of whatever scene
  std::uint64_t edits = 0;         ///< edits handled so far, refused ones included
  std::int64_t replay_frames = 0;  ///< of the recording that is played; 0: none is
  std::shared_ptr<const std::set<std::string>> unlinked;  ///< settings that variants have on their own
  std::shared_ptr<const SceneDesc> scene;     ///< with every edit so far; null before the first build
  std::shared_ptr<const SceneDesc> original;  ///< as it was opened

  double real_time_factor = 1.0;  ///< simulated seconds per second while running, as measured
  double speed = 1.0;             ///< the same, as asked for
  HeatMap heat_map = no_heat_map;
  HeatMapsThere heat_maps{};        ///< those that have numbers for something in the scene
  OverlaysThere overlays{};         ///< those that have something to mark in the scene
  double step_ms = 0.0;             ///< median over `step_history`
  std::vector<float> step_history;  ///< ms, oldest first
  std::vector<StageTime> stages;    ///< of the last step
  std::vector<StageHistory> stage_history;
  std::vector<StateSample> state_history;        ///< a few a second, oldest first
  std::shared_ptr<const NumberHistory> numbers;  ///< the same moments; null before the first
  std::vector<BatchCount> batches;
  std::int64_t triangles = 0, contacts = 0, bodies = 0;
  std::int64_t surface_contacts = 0, in_zones = 0;  ///< of the last frame, see StepReport
  std::optional<std::int64_t> intersections;        ///< counted once a simulated second
  std::size_t snapshots = 0;                        ///< how many frames one can step back
  int threads = 0, threads_at_work = 0;
  bool chooses_threads = false;  ///< by measuring (RunOptions::threads)
  Simd simd = Simd::scalar;
  Precision precision = Precision::f32;
  Measures measures;         ///< refreshed a few times a second
  std::vector<Index> fixed;  ///< vertices with inverse mass zero
};

/// A change of a setting, asked for where one looks at that variant.
struct Edit {
  SetValue change;
  std::size_t variant = 0;
};

/// One picture and what there is to say about it.
struct Publication {
  RenderFrame frame;
  RunStatus status;
};

/// The pictures of all variants of the scene; always one at least.
struct Publications {
  std::vector<Publication> variants = std::vector<Publication>(1);
  const Publication& front() const { return variants.front(); }
};

}  // namespace limber
