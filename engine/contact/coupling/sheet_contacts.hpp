// Contacts of grains and of the particles of solids with the triangles of cloth, both ways.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact/particles/neighbour_search.hpp"
#include "engine/contact/particles/solid_contacts.hpp"
#include "engine/state/world.hpp"

namespace limber::inline LIMBER_PRECISION {

/// A grain against the point sum b_j p_j of a triangle that is nearest to it at the substep's start (vector
/// point_triangle_thickness ...). With u what each has moved since,
///
///   C = n . (u - sum b_j u_j) + gap >= 0,   w = w_grain + sum b_j^2 w_j
///
/// (contact/law.hpp; side A is the grain or the solid it belongs to, B the triangle). Multipliers start at
/// zero in every substep. A particle of a rigid solid moves with the whole of it: w_grain is 1/M + (r x n)^T
/// I^-1 (r x n), as in a SolidRow.
struct SheetRow : ContactRow {
  std::int32_t grain, points[3];
  std::int32_t solid;  ///< rigid; negative: the particle moves by itself
  vec3 arm{0};         ///< m, of such a solid: the particle from its centre of mass
  vec3 weight;
};

/// Rows are made anew in each substep, by all threads, and solved in the order of the triangles by one:
/// nothing depends on the number of threads.
class SheetContacts {
 public:
  static bool enabled(const World& world) {
    return !world.topology->matter.empty() && !world.topology->triangles.empty();
  }

  // Every thread of the team calls these; all end at a barrier.

  /// Rows for the paths of a substep of h s, once all are predicted. `grid` has met all particles within
  /// `stray` m of where they are.
  void aim(const World& world, const NeighbourSearch& grid, const SolidContacts& solids, real stray, real h,
           Team& team);
  /// Projects the rows of what moves by itself.
  void project(World& world, Team& team);
  /// Those of rigid solids, after SolidContacts::solve(), and takes their particles along.
  void project_solids(World& world, SolidContacts& solids, Team& team);

  std::int64_t touching() const;  ///< that pushed in the last substep

 private:
  struct Rows {
    std::vector<SheetRow> loose, rigid;
    void clear() { loose.clear(), rigid.clear(); }
  };
  void aim_triangle(const World& world, const NeighbourSearch& grid, const SolidContacts& solids,
                    std::size_t t, real stray, real h, Rows& out) const;

  std::vector<Rows> rows_;                ///< per thread: of its triangles
  std::vector<std::int32_t> met_solids_;  ///< ascending
};

}  // namespace limber::inline LIMBER_PRECISION
