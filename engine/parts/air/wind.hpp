// Forces of the air on surfaces, rods and bodies, and fields of force.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "engine/core/aligned.hpp"
#include "engine/kernels/kernels.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/parts/air/air_fields.hpp"
#include "engine/parts/air/airfoil.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Adds the forces of air and of force fields in line (5), v <- v + h w F. Each particle divides its mass
/// among its triangles. A triangle (or a segment of a rod) is treated as a mass of three (two) times the
/// smallest share of its corners, which moves with their mean velocity u. The law gives the new u, and every
/// corner gets a third (a half) of the impulse. In still air |u| never grows, so kinetic energy does not grow
/// either, however dense the air and long the substep. Triangles are computed in parallel; then every
/// particle adds the impulses of its triangles in a fixed order, so the bits do not depend on the number of
/// threads. Fields of air are sampled once a frame.
class Wind {
 public:
  explicit Wind(const KernelTable<real>& kernels) : kernels_(&kernels) {}

  static bool enabled(const World& world);

  void reserve(const World& world);  ///< allocates; call between steps
  /// Allocates the arrays by body; call after bodies were added or removed.
  void reserve_bodies(const World& world);

  /// Wakes the bodies that the air may move. Serial; must be called before the pairs of a frame are searched.
  void wake_bodies(World& world);

  /// A substep: the time of its end in s, its length in s, whether it is the first or the last of its frame.
  struct When {
    double time;
    real h;
    bool fresh, last;
  };
  /// Must be called by every thread of the team; contains barriers. Sums the forces for the report
  /// (World::air) in the last substep of a frame.
  void apply(World& world, const When& when, Team& team);

 private:
  void weigh_triangles(const World& world, std::int64_t begin, std::int64_t end);
  void fill_skins(const World& world, const When& when, std::int64_t begin, std::int64_t end);
  void blow_triangles(const World& world, const vec3& air, const When& when, Team& team);
  void blow_rods(World& world, const vec3& air, const When& when, Team& team);
  void blow_bodies(World& world, const glm::dvec3& air, const When& when, Team& team);
  vec3 fly(World& world, std::size_t body, Flyer& flyer, const glm::dvec3& air, const When& when);
  static void force_all(World& world, real h, Team& team);

  const KernelTable<real>* kernels_;
  AirFields fields_;
  std::array<AlignedVector<std::int32_t>, 3> corners_;  ///< of triangles, up to a multiple of plate_block
  AlignedVector<vec4> thirds_;                          ///< N s, per triangle: a third of its impulse
  AlignedVector<vec4> motion_;    ///< m/s, per triangle: against the air, in the last substep of a frame
  AlignedVector<real> masses_;    ///< kg, per triangle: mass that moves with it
  AlignedVector<real> closed_;    ///< 1 for triangles of closed skins
  AlignedVector<vec4> air_;       ///< m/s, per triangle, then per segment: velocity of the fields
  AlignedVector<vec4> segments_;  ///< N s, per segment: half of its impulse
  std::vector<AirLoad> loads_;    ///< per block of triangles, then per rod, then per block of bodies
  std::size_t first_rod_load_ = 0, first_body_load_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
