#include "app/sim/start_notes.hpp"

#include <cstdio>
#include <string>
#include <utility>

namespace limber {
namespace {

constexpr double kPerConstraint = 5e-9, kPerBody = 2e-7;  // s a sweep, from the table in the README
constexpr double kLongFrame = 1.0;                        // s

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
  if (start.inside > 0) {
    char text[160];
    std::snprintf(
        text, sizeof text,
        "%lld %s inside a collider, up to %.3g m deep: pushed out at %.3g m/s (solver.depenetration_speed)",
        static_cast<long long>(start.inside), start.inside == 1 ? "vertex starts" : "vertices start",
        start.penetration_max, simulation.scene().solver.depenetration_speed);
    notes.push_back(text);
  }
  if (std::string note = long_frame_note(simulation); !note.empty()) notes.push_back(std::move(note));
  return notes;
}

}  // namespace limber
