// Fluids and their spray as points of a frame.
#pragma once

#include <span>
#include <vector>

#include "app/view/drawn_particles.hpp"
#include "app/view/spray_slots.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Writes the points of which fluids are drawn. Allocates nothing in a frame that was used before.
class FluidPoints {
 public:
  void clear() { fluids_.clear(), jets_.clear(); }
  void add(const ObjectModel& object);

  /// Appends spray, then fluids, behind all other points of the frame. Fluids are drawn as a surface if
  /// `surface` is set and no heat map colours them. Particles in frame.absent get the radius 0.
  void write(const Simulation& simulation, bool surface, RenderFrame& frame);

 private:
  void hide_absent(std::span<const Index> absent, PointCloud& points) const;
  struct Jet {
    float speed;        ///< m/s at the nozzle; 0: no jet
    std::size_t layer;  ///< particles
  };
  void add_spray(PointCloud& points);
  void fill_jets(const Simulation& simulation, PointCloud& points);
  void fill_jet(const DrawnParticles& fluid, const Jet& jet, std::size_t point, PointCloud& points) const;

  std::vector<DrawnParticles> fluids_;
  std::vector<Jet> jets_;         ///< per fluid
  std::vector<glm::vec3> spray_;  ///< m
  SpraySlots spray_slots_;
  std::vector<glm::dvec3> velocities_;
};

}  // namespace limber
