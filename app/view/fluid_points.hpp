// Fluids and their spray as points of a frame.
#pragma once

#include <vector>

#include "app/view/drawn_particles.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// What the surface of fluids is drawn from. Allocates nothing into a frame that was used before.
class FluidPoints {
 public:
  void clear() { fluids_.clear(), jet_speeds_.clear(); }
  void add(const ObjectModel& object);

  /// Behind all other points of the frame: spray, then fluids, as a surface if `surface` and where nothing
  /// else colours them. What is not in the scene has no size.
  void write(const Simulation& simulation, bool surface, RenderFrame& frame);

 private:
  void hide_absent(const Simulation& simulation, PointCloud& points);
  void fill_jets(const Simulation& simulation, PointCloud& points);

  std::vector<DrawnParticles> fluids_;
  std::vector<float> jet_speeds_;  ///< m/s, of each, at its mouth; 0: it has none
  std::vector<glm::vec3> spray_;   ///< m
  std::vector<glm::dvec3> velocities_;
  std::vector<Index> absent_;
};

}  // namespace limber
