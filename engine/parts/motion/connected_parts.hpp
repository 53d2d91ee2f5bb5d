// Sets of particles and bodies that constraints, ties and joints connect.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/constraint_set.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// A part is a set of particles that constraints or clusters connect, or a body that has a tie or a joint. A
/// group consists of the parts that ties or joints connect. Torn pieces and copies of an object are separate
/// parts; two ropes tied to one object form one group with it. Grains and fluid particles without a tie, and
/// bodies without ties or joints, belong to no part.
class ConnectedParts {
 public:
  /// Consecutive particles of one part that lie in one block of particle_block particles.
  struct Piece {
    std::int32_t part, begin, end;
  };
  /// A part: particles, or one body.
  struct Part {
    std::int32_t first_piece = 0, end_piece = 0;
    std::int32_t body = -1;
    std::int32_t group = 0;  ///< index of the first part of its group
    /// A member of the group is fixed, attached, dragged by the user or tied to a collider; found once a
    /// frame.
    bool held = false;
  };

  /// Allocates arrays for `world`.
  void reserve(const World& world);

  /// Finds the parts if their connections have changed, and the groups that are held. Serial, before a frame.
  void begin_frame(const World& world);

  /// Finds the parts again after a tear within a frame. Serial.
  void follow_tears(const World& world);

  bool any_free() const { return any_free_; }
  std::span<const Part> parts() const { return parts_; }
  std::span<const Piece> pieces() const { return pieces_; }                   ///< part after part, ascending
  std::span<const std::int32_t> of_particle() const { return of_particle_; }  ///< -1: none
  std::span<const std::int32_t> of_body() const { return of_body_; }          ///< -1: none

 private:
  std::int32_t root(std::int32_t i);
  void unite(std::int32_t a, std::int32_t b);
  template <class Type>
  void unite_along(const World& world, const StencilBatch<Type>& batch);
  void unite_particles(const World& world);
  void number_parts(const World& world);
  void cut_pieces(const World& world);
  template <class PartOf>
  void join_ends(const PointTie& tie, const PartOf& part_of);
  void join_bodies(const World& world);
  void join(std::int32_t a, std::int32_t b);
  std::int32_t group_of(std::int32_t part);
  bool is_held(const World& world, const Part& part) const;
  void hold(const World& world);

  std::vector<std::int32_t> parent_;  ///< per particle: link towards the root, the first particle of its part
  std::vector<std::int32_t> of_particle_, of_body_;
  std::vector<Part> parts_;
  std::vector<Piece> pieces_;
  std::size_t particle_parts_ = 0;  ///< number of parts of particles, which come first
  std::vector<std::uint8_t> tied_;  ///< per particle
  const Topology* topology_ = nullptr;
  std::uint64_t edition_ = 0;
  std::size_t ties_ = 0;
  bool any_free_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
