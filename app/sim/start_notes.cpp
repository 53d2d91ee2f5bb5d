#include "app/sim/start_notes.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <span>
#include <string>
#include <utility>

#include "app/sim/start_overlaps.hpp"

namespace limber {
namespace {

constexpr double kPerConstraint = 5e-9, kPerBody = 2e-7;  // s a sweep, from the table in the README
constexpr double kLongFrame = 1.0;                        // s
constexpr double kLeastFall = 1.0;                        // spacings: below half of one, all is lost

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

/// Of frames that take seconds, which nothing can interrupt; "" for any other.
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

/// Of substeps in which gravity moves what rests by no more than rounding does: x + h (g h), then v from the
/// difference. Below half a spacing of the coordinates nothing falls at all.
std::string rounding_note(const Simulation& simulation) {
  if (simulation.precision() == Precision::f64) return {};
  const SolverSettings& solver = simulation.scene().solver;
  const double h = solver.dt / solver.substeps;
  std::vector<glm::dvec3> positions(std::size_t(simulation.model()->vertex_count));
  simulation.read_positions(std::span<glm::dvec3>(positions));
  for (int axis = 0; axis < 3; ++axis) {
    const double fall = std::abs(solver.gravity[axis]) * h * h;
    if (fall == 0.0) continue;
    double farthest = 0.0;
    for (const glm::dvec3& x : positions) farthest = std::max(farthest, std::abs(x[axis]));
    const float far(farthest);
    const double spacing = std::nextafter(far, std::numeric_limits<float>::max()) - far;
    if (fall >= kLeastFall * spacing) continue;
    char text[240];
    std::snprintf(
        text, sizeof text,
        "in float what is %.3g m from the origin moves in steps of %.1g m, and gravity moves it by %.1g m "
        "in a substep: it falls wrongly, or not at all (fewer solver.substeps, a longer solver.dt, nearer "
        "to the origin, or --precision f64)",
        farthest, spacing, fall);
    return text;
  }
  return {};
}

}  // namespace

std::vector<std::string> step_notes(const Simulation& simulation) {
  std::vector<std::string> notes{long_frame_note(simulation), rounding_note(simulation)};
  std::erase(notes, "");
  return notes;
}

std::vector<std::string> start_notes(const Simulation& simulation) {
  std::vector<std::string> notes = simulation.model()->notes;
  const Measures start = simulation.measure();
  if (!start.inside.empty()) notes.push_back(inside_note(simulation.scene(), start.inside));
  if (std::string overlap = overlap_note(simulation); !overlap.empty()) notes.push_back(std::move(overlap));
  return notes;
}

}  // namespace limber
