// Fluids and their spray as points of a frame.
#pragma once

#include <span>
#include <vector>

#include "app/view/drawn_particles.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// What the surface of fluids is drawn from. Allocates nothing into a frame that was used before.
class FluidPoints {
 public:
  void clear() { fluids_.clear(), jets_.clear(); }
  void add(const ObjectModel& object);

  /// Behind all other points of the frame: spray, then fluids, as a surface if `surface` and where nothing
  /// else colours them. Particles in frame.absent have no size.
  void write(const Simulation& simulation, bool surface, RenderFrame& frame);

 private:
  void hide_absent(std::span<const Index> absent, PointCloud& points) const;
  struct Jet {
    float speed;        ///< m/s at the mouth; 0: it has none
    std::size_t layer;  ///< particles
  };
  void fill_jets(const Simulation& simulation, PointCloud& points);
  void fill_jet(const DrawnParticles& fluid, const Jet& jet, std::size_t point, PointCloud& points) const;

  std::vector<DrawnParticles> fluids_;
  std::vector<Jet> jets_;         ///< of each
  std::vector<glm::vec3> spray_;  ///< m
  std::vector<glm::dvec3> velocities_;
};

}  // namespace limber
