// Finds contacts at the seams of neighbouring solids that no motion of the body could bring about.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "engine/contact/bodies/body_pairs.hpp"
#include "engine/contact/bodies/manifold.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Manifolds are found pair by pair, so a body that slides from one tile onto the next finds the side of the
/// next tile nearer than its top, although the first tile covers that side. Let M be a body that touches a
/// support S along the normal m and a neighbour N along n, both towards M. The contact along n is covered if
///
///   max_N m.x <= max_S m.x + tolerance   (N does not stick out of the plane on which M stands)
///   max_S n.x >  max_N n.x + tolerance   (the plane of the contact cuts S, so n does not separate M from S)
///
/// The plane through the top of S along m then separates M from N as well, so that M can only meet N along m.
/// A wall, a kerb or any other obstacle sticks out of the plane of its ground, so its contact stays. The
/// tolerance is 3/1000 of the least thickness of M, which is more than bodies at rest overlap.
///
/// If N can move, the contact is covered only if M comes towards N over S in the frame and N does not rise
/// out of the plane.
///
/// A mesh sticks out of the plane only if the space just above the ground behind the contact lies inside the
/// mesh. A mesh therefore also covers its own inner edges.
class SeamContacts {
 public:
  void reserve(const World& world);

  /// Lists the contacts of each body. The manifolds of pair p are [first[p], first[p + 1]). Must be called by
  /// every thread of the team.
  void gather(const World& world, std::span<const BoxPair> pairs, std::span<const std::int32_t> first,
              std::span<const Manifold> manifolds, Team& team);

  /// Whether manifold `entry` is covered. If so, sets `along` to the normal to be used instead, from the
  /// pair's second shape to its first. Needs the arguments of gather() to be alive. Threads may call it at
  /// once.
  bool covered(const World& world, std::span<const Placed> places, std::int32_t entry, vec3& along) const;

  /// Whether covered() can be true for any manifold.
  bool any() const { return any_; }

 private:
  struct Contact {
    std::int32_t entry, solid, other;  ///< the manifold, the body's shape, and the shape or collider it meets
    vec3 normal;                       ///< towards the body
  };
  struct Body {
    const World& world;
    std::span<const Placed> places;
    vec3 origin;  ///< m, point from which heights are measured
    real tolerance;
  };
  struct Sides {
    std::int32_t body[2];  ///< of the pair's shapes; -1: it has none, or cannot move, or nothing touches
  };
  void order_by_body(const World& world, std::size_t threads);
  std::span<const Contact> contacts_of(std::int32_t body) const {
    const std::int32_t begin = begin_[std::size_t(body)];
    return {contacts_.data() + begin, std::size_t(begin_[std::size_t(body) + 1] - begin)};
  }
  bool covers(const Body& body, const Contact& support, const Contact& contact, vec3& along) const;
  bool slides_over(const Body& body, std::int32_t own, const Contact& support, const Contact& contact) const;
  bool leans(const Contact& support, const Contact& contact) const;
  bool stands_out(const Body& body, const Contact& contact, const vec3& m, real top) const;
  bool below(const Body& body, const Contact& contact, const vec3& m, real height) const;
  real height(const Body& body, std::int32_t solid, const vec3& along) const;
  vec3 face_normal(const Body& body, std::int32_t solid, const vec3& normal) const;

  std::span<const Manifold> manifolds_;
  std::vector<std::int32_t> pair_of_;  ///< per manifold
  std::span<const BoxPair> pairs_;
  std::vector<std::int32_t> begin_, next_;  ///< per body, and an end
  std::vector<Sides> sides_;                ///< per manifold
  std::vector<std::int32_t> order_;  ///< twice the manifold, plus one for the second side; body after body
  std::vector<Contact> contacts_;    ///< in this order
  std::vector<real> tolerance_;      ///< m, per body
  std::vector<Bounds> meshes_;       ///< m, per collider: the box around a mesh in its own frame
  std::vector<char> mixed_;          ///< per body: its contacts have several normals
  std::vector<char> any_mixed_;      ///< per thread
  bool any_ = false;
};

}}  // namespace limber::LIMBER_PRECISION
