// Sheets of triangles as walls of fluids: the share of a particle's kernel support that a sheet fills, and
// the pressure of the fluid on the sheet.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/particles/neighbour_lists.hpp"
#include "engine/contact/sheet_share.hpp"
#include "engine/contact/touched_parts.hpp"
#include "engine/parts/fluids/fluid_film.hpp"
#include "engine/parts/fluids/fluid_wall.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Cloth and surfaces of tetrahedra as walls of fluids, two-way. With q = sum b_k q_k the point of the sheet
/// nearest to particle i at the substep's start, n the direction from q to the particle, and t the sheet's
/// thickness,
///
///   wall_i = filled S(d),   d = n . (p_i - q) - t,   grad_i wall_i = -filled S'(d) n = -grad_q wall_i
///
/// S is share_before_wall(); `filled` is the part of the half space behind the sheet that is free of fluid. A
/// multiplier dl_i of the density constraint moves the particle by w_i dl_i filled S'(d) n (FluidSolver does
/// that), and vertex k by -w_k b_k dl_i filled S'(d) n. Both impulses act along one line, so momenta are
/// conserved. The vertices of the sheet add
///
///   give_i = s_i sum_k w_k b_ik sum_j s_j b_jk,   s = filled S'(d), j over the rows of vertex k,
///
/// to the denominator of the multiplier, so that many particles do not push a light vertex several times too
/// far. Edges and corners of sheets count as half spaces.
class FluidSheets {
 public:
  static bool enabled(const World& world) {
    return !world.topology->fluid.empty() && !world.topology->triangles.empty();
  }

  void reserve(const World& world);  ///< allocates; call between steps

  // Must be called by every thread of the team.

  /// Makes the rows of a substep, after prediction and after `lists` has found all neighbours. Fluid
  /// particles are within `stray` m of their positions in `lists` during the substep.
  void aim(const World& world, const NeighbourLists& lists, real stray, const FluidKernel<real>& kernel,
           Team& team);

  /// Adds the sheets at their present positions to `walls`, one FluidWall per particle.
  void fill(const World& world, real support, const FluidFilm& film, std::span<FluidWall> walls, Team& team);

  /// Applies the pressure to the vertices: `pushed` has dl (kg m^2) per particle, `walls` the result of
  /// fill().
  void press(World& world, std::span<const FluidWall> walls, std::span<const real> pushed,
             TouchedParts* touched, Team& team);

  /// Drag and adhesion between sheets and particles in a substep of h s, by impulses along the line from the
  /// point of the sheet to the particle (adhesion) or against their relative velocity (drag, FluidDrag). The
  /// vertices get the opposite impulses by their weights, so linear momentum is conserved. Drag is solved
  /// implicitly, row after row: with the sum M of all inverse masses, J = -u / (M + 1/k), which adds no
  /// energy. Must be called after velocities were computed.
  void stick(World& world, real h, TouchedParts* touched, Team& team) const;

 private:
  static constexpr std::int32_t block_triangles = 32;  ///< triangles of a block, the unit of the search
  /// Distance, as a share of the support, beyond which a sheet fills less than a thousandth.
  static constexpr real reach_share = real(0.65);

  struct Row {
    std::int32_t particle, points[3];
    vec3 normal, weight;
    real thickness;             ///< m
    real filled;                ///< share of the half space behind the sheet that counts as filled
    real share = 0, slope = 0;  ///< present share of the particle's support that is filled; its decrease, 1/m
  };
  struct Seen {
    std::int32_t place;  ///< index of the particle among the sorted ones of the lists
    SheetView view;
  };
  /// Triangles seen by one thread.
  struct Found {
    std::vector<Seen> seen;
    std::vector<real> nearest;       ///< m, per sorted particle: distance of the nearest triangle so far
    std::vector<std::int32_t> near;  ///< scratch: particles that a block can meet
    void clear() { seen.clear(), near.clear(); }
  };
  class Block;

  void see_block(const World& world, const NeighbourSearch& grid, real stray, real support,
                 std::int32_t block, Found& out) const;
  void list_rows(const World& world, const NeighbourLists& lists);
  real filled_behind(const World& world, const NeighbourLists& lists, const FluidKernel<real>& kernel,
                     const Row& row) const;

  std::vector<Found> found_;         ///< per thread
  std::vector<SheetView> seen_;      ///< of all threads, sorted by the particle's place
  std::vector<std::int32_t> begin_;  ///< per place: its first in seen_; and one more for the end
  std::vector<Row> rows_;            ///< sorted by the particle's place
  std::vector<std::int32_t> place_;  ///< per particle: its index among the sorted particles of the lists
  std::vector<real> pressing_;       ///< 1/m, per vertex: sum of s_j b_jk
};

}}  // namespace limber::LIMBER_PRECISION
