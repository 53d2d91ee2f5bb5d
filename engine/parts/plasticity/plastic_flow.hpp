// Plasticity of constraints: deformation beyond yield becomes part of the rest shape.
#pragma once

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Flow of tetrahedra by von Mises' stress, of hinges by curvature, of springs and triangles of sheets by
/// strain (state/plastic_laws.hpp). Only rest values change: colours and topology stay, and no particle is
/// pushed, so momenta are kept.
class PlasticFlow {
 public:
  static bool enabled(const World& world);
  /// Lets the slots of this thread flow for a substep of h seconds; must follow the constraints' projection.
  static void run(World& world, double h, const Team& team);
};

}}  // namespace limber::LIMBER_PRECISION
