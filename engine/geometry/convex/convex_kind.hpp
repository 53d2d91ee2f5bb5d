#pragma once

namespace limber {

/// Shapes of rigid bodies. Capsule and cylinder: along the y axis. Hull: the convex hull of a mesh.
enum class ConvexKind : int { sphere, capsule, box, cylinder, hull };

}  // namespace limber
