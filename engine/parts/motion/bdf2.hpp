// The integrator BDF2, which works with most methods (English and Bridson 2008).
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The second-order backward difference formula instead of implicit Euler (BDF1):
///
///   y  = 4/3 x_n - 1/3 x_n-1 + 8/9 h v_n - 2/9 h v_n-1 + 4/9 h^2 f_ext / m,   M (x - y) = 4/9 h^2 f(x)
///   v' = (3/2 x' - 2 x_n + 1/2 x_n-1) / h
///
/// so F has the factor 9/(8 h^2), and alpha~ = 9 alpha/(4 h^2). Every method and contact gets both factors if
/// the inverse mass of a particle counts as 4/9 of its value during the iterations. Multipliers are then
/// forces times h^2, as with BDF1, so particles of both kinds may be connected.
///
/// A particle takes a step of BDF1 at the start, while it is fixed, after a tear, when h changes, and during
/// and after a substep in which anything but constraints and pressure moved it (contacts, shape matching:
/// test vector bdf2_contact_exception). A particle under pressure always takes BDF1 steps: skin and volume
/// contradict each other, so every substep leaves an error of the same size, which a second-order step would
/// take for an acceleration.
class Bdf2 {
 public:
  void reserve(const World& world);

  /// Must be called before a frame of substeps of h seconds. Serial.
  static void begin_step(World& world, double h);

  // Stages. Each thread handles its own particles.
  void note_start(const World& world, const Team& team);     ///< v_n, before forces
  void predict(World& world, real h, const Team& team);      ///< after line (7)
  void note_solved(const World& world, const Team& team);    ///< after constraints
  /// After contacts: marks the particles that they moved.
  void note_contacts(const World& world, const Team& team);
  /// Before velocities are computed: restores the inverse masses.
  void end_solve(World& world, const Team& team);
  /// Must be called after velocities were computed as for BDF1. Removes the remaining approach velocity at
  /// colliders.
  void finish(World& world, StaticContacts* colliders, real h, const Team& team);

 private:
  AlignedVector<vec4> start_velocity_;  ///< m/s, v_n
  AlignedVector<vec4> solved_;          ///< m, `moved` as constraints left it
  /// Per particle: this substep is BDF2; something else moved the particle in it.
  std::vector<char> second_, met_;
};

}}  // namespace limber::LIMBER_PRECISION
