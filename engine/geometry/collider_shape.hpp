#pragma once

namespace limber {

/// Plane: through its position, normal +y turned by its rotation. Capsule: along its y axis.
enum class ColliderShape : int { plane, sphere, box, capsule };

}  // namespace limber
