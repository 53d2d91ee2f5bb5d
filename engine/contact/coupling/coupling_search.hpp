// Broad phase between deformables and rigid bodies: vertices and edges near a shape, and facets near a corner
// of a shape; also of edges and facets near thin colliders.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/contact/coupling/feature_points.hpp"
#include "engine/contact/coupling/thin_colliders.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Feature pairs that can interpenetrate: a vertex or an edge of a deformable with a shape of a body, or a
/// corner of a shape with a triangle.
enum class CouplingKind : std::uint8_t { vertex, edge, corner };

struct CouplingPair {
  std::int32_t points[3];  ///< particles of the vertex, edge or triangle; an unused entry repeats the first
  std::int32_t shape;      ///< CouplingSearch::shape()
  std::int32_t corner;  ///< of `shape`, if the pair is a corner with a triangle
  CouplingKind kind;
  real room;  ///< m, approach of the two that is still possible before they need a contact
};

/// Runs once a frame, and again when a body or a particle leaves the safe bound around its predicted path
/// (because the body was hit or the cloth pulled). Boxes of blocks of neighbouring particles and facets go
/// through the grid of BodyPairs; then each member of a block that can meet a shape is tested by its own box.
class CouplingSearch {
 public:
  void reserve(const World& world);

  /// Lists the colliders that edges and faces touch. Must be called before reserve().
  void list_colliders(const World& world) { thin_.list(world); }
  bool meets_colliders() const { return !thin_.shapes().empty(); }
  /// Notes where these colliders are at the start of a substep. Serial, before run() and covers().
  void place_colliders(const World& world, const StaticContacts& statics, int substep) {
    thin_.place(world, statics, substep);
  }

  /// The shapes of all bodies, then the thin colliders, whose `body` is their number behind all bodies.
  const PlacedShape& shape(const World& world, std::int32_t s) const {
    const auto& shapes = world.bodies.parts->shapes;
    return std::size_t(s) < shapes.size() ? shapes[std::size_t(s)]
                                          : thin_.shapes()[std::size_t(s) - shapes.size()];
  }
  bool is_collider(std::int32_t body) const { return thin_.is_collider(body); }
  vec4* collider_frame(std::int32_t body) { return thin_.frame(body); }
  const vec4* collider_frame(std::int32_t body) const { return thin_.frame(body); }
  /// Pose of the frame of a shape's body at the substep's start.
  Placed frame_of(const World& world, std::int32_t s) const {
    const std::size_t shapes = world.bodies.parts->shapes.size();
    if (std::size_t(s) >= shapes) return thin_.at(std::size_t(s) - shapes);
    const std::size_t i = std::size_t(shape(world, s).body);
    return {vec3(world.bodies.position[i]), rotation_of(world.bodies.orientation[i])};
  }

  /// Finds the pairs of bodies at their current positions with particles at `places`, assuming that both keep
  /// their velocities for `ahead` s. Must be called by every thread of the team.
  void run(const World& world, const AlignedVector<vec4>& places, real ahead, Team& team);

  /// Measures the displacements of all particles (now at their predictions) and bodies (`rows` has their
  /// displacement in this substep). Returns, the same on every rank, whether all of them are within their
  /// safe bounds, `elapsed` s after run().
  bool covers(const World& world, const vec4* rows, real elapsed, Team& team);

  /// Whether the pair can need a contact, by the displacements since run() that covers() measured.
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
    std::int32_t begin, end;  ///< particles; in blocks from particle_blocks_ on: facets
  };
  /// Predicted path of a body or a particle, and its safe bound; m, m/s.
  struct PredictedPath {
    vec3 start, speed;
    real margin, turn = 0;  ///< margin: m, safe bound; turn: rad, bound of a body's rotation
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
  std::size_t shape_count(const World& world) const {
    return world.bodies.parts->shapes.size() + thin_.shapes().size();
  }
  /// Number of a shape among the thin colliders; -1: it belongs to a body.
  static std::int32_t thin_number(const World& world, std::int32_t shape) {
    return std::max(shape - std::int32_t(world.bodies.parts->shapes.size()), -1);
  }
  bool meets(const World& world, std::int32_t shape, std::int32_t i, std::int32_t j) const;
  bool is_apart(const World& world, std::int32_t particle, std::int32_t shape) const;
  real reach(const World& world, std::int32_t particle, std::int32_t shape) const;
  real most_apart(std::int32_t i, std::int32_t j) const;
  void keep(const World& world, CouplingPair pair, real distance, std::vector<CouplingPair>& out) const;

  ThinColliders thin_;
  std::vector<Block> blocks_;  ///< blocks of particles, then of facets
  std::size_t particle_blocks_ = 0;
  std::vector<PairBox> boxes_;  ///< shapes, then blocks
  std::vector<Placed> places_;  ///< poses of shapes
  std::vector<PredictedPath> body_paths_, paths_;
  std::vector<Bounds> particle_boxes_;
  std::vector<std::int32_t> tied_to_;  ///< per particle: a body or the number of a collider; -1: none
  std::vector<std::int32_t> noted_;    ///< particles i with tied_to_[i] >= 0
  /// m, per particle: distance from its position at run() to x, plus twice its displacement in this substep.
  std::vector<real> travel_;
  std::vector<real> shape_travel_;  ///< m, per shape: the same for its farthest point
  real ahead_ = 0, margin_ = 0;
  BodyPairs grid_;
  std::vector<std::vector<CouplingPair>> found_;  ///< per thread
  std::vector<CouplingPair> pairs_;
  std::atomic<bool> left_{false};
};

}}  // namespace limber::LIMBER_PRECISION
