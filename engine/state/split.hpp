// Splits vertices of a surface in place, for tears and cuts.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/geometry/queries/triangle_intersection.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Divides the triangles at a vertex among the vertex and new copies of it (Mueller et al. 2006, section
/// 4.4). Slots are kept: a slot on the side of a copy names the copy in place of the old vertex, so colours
/// and tasks stay valid. An edge that opens gets a loose slot for its second side; a hinge across it is
/// retired. The surface stays a manifold: parts that are connected by a vertex only are split there too.
///
/// Changes `world` and its topology, of which it makes its own copy at the first split. Serial, between
/// substeps.
class Splitter {
 public:
  /// `world` must have a TearRoom.
  explicit Splitter(World& world) : world_(world) {}

  /// Splits v by the plane through v with the normal `normal`: triangles whose centroid is above or on the
  /// plane keep v. Returns the number of new vertices: 0 if all triangles lie on one side, if the reserve is
  /// empty, or if other features are so near that the copies cannot be moved apart.
  int split_across(std::int32_t v, const vec3& normal);

  /// Splits v into one vertex for each part of its triangles. Parts are separated by the edges `cut_sides`:
  /// 3 * triangle + side, ascending.
  int separate(std::int32_t v, std::span<const std::int32_t> cut_sides);

  /// Vertices of all triangles around the vertices split so far, including the new ones.
  std::span<const std::int32_t> touched() const { return touched_; }

  /// Whether a split failed because the reserve is empty.
  bool full() const { return full_; }

 private:
  static constexpr int no_corner = -1;
  /// A triangle at the vertex that is being split.
  struct FanTriangle {
    std::int32_t number;
    int corner;  ///< corner at the vertex, or no_corner for a triangle around the fan
    int label;   ///< 1: its centroid is above the plane
    int part = -1;
  };

  const Topology& mesh() const { return *world_.topology; }
  const std::array<std::int32_t, 3>& corners_of(const FanTriangle& f) const {
    return mesh().triangles[std::size_t(f.number)];
  }
  std::int32_t next(const FanTriangle& f) const { return corners_of(f)[std::size_t((f.corner + 1) % 3)]; }
  std::int32_t last(const FanTriangle& f) const { return corners_of(f)[std::size_t((f.corner + 2) % 3)]; }

  void load_fan(std::int32_t v);
  const FanTriangle* across(const FanTriangle& f, std::int32_t u) const;
  bool joined(const FanTriangle& a, const FanTriangle& b, std::span<const std::int32_t> cut_sides) const;
  int number_parts(std::span<const std::int32_t> cut_sides);
  bool has_room(std::int32_t v, int parts) const;
  int divide(std::int32_t v, std::span<const std::int32_t> cut_sides);
  void split_fan(std::int32_t v, int parts, int kept);
  void share_mass(std::int32_t v, int parts);
  void move_springs(std::int32_t v, const FanTriangle& f, int side, std::int32_t u);
  void move_hinges(std::int32_t v, const FanTriangle& f);
  void move_within(std::int32_t v, const FanTriangle& f);
  void write_corners(std::int32_t v, int parts, int kept);
  void write_owners();
  bool find_steps(std::int32_t v, int parts, int kept);
  void load_ring();
  void list_ways(std::int32_t v, int part);
  TrianglePoints places(const FanTriangle& f, bool stepped) const;
  bool meets_others(int part, double least) const;
  bool pierces_with_an_edge(const FanTriangle& f, const TrianglePoints& x, const FanTriangle& g,
                            const TrianglePoints& y) const;
  bool come_near(const FanTriangle& f, const TrianglePoints& x, const FanTriangle& g, const TrianglePoints& y,
                 double least) const;
  bool same_corner(const FanTriangle& f, int j, const FanTriangle& g, int k) const;
  bool share_corner(const FanTriangle& f, int j, const FanTriangle& g, int k) const;
  bool has_corner(const FanTriangle& g, const FanTriangle& f, int j) const;
  Attachment* attachment_of(std::int32_t i);
  void move_copy(std::int32_t i, const vec3& step);
  void release_tethers(std::int32_t object);
  std::int32_t add_loose(std::int32_t type, std::int32_t like, std::int32_t p, std::int32_t v,
                         std::int32_t u);

  World& world_;
  Topology* own_ = nullptr;  ///< the own copy of the topology, once it is made
  std::vector<FanTriangle> fan_, ring_;
  std::vector<FanTriangle*> open_;
  std::vector<std::int32_t> target_;  ///< per part: its particle
  std::vector<double> area_;          ///< m^2, per part
  std::vector<vec3> ways_;            ///< directions that are tried for the copy of a part
  std::vector<vec3> steps_;           ///< m, per part: displacement of its copy
  std::vector<std::int32_t> opened_;  ///< other ends of the edges that the last split opened
  std::vector<std::int32_t> touched_;
  bool full_ = false;
};

/// Makes a particle of the reserve a copy of v, in `own`, the world's topology. Returns its number.
std::int32_t take_spare(World& world, Topology& own, std::int32_t v);

/// The topology of `world`, not shared from then on, with a new edition.
Topology& own_topology(World& world);

}}  // namespace limber::LIMBER_PRECISION
