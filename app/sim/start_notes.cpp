#include "app/sim/start_notes.hpp"

#include <cstdio>

namespace limber {

std::vector<std::string> start_notes(const Simulation& simulation) {
  std::vector<std::string> notes = simulation.model()->notes;
  const Measures start = simulation.measure();
  if (start.inside > 0) {
    char text[160];
    std::snprintf(
        text, sizeof text, "%lld %s inside a collider, up to %.3g m deep: the first frame throws %s out",
        static_cast<long long>(start.inside), start.inside == 1 ? "vertex starts" : "vertices start",
        start.penetration_max, start.inside == 1 ? "it" : "them");
    notes.push_back(text);
  }
  return notes;
}

}  // namespace limber
