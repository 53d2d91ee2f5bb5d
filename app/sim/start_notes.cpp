#include "app/sim/start_notes.hpp"

#include <algorithm>
#include <cstdio>
#include <string>

namespace limber {
namespace {

constexpr double kPerConstraint = 5e-9, kPerBody = 2e-7;  // s a sweep, from the table in the README
constexpr double kLongFrame = 1.0;                        // s

/// Of the first few objects: "cloth: 12 vertices start inside a collider ...".
std::string inside_note(const SceneDesc& scene, const std::vector<InsideObject>& inside) {
  constexpr std::size_t named = 3;
  std::string names;
  std::int64_t vertices = 0;
  double depth = 0.0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (i < named) names += (i > 0 ? ", " : "") + scene.objects[std::size_t(inside[i].object)].name;
    vertices += inside[i].particles;
    depth = std::max(depth, inside[i].depth);
  }
  if (inside.size() > named) names += " and " + std::to_string(inside.size() - named) + " more";
  char text[160];
  std::snprintf(text, sizeof text,
                ": %lld %s inside a collider, up to %.3g m deep: pushed out at %.3g m/s "
                "(solver.depenetration_speed)",
                static_cast<long long>(vertices), vertices == 1 ? "vertex starts" : "vertices start", depth,
                scene.solver.depenetration_speed);
  return names + text;
}

}  // namespace

std::string long_frame_note(const Simulation& simulation) {
  const SolverSettings& solver = simulation.scene().solver;
  double sweep = kPerBody * double(simulation.body_count());
  for (const BatchCount& batch : simulation.batches()) sweep += kPerConstraint * double(batch.constraints);
  const double frame = sweep * solver.substeps * solver.iterations;
  if (frame < kLongFrame) return {};
  char text[160];
  std::snprintf(text, sizeof text,
                "%d substeps of %d iterations (solver.substeps, solver.iterations): expect about %.0f s for "
                "a frame, or more",
                solver.substeps, solver.iterations, frame);
  return text;
}

std::vector<std::string> start_notes(const Simulation& simulation) {
  std::vector<std::string> notes = simulation.model()->notes;
  const Measures start = simulation.measure();
  if (!start.inside.empty()) notes.push_back(inside_note(simulation.scene(), start.inside));
  return notes;
}

}  // namespace limber
