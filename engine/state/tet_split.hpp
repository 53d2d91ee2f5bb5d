// Splitting vertices of tetrahedral solids: the operation behind their tears and cuts.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// m, the mean of its corners where they are now.
glm::dvec3 center_of_tet(const World& world, std::int32_t tet);

/// Divides the tetrahedra at a vertex among it and new vertices, so that faces between them open. Constraints
/// stay: a slot names the copy where it named the old vertex, so colours and tasks stay right. Parts that are
/// joined by an edge or a point alone are split as well. Faces that open become triangles of the surface
/// behind those of the first skin (`finish`): the number of triangles changes, so the solver must prepare().
///
/// Serial, between frames. The world has a TearRoom with spares for the object.
class TetSplitter {
 public:
  explicit TetSplitter(World& world);

  /// Splits v by the plane through it across `normal`. Returns the number of new vertices: 0 if everything
  /// lies on one side, if a part were a crumb, or if nothing is left in reserve.
  int split_across(std::int32_t v, const glm::dvec3& normal);

  /// Splits v where `label` (of a tetrahedron) changes.
  int split_by(std::int32_t v, const std::function<int(std::int32_t)>& label);

  /// A face between two tetrahedra, as it was when the splitter was made.
  struct Between {
    std::int32_t a, b;  ///< tetrahedra
    std::array<std::int32_t, 3> corners;
  };
  std::vector<Between> inner_faces() const;

  /// Whether two tetrahedra at v have a face there in common.
  bool share_face(std::int32_t a, std::int32_t b, std::int32_t v) const;

  /// Whether a split was left out because nothing was left in reserve.
  bool full() const { return full_; }

  /// Tetrahedra at a particle, by their numbers in Topology::tets.
  std::span<const std::int32_t> star(std::int32_t v) const;

  /// Gives the surface its new triangles, if anything was split.
  void finish();

 private:
  struct Corner {
    std::int32_t tet = -1;
    int corner = 0;  ///< opposite to the face
  };
  struct InnerFace {
    Corner a, b;
  };
  /// A tetrahedron at the vertex that is being split.
  struct Member {
    std::int32_t tet;
    int label, part = -1;
  };

  const Topology& mesh() const { return *world_.topology; }
  std::array<std::int32_t, 3> face_of(const Corner& c) const;
  void load(std::int32_t v, const std::function<int(std::int32_t)>& label);
  int number_parts(std::int32_t v);
  int divide(std::int32_t v, int parts);
  void move_slots(std::int32_t tet, std::int32_t from, std::int32_t to);
  void part_copies(int parts);
  void list_triangles();
  void write_surface(const std::vector<std::int32_t>& old_number);

  World& world_;
  Topology* own_ = nullptr;                        ///< the world's, once it is its own
  std::vector<std::int32_t> star_at_;              ///< per particle: first of its tetrahedra, and an end
  std::vector<std::int32_t> stars_;                ///< their numbers
  std::vector<std::vector<std::int32_t>> copies_;  ///< of the spares, in their order: theirs
  std::vector<Corner> skin_;                       ///< per triangle: its face; tet -1: of no solid
  std::vector<InnerFace> inner_;
  std::vector<std::int32_t> slot_, type_;  ///< per tetrahedron: that of its constraint, -1: none
  std::vector<Member> members_;
  std::vector<std::int32_t> target_;  ///< per part: its particle
  int made_ = 0;
  bool full_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
