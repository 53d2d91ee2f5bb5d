// Untangling: lets surfaces that have already crossed back through each other.
//
// Contact keeps every feature on the side where it is, so features that start on the wrong side would stay
// there. Once a frame the edges that pierce triangles are found; they run along the contours of intersection.
// A flood fill that stops at edges pierced an odd number of times divides each connected mesh into regions.
// All regions but the largest count as crossed (global intersection analysis, Baraff, Witkin, Kass 2003). A
// contour that ends inside a mesh divides nothing; there the contour itself is shortened (intersection
// contour minimisation, Volino and Magnenat-Thalmann 2006).
//
//   pulls    at each piercing the edge moves against the triangle, at untangle_speed or faster: across the
//            triangle to the side of its end in the larger region, or in the direction that shortens the
//            contour
//   release  crossed vertices and edges have no contact with the meshes that their region crosses
//
// All other pairs are kept apart as usual. Once no edge pierces a triangle, this holds for all pairs, and a
// frame costs one test of ContactState::tangle_watch.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/pair_batch.hpp"
#include "engine/contact/cloth/piercing_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Finds and resolves the intersections of a frame. Keeps only storage from one frame to the next.
class Tangles {
 public:
  /// Reserves storage for `lists` lists of pairs, the number that release() will get. Allocates.
  void reserve(const World& world, std::size_t lists);

  /// Finds the intersections. Must be called by every thread of the team, before the search for pairs in a
  /// frame of dt s.
  void begin_frame(World& world, real dt, Team& team);

  /// Makes active() false until the next begin_frame().
  void rest(Team& team);

  /// True if release() and pull() must be called in this frame. Has the same value on every rank after the
  /// next barrier.
  bool active() const { return active_; }
  /// True if part of the object has crossed, now or until recently.
  bool active(std::int32_t object) const { return active_ && untangling_[std::size_t(object)]; }

  /// Copies to kept() the pairs of `found` (a list per block) that must be kept apart. Their contact
  /// distances are limited to the distance that untangle_speed covers in a substep from `places`. Must be
  /// called by every thread of the team; each takes its share of the lists.
  void release(PairKind kind, std::span<const std::vector<SurfacePair>> found,
               const AlignedVector<vec4>& places, const Team& team);
  std::span<const std::vector<SurfacePair>> kept(PairKind kind) const { return kept_[int(kind)]; }

  /// Projects all pulls once. Serial.
  void pull(World& world) const;

  /// Calls act(vertex) for the vertices that pull() moves, some more than once.
  template <class Act>
  void for_pulled(const Act& act) const {
    for (const Pull& pull : pulls_)
      for (const std::int32_t i : pull.vertices) act(i);
  }

  /// Number of vertices that have crossed or lie at a contour.
  std::int64_t tangled() const { return tangled_; }

 private:
  /// Edge 0 1 is to move by `way` per substep against triangle 2 3 4, along the unit vector `along`.
  struct Pull {
    std::int32_t vertices[5];
    real weight[5];
    vec3 along;
    real way;  ///< m
  };

  void analyse(World& world);
  void watch_objects(World& world);
  void cut_edges(const Topology& topology);
  void fill(const World& world);
  void mark(const Topology& topology);
  void add_pull(const World& world, const Piercing& piercing);
  vec3 shortening(const World& world, const Piercing& piercing, const vec3& normal) const;
  std::int32_t smaller(std::int32_t a, std::int32_t b) const;
  bool crossed(std::int32_t i, std::int32_t other) const;
  bool released(PairKind kind, const SurfacePair& pair) const;

  PiercingSearch search_;
  std::vector<Piercing> piercings_;
  std::vector<std::uint8_t> cut_;  ///< per triangle: bit j: side j is pierced an odd number of times
  std::vector<std::int32_t> region_, body_;  ///< per particle: the first particle of its region; of its mesh
  /// Per first particle of a region: its number of vertices; fixed vertices count more.
  std::vector<std::int64_t> size_;
  std::vector<std::int32_t> largest_;  ///< per first particle of a mesh: its largest region
  /// Per first particle of a region: bits of the meshes that it crosses, modulo 64.
  std::vector<std::uint64_t> partners_;
  std::vector<std::uint8_t> untangling_;  ///< per object
  std::vector<std::uint8_t> at_contour_;  ///< per particle
  std::vector<Pull> pulls_;
  std::vector<std::vector<SurfacePair>> kept_[pair_kinds];  ///< per block, see release()
  real way_ = 0;  ///< m, distance that untangle_speed covers in a substep
  std::int64_t tangled_ = 0;
  bool active_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
