// Thin rods in fluids: buoyancy and drag on the points of a rod, and the opposite impulses on the fluid.
#pragma once

#include <vector>

#include "engine/constraints/fluid_kernel.hpp"
#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/parallel/pool.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Buoyancy and drag of rods that are not thicker than the particles of a fluid (is_thin_rod()). A point p of
/// a rod stands for the length l up to the middles of its segments, with the diameter D and the direction t.
/// The fluid particles j within the support are its parcel, a rigid body of the masses phi_j m_j:
///
///   phi_j = W_j / (W(0)/8 + sum of W over all points of rods),   a = min(V sum_j W_j, 1)
///   u = v - (U + omega x (p - c))     U, omega: velocity and spin of the parcel about its centre c
///
/// a is the share of the support that fluid fills. In h s the point gets the impulse J and the parcel -J:
///
///   J = B - K (1 + (w + R) K)^-1 (u + (w + R) B),   B = -h rho a l pi D^2/4 g
///   K = h rho a l D/2 |u| (C_t t t^T + C_n (1 - t t^T))
///   C_n = 1 + 10 Re^(-2/3), Re = rho D |u_n|/mu  (White, Viscous Fluid Flow, 2006),   C_t = 0.02 + (C_n-1)/2
///
/// R is the parcel's response to an impulse at p. A particle moves by phi_j times the motion of the parcel,
/// so linear and angular momentum are kept. No particle gives more than its mass to all points together,
/// therefore drag never adds kinetic energy, however dense the fluid, many the points and long the substep.
/// Parcels of fewer than four particles do not turn; their impulses keep linear momentum only.
///
/// Buoyancy is that of a fluid at rest. A thin rod raises no level. A segment much longer than the support is
/// felt at its ends only.
class FluidRods {
 public:
  static bool enabled(const World& world);

  void reserve(const World& world);  ///< allocates; call between steps

  /// The fluid in a substep of h s. Every particle is within `stray` m of its position in the grid.
  struct Fluid {
    const NeighbourSearch* grid;
    real stray;
    FluidKernel<real> kernel;
    real h;
  };
  /// Changes velocities after a substep. Must be called by every thread of the team.
  void act(World& world, const Fluid& fluid, TouchedParts* touched, Team& team);

 private:
  struct Point {
    std::int32_t particle;
    real length, diameter;  ///< m
    vec3 along;             ///< unit vector
  };
  struct Near {
    std::int32_t fluid;  ///< particle
    real share;          ///< V W
  };
  /// The fluid around a point. Velocities are changes by the impulse of the point.
  struct Parcel {
    std::int32_t list = 0, first = 0, end = 0;  ///< its particles in found_[list]
    glm::dvec3 centre{0.0}, velocity{0.0}, spin{0.0};
  };

  void list_points(const World& world);
  void find(const World& world, const Fluid& fluid, std::size_t point, std::vector<Near>& found) const;
  double share_of(const Near& near, const FluidKernel<real>& kernel) const;
  glm::dvec3 push(const World& world, const Fluid& fluid, const Point& point, Parcel& parcel) const;
  void move_fluid(World& world, const FluidKernel<real>& kernel, TouchedParts* touched);

  std::vector<Point> points_;
  std::vector<Parcel> parcels_;           ///< per point
  std::vector<std::vector<Near>> found_;  ///< per thread
  std::vector<real> shares_;              ///< per particle: sum of V W over all points
};

}}  // namespace limber::LIMBER_PRECISION
