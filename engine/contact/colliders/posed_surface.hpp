// A collider whose mesh changes shape: distance of a point from it and motion of its surface, at any substep.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/core/real.hpp"
#include "engine/geometry/convex/convex_shape.hpp"
#include "engine/geometry/mesh/pose_sequence.hpp"
#include "engine/geometry/queries/primitives.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// The triangles of a PoseSequence at the start of a frame and at the end of each of its substeps, with one
/// tree of boxes whose structure serves all of these moments. All coordinates are in the collider's own
/// frame. Vertices move on straight lines within a substep.
class PosedSurface {
 public:
  /// Numbers of moments: `rest` is the pose at 0 s, 0 the frame's start, s + 1 the end of substep s.
  static constexpr int rest = -1;
  /// m, passed as `within` to search everywhere; its square is finite in float.
  static constexpr real anywhere = real(1e15);

  /// `shell`: m, thickness of an open mesh; 0 for a closed mesh.
  PosedSurface(const PoseSequence& poses, double shell);

  /// Computes all moments of a frame of dt s that begins at `time` s. Allocates only if there are more
  /// substeps than in any frame before.
  void place(double time, double dt, int substeps);

  /// Signed distance and outward direction at a point, and the displacement `moved` of the nearest surface
  /// point in the substep that ends at `moment`. If the surface is farther away than `within` m, the distance
  /// is `within` and the direction is undefined.
  struct MovingDistance : SurfaceDistance<real> {
    vec3 moved;  ///< m
  };
  MovingDistance at(int moment, const vec3& p, real within) const;

  /// A material point of the surface: it moves with its triangle.
  struct Anchor {
    std::int32_t triangle = -1;
    vec3 weight{0};
  };
  /// The point of the surface that is nearest to p; `within` m bounds the search.
  Anchor anchor(int moment, const vec3& p, real within) const;
  /// m, position of an anchor at a moment.
  vec3 place_of(int moment, const Anchor& anchor) const;

  /// m, box of all vertices at the frame's start, including the shell.
  Bounds bounds() const;

  /// Carries point p from moment `from` to moment `to`: it keeps its position relative to the triangle
  /// nearest to it, and its side of the surface. Returns p if no triangle is within `within` m.
  vec3 carried(int from, int to, const vec3& p, real within) const;

  /// m, largest displacement of any point in the substep that ends at `moment`.
  real fastest(int moment) const { return fastest_[std::size_t(moment + 1)]; }
  /// m, largest sum over the substeps of a frame of the displacements of fastest().
  real farthest() const { return farthest_; }

  /// m, lower bound of the distance of p from the surface at all moments of the frame.
  real least_distance(const vec3& p) const;

 private:
  struct Node {
    std::int32_t first, count;  ///< triangles
    std::int32_t right;         ///< the right child; the left child is the next node; 0 for a leaf
  };
  struct Box {
    vec3 low, high;
  };
  struct Nearest : Anchor {
    vec3 point{0};  ///< of the surface
    real squared = 0, facing = 0;
  };

  std::int32_t build(const std::vector<glm::dvec3>& x, std::int32_t first, std::int32_t count);
  void place_moment(int moment, double time);
  Nearest nearest(int moment, const vec3& p, real within) const;
  void compare(int moment, std::int32_t triangle, const vec3& p, Nearest& best) const;
  const vec3* corners(int moment) const { return x_.data() + std::size_t(moment + 1) * vertices_; }
  vec3 normal(int moment, std::int32_t triangle) const;

  const PoseSequence& poses_;
  real half_shell_;
  std::size_t vertices_;
  std::vector<Triangle> triangles_;  ///< in the order of the tree
  std::vector<Node> nodes_;
  std::vector<vec3> x_;        ///< m, per moment and vertex
  std::vector<Box> boxes_;     ///< per moment and node
  std::vector<real> fastest_;  ///< m, per moment
  std::vector<glm::dvec3> pose_;
  real farthest_ = 0;
};

}}  // namespace limber::LIMBER_PRECISION
