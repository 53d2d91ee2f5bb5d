// Colliders that fit between the vertices of a deformable: its edges and faces have to meet them too.
#pragma once

#include <vector>

#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/contact/frame_rows.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Spheres, boxes and capsules among the colliders whose smallest side is narrower than twice the longest
/// rest edge of a surface which they touch; and those that may meet a rod's segments: boxes, and round ones
/// into which a segment between two points on them would sink by a quarter of its thickness. Vertices touch
/// all colliders (StaticContacts); edges and faces touch these too, by the rows that couple them with bodies.
/// A collider counts as a body of inverse mass 0 there, numbered behind all bodies.
class ThinColliders {
 public:
  void list(const World& world);
  /// Notes where the colliders are at the start of `substep`, counted from 0, and their motion in it. Serial.
  void place(const World& world, const StaticContacts& statics, int substep);

  /// The shapes, ascending by collider, with the numbers that stand for bodies.
  const std::vector<PlacedShape>& shapes() const { return shapes_; }
  bool is_collider(std::int32_t body) const { return body >= bodies_; }
  /// The frame (frame_rows.hpp) of the collider with such a number.
  vec4* frame(std::int32_t body) { return frames_.data() + frame_rows * (body - bodies_); }
  const vec4* frame(std::int32_t body) const { return frames_.data() + frame_rows * (body - bodies_); }
  /// Pose of the k-th shape at the substep's start.
  const Placed& at(std::size_t k) const { return places_[k]; }
  /// m, bound of the displacement of its points in the frame.
  real travel(std::size_t k) const { return travel_[k]; }

  /// Whether the edge between two particles is too long for the k-th collider to touch their vertices only.
  bool spans(const World& world, std::size_t k, std::int32_t i, std::int32_t j) const;

 private:
  std::int32_t bodies_ = 0;  ///< number of bodies
  std::vector<PlacedShape> shapes_;
  std::vector<vec4> frames_;  ///< per collider; those that are not thin stand still
  std::vector<Placed> places_;
  std::vector<real> travel_;
  std::vector<real>
      longest_;  ///< m, per object: its longest rest edge; 0 if it has none or consists of balls
};

}}  // namespace limber::LIMBER_PRECISION
