// Notices that a step is too long, or a mesh too uneven, for the solver to hold cloth together.
#pragma once

#include <string>
#include <vector>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Watches cloths and chains that cannot tear.
class StrainWatch {
 public:
  /// Call it after every Simulation::step(); it measures every tenth frame.
  void look(const Simulation& simulation);

  /// What to tell about the object that was worst, "" if all kept together.
  std::string note(const SceneDesc& scene) const;

 private:
  struct Watched {
    int in_a_row = 0;        ///< looks, up to the last one, at which it was beyond the bound
    double worst = 0.0;      ///< Measures::object_misfit, where that lasted
    double by_length = 0.0;  ///< Measures::object_length_misfit, at the same look
  };
  std::vector<Watched> objects_;  ///< of the scene
};

}  // namespace limber
