// Plasticity of constraints: deformation beyond yield becomes part of the rest shape.
#pragma once

#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Plastic flow of tetrahedra by von Mises stress, of hinges by curvature, of joints of rods by bending and
/// twist, of springs and triangles of sheets by strain (state/plastic_laws.hpp). Only rest values change:
/// colours and topology stay, and no particle is moved, so momenta are conserved.
class PlasticFlow {
 public:
  static bool enabled(const World& world);
  /// Computes the flow of this thread's slots for a substep of h seconds; must be called after the
  /// constraints were projected.
  static void run(World& world, double h, const Team& team);
};

}}  // namespace limber::LIMBER_PRECISION
