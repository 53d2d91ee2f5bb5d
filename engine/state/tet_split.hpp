// Splits vertices of tetrahedral solids, for tears and cuts.
#pragma once

#include <functional>
#include <span>
#include <vector>

#include "engine/geometry/tets/tet_mesh.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Centre of a tetrahedron at the present positions, m.
glm::dvec3 center_of_tet(const World& world, std::int32_t tet);

/// Completes a topology whose triangles were replaced: corners, surface, tables of tears. `before`: number of
/// triangles before; old_number: per triangle its number before, or -1.
void follow_triangles(Topology& topology, std::size_t before, const std::vector<std::int32_t>& old_number);

/// Divides the tetrahedra at a vertex among the vertex and new copies of it, so that faces between them open.
/// Slots are kept: a slot names the copy in place of the old vertex, so colours and tasks stay valid. Parts
/// that are connected by an edge or a point only are split as well. Faces that open become triangles of the
/// surface, behind those of the original skin (finish()): the number of triangles changes, so the solver must
/// prepare() again.
///
/// Serial, between frames. The world must have a TearRoom with spares for the object.
class TetSplitter {
 public:
  explicit TetSplitter(World& world);

  /// Splits v by the plane through v with the normal `normal`. Returns the number of new vertices: 0 if all
  /// tetrahedra lie on one side, if a part would have less than a tenth of the volume around v, or if the
  /// reserve is empty.
  int split_across(std::int32_t v, const glm::dvec3& normal);

  /// Splits v at faces where label(tetrahedron) changes. Returns the number of new vertices.
  int split_by(std::int32_t v, const std::function<int(std::int32_t)>& label);

  /// A face between two tetrahedra, as it was when the splitter was made.
  struct Between {
    std::int32_t a, b;  ///< tetrahedra
    std::array<std::int32_t, 3> corners;
  };
  std::vector<Between> inner_faces() const;

  /// Whether two tetrahedra at v share a face that contains v.
  bool share_face(std::int32_t a, std::int32_t b, std::int32_t v) const;

  /// Whether a split failed because the reserve is empty.
  bool full() const { return full_; }

  /// Numbers (in Topology::tets) of the tetrahedra at a particle.
  std::span<const std::int32_t> star(std::int32_t v) const;

  /// Must be called after the last split: adds the triangles of opened faces to the surface.
  void finish();

 private:
  struct Corner {
    std::int32_t tet = -1;
    int corner = 0;  ///< corner opposite to the face
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

  World& world_;
  Topology* own_ = nullptr;  ///< the own copy of the topology, once it is made
  /// Per particle: its first place in stars_; one more number at the end
  std::vector<std::int32_t> star_at_;
  std::vector<std::int32_t> stars_;                ///< numbers of the tetrahedra at each particle
  std::vector<std::vector<std::int32_t>> copies_;  ///< per spare in use: its tetrahedra
  std::vector<Corner> skin_;                       ///< per triangle: its face of a tetrahedron; tet -1: none
  std::vector<InnerFace> inner_;
  std::vector<std::int32_t> slot_, type_;  ///< per tetrahedron: slot and type of its constraint; -1: none
  std::vector<Member> members_;
  std::vector<std::int32_t> target_;  ///< per part: its particle
  int made_ = 0;
  bool full_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
