// Plasticity of constraints: what is deformed beyond yield becomes the shape at rest.
#pragma once

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Tetrahedra by von Mises' stress, hinges by curvature, springs and triangles of sheets by strain
/// (state/plastic_laws.hpp). It changes rest values alone: colours and topology stay, and no particle is
/// pushed, so both momenta are kept.
class PlasticFlow {
 public:
  static bool enabled(const World& world);
  /// One substep of h seconds, of the slots of this thread; particles are where constraints left them.
  static void run(World& world, double h, const Team& team);
};

}}  // namespace limber::LIMBER_PRECISION
