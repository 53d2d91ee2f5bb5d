// Notices joints that the solver does not hold together.
#pragma once

#include <string>

#include "engine/simulation/simulation.hpp"

namespace limber {

/// Watches joints without compliance.
class JointWatch {
 public:
  /// Call it after every Simulation::step(); it measures every tenth frame.
  void look(const Simulation& simulation);

  /// What to tell about the joint that was farthest apart, "" if all held.
  std::string note(const SceneDesc& scene) const;

 private:
  double worst_ = 0.0;  ///< m
  int joint_ = -1;      ///< of the scene
  std::int64_t frame_ = 0;
};

}  // namespace limber
