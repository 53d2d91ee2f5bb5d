// Two boxes, the commonest pair of all.
#pragma once

#include "engine/contact/bodies/manifold.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// collide() for boxes of half extents `a` and `b`: the separating axis test over 15 directions, the last
/// one first, then face against face or edge against edge. False, with the manifold's axis and normal as good
/// as before, where the boxes are apart and nearest at a corner or at the ends of edges: convex_contact()
/// knows those.
bool collide_boxes(const vec3& a, const Placed& at_a, const vec3& b, const Placed& at_b, real reach,
                   Manifold& manifold);

}}  // namespace limber::LIMBER_PRECISION
