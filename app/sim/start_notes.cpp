#include "app/sim/start_notes.hpp"

#include <cstdio>

namespace limber {

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
  return notes;
}

}  // namespace limber
