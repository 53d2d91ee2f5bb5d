#pragma once

namespace limber {

/// Plane: through its position, normal +y turned by its rotation. Capsule: along its y axis. Mesh: any closed
/// triangle mesh, by its signed distance field.
enum class ColliderShape : int { plane, sphere, box, capsule, mesh };

}  // namespace limber
