// Contact manifold of two boxes.
#pragma once

#include "engine/contact/bodies/manifold.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// collide() for boxes of half extents `a` and `b`: a separating axis test over 15 directions, beginning with
/// the axis of the last frame, then face against face or edge against edge. Returns false, with axis and
/// normal unchanged, if the boxes are apart and nearest at a corner or at ends of edges; convex_contact()
/// handles those.
bool collide_boxes(const vec3& a, const Placed& at_a, const vec3& b, const Placed& at_b, real reach,
                   Manifold& manifold);

}}  // namespace limber::LIMBER_PRECISION
