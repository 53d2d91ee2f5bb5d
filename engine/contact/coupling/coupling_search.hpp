// Finds pairs of vertices, edges and facets of deformables with the rigid bodies that they can meet soon.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/contact/coupling/feature_points.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Feature pairs that can interpenetrate: a vertex or an edge of a deformable with a body, or a body's corner
/// with a triangle.
enum class CouplingKind : std::uint8_t { vertex, edge, corner };

struct CouplingPair {
  std::int32_t points[3];  ///< particles of the vertex, edge or triangle; unused ones repeat the first
  std::int32_t shape;
  std::int32_t corner;  ///< of the shape, with a triangle
  CouplingKind kind;
  real room;  ///< m, by how much the two can come nearer before they need a contact
};

/// Broad phase, once a frame, and again when a body or a particle leaves its predicted path (because the body
/// was hit or the cloth pulled). Blocks of neighbouring particles and triangles go through the grid of
/// BodyPairs; then the members of a block that can meet a shape are found box by box.
class CouplingSearch {
 public:
  void reserve(const World& world);

  /// Finds the pairs of bodies at their current positions with particles at `places`; both continue at their
  /// velocities for `ahead` s. Must be called by every thread of the team. Ends at a barrier.
  void run(const World& world, const AlignedVector<vec4>& places, real ahead, Team& team);

  /// Measures the displacements of all particles (now at their predictions) and bodies (`rows` has their
  /// displacement in this substep). Returns, the same on every rank, whether all are within the bounds
  /// expected `elapsed` s after run(). Ends at a barrier.
  bool covers(const World& world, const vec4* rows, real elapsed, Team& team);

  /// Whether the pair can have come together since run(), by the displacements that covers() measured.
  bool in_reach(const CouplingPair& pair) const {
    const real own = std::max({travel_[std::size_t(pair.points[0])], travel_[std::size_t(pair.points[1])],
                               travel_[std::size_t(pair.points[2])]});
    return pair.room < own + shape_travel_[std::size_t(pair.shape)];
  }

  /// Pairs found, ascending by shape.
  std::span<const CouplingPair> pairs() const { return pairs_; }

 private:
  static constexpr std::int32_t block_particles_ = 64, block_triangles_ = 32;

  struct Block {
    std::int32_t begin, end;  ///< particles or, of the later blocks, triangles
  };
  /// Predicted path of a body or a particle, and its safe bound; m, m/s.
  struct PredictedPath {
    vec3 start, speed;
    real margin, turn = 0;  ///< turn: rad, of a body
    vec4 orientation{0, 0, 0, 1};
  };

  void place_shapes(const World& world, real ahead, const Team& team);
  void place_particles(const World& world, const AlignedVector<vec4>& places, real ahead, const Team& team);
  void place_blocks(const World& world, const Team& team);
  void find_in(const World& world, const BoxPair& pair, std::vector<CouplingPair>& out) const;
  void find_vertices(const World& world, std::int32_t shape, const Block& block,
                     std::vector<CouplingPair>& out) const;
  void find_triangles(const World& world, std::int32_t shape, const Block& block,
                      std::vector<CouplingPair>& out) const;
  void note_ties(const World& world);
  bool is_apart(const World& world, std::int32_t particle, std::int32_t shape) const;
  real reach(const World& world, std::int32_t particle, std::int32_t shape) const;
  real most_apart(std::int32_t i, std::int32_t j) const;
  void keep(const World& world, CouplingPair pair, real distance, std::vector<CouplingPair>& out) const;

  std::vector<Block> blocks_;  ///< of particles, then of triangles
  std::size_t particle_blocks_ = 0;
  std::vector<PairBox> boxes_;  ///< shapes, then blocks
  std::vector<Placed> places_;  ///< of shapes
  std::vector<PredictedPath> body_paths_, paths_;
  std::vector<Bounds> particle_boxes_;
  std::vector<std::int32_t> tied_to_;  ///< per particle: a body; -1: none
  std::vector<std::int32_t> noted_;    ///< particles with an entry there
  std::vector<real> travel_;           ///< m, per particle: path since the search, and in this substep
  std::vector<real> shape_travel_;     ///< m, per shape: likewise, of its farthest point
  real ahead_ = 0, margin_ = 0;
  BodyPairs grid_;
  std::vector<std::vector<CouplingPair>> found_;  ///< per thread
  std::vector<CouplingPair> pairs_;
  std::atomic<bool> left_{false};
};

}}  // namespace limber::LIMBER_PRECISION
