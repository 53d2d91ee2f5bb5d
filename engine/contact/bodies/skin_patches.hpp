// Rigid motion of a deforming collider's skin under the contacts of rigid bodies.
#pragma once

#include <cstdint>
#include <vector>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/contact/colliders/static_contacts.hpp"
#include "engine/core/aligned.hpp"
#include "engine/state/world.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Presents the skin under one manifold to the kernels of body contacts as a body of inverse mass zero. Its
/// motion is the rigid motion nearest to that of the skin's material points r_k under the contact points,
/// which move by d_k: the mean displacement, and the rotation vector w that minimises sum |d_k - w x r_k|^2.
/// The stretch of the skin between the contact points within a frame is neglected; the next frame's manifold
/// takes it into account.
class SkinPatches {
 public:
  void clear() { patches_.clear(); }

  /// Adds the patch under a manifold of collider `c`, whose surface has been placed for the frame. Returns
  /// the patch's number.
  std::int32_t add(const World& world, const StaticContacts& statics, std::size_t c,
                   const Manifold& manifold);

  std::int32_t count() const { return std::int32_t(patches_.size()); }
  /// m, mean of the points of the skin at the frame's start; arms are measured from it.
  const vec3& center(std::int32_t patch) const { return patches_[std::size_t(patch)].center; }

  // `rows`: the kernels' rows (BodyRow) of the first patch; the others follow.

  /// Writes rows without displacement and with inverse mass zero, at a frame's start.
  void begin_frame(vec4* rows) const;
  /// Writes the displacements of all patches in a substep.
  void move(const World& world, const StaticContacts& statics, int substep, vec4* rows);
  /// Writes the displacements since the frame's start, after bodies have moved in the substep of move().
  void finish(vec4* rows) const;

 private:
  struct Patch {
    std::size_t collider = 0;
    int count = 0;
    PosedSurface::Anchor anchor[4];
    vec3 start[4], now[4];  ///< m, in the world: at the frame's start, at the end of the substep
    vec3 center{0};
  };
  std::vector<Patch> patches_;
};

}}  // namespace limber::LIMBER_PRECISION
