// Colliders as parts of an exported frame.
#pragma once

#include <cstddef>
#include <memory>
#include <vector>

#include "app/record/exported_frame.hpp"
#include "engine/geometry/rigid_motion.hpp"

namespace limber {

/// The visible colliders of a scene. Each is a rigid part that moves as the collider does; one with poses of
/// its own deforms. A plane is a square, except the ground, which belongs to the stage. The name of a part
/// that an object or a body has already gets the ending "_collider".
class ColliderParts {
 public:
  /// Appends the parts of all visible colliders to `frame`.
  void add(const SceneModel& model, ExportedFrame& frame);

  /// Places collider `number` (in the order of the parts) at `time` (s).
  void place(std::size_t number, double time, ExportedPart& part) const;

  std::size_t size() const { return colliders_.size(); }

 private:
  struct Moving {
    RigidMotion motion;
    Placement local;                            ///< of the shape in the frame of the motion
    std::shared_ptr<const PoseSequence> poses;  ///< m, in the shape's frame; null: rigid
    double shell = 0.0;                         ///< m, thickness of a surface with poses
  };
  std::vector<Moving> colliders_;
};

}  // namespace limber
