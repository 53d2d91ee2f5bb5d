#pragma once

#include "engine/geometry/convex/convex_kind.hpp"

namespace limber {

/// Shapes of a rigid body in a scene: a ConvexKind, or several of them as one body.
enum class BodyShape : int { sphere, capsule, box, cylinder, hull, compound };

/// The ConvexKind of a body shape other than `compound`.
constexpr ConvexKind kind_of(BodyShape shape) { return ConvexKind(int(shape)); }
static_assert(kind_of(BodyShape::hull) == ConvexKind::hull && kind_of(BodyShape::box) == ConvexKind::box);

}  // namespace limber
