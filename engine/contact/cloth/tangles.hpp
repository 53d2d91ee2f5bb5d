// Untangling: lets surfaces that have already crossed back through each other.
//
// Contact keeps every feature on the side where it is, so features that start on the wrong side would stay
// there. Once a frame the edges that pierce triangles are found; they run along the contours of intersection.
// A flood fill that stops at edges pierced an odd number of times divides each connected mesh into regions,
// and all but the largest have crossed (global intersection analysis, Baraff, Witkin, Kass 2003). A contour
// that ends inside a mesh divides nothing; there the contour itself is shortened (intersection contour
// minimisation, Volino and Magnenat-Thalmann 2006).
//
//   pulls    at each piercing the edge moves against the triangle, at least untangle_speed fast: across the
//            triangle to the side of its end in the larger region, or the way that shortens the contour
//   release  a crossed vertex has no contact with the meshes its region crosses, nor have edges there
//
// All other pairs are kept apart as usual, and once no edge pierces any more, all pairs are: a surface known
// to be free of intersections costs one test of ContactState::tangle_watch a frame.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/cloth/pair_batch.hpp"
#include "engine/contact/cloth/piercing_search.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Keeps only its storage from one frame to the next.
class Tangles {
 public:
  /// `lists` of pairs will be given to release(); allocates.
  void reserve(const World& world, std::size_t lists);

  /// Must be called by every thread of the team, before the search for pairs in a frame of dt s. Ends at a
  /// barrier, unless there was nothing to look at.
  void begin_frame(World& world, real dt, Team& team);

  /// Looks at nothing until the next begin_frame(). Ends at a barrier.
  void rest(Team& team);

  /// True if pairs and pulls are to be asked for in this frame; the same on every rank after the next
  /// barrier.
  bool active() const { return active_; }
  /// True if part of the object has crossed, or had until lately.
  bool active(std::int32_t object) const { return active_ && untangling_[std::size_t(object)]; }

  /// Keeps those of the pairs found, a list per block, that are to stay apart, none at a larger distance than
  /// can be reached from `places` in a substep at untangle_speed. Must be called by every thread of the team;
  /// each takes its share of the lists.
  void release(PairKind kind, std::span<const std::vector<SurfacePair>> found,
               const AlignedVector<vec4>& places, const Team& team);
  std::span<const std::vector<SurfacePair>> kept(PairKind kind) const { return kept_[int(kind)]; }

  /// Projects all pulls once. By one thread.
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
  /// A pull: edge 0 1 is to move by `way` in a substep against triangle 2 3 4, along the unit vector `along`.
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
  std::vector<std::int32_t> region_, body_;  ///< per particle: the first particle of its region, of its mesh
  std::vector<std::int64_t> size_;           ///< per region's first particle: vertices, held ones count more
  std::vector<std::int32_t> largest_;        ///< per body's first particle: its largest region
  std::vector<std::uint64_t> partners_;      ///< per region's first particle: bodies it crosses, modulo 64
  std::vector<std::uint8_t> untangling_;     ///< per object
  std::vector<std::uint8_t> at_contour_;     ///< per particle
  std::vector<Pull> pulls_;
  std::vector<std::vector<SurfacePair>> kept_[pair_kinds];  ///< per block
  real way_ = 0;                                            ///< m, in a substep
  std::int64_t tangled_ = 0;
  bool active_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
