// The particles and bodies that constraints hold together.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Connected parts: particles that are joined by constraints, clusters or ties to bodies, and bodies that are
/// joined by ties or joints. Torn pieces and copies of an object are separate parts; an object to which two
/// ropes are tied joins the ropes. Grains, fluids, and bodies without ties or joints belong to no part.
class ConnectedParts {
 public:
  /// Particles of one part within a block of particle_block, one after the other.
  struct Piece {
    std::int32_t part, begin, end;
  };
  /// A part of particles, or one body.
  struct Part {
    std::int32_t first_piece = 0, end_piece = 0;
    std::int32_t body = -1;
    std::int32_t group = 0;  ///< the first of the parts that ties and joints join to it
    bool held = false;       ///< some member of its group has a prescribed motion; decided once a frame
  };

  /// Room for `world`; allocates.
  void reserve(const World& world);

  /// Finds the parts, if their connections have changed, and the parts that are held. Serial, before a frame.
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

  std::vector<std::int32_t> parent_;  ///< per particle; a root is the first of its part
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
