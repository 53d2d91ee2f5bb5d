// Converts the state of a Simulation to a RenderFrame: the only place where simulation and rendering meet.
#pragma once

#include <cstdint>
#include <glm/common.hpp>
#include <memory>
#include <optional>
#include <vector>

#include "app/view/fluid_points.hpp"
#include "app/view/heat_scale.hpp"
#include "app/view/overlay_marks.hpp"
#include "app/view/render_frame.hpp"
#include "app/view/rod_tubes.hpp"
#include "app/view/soft_skins.hpp"
#include "engine/geometry/rigid_motion.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Converts the state of a Simulation to drawing data. Data that changes only with the model (triangles, uvs,
/// obstacles, particle sizes) is made once per model version. Writing into a frame that was used before then
/// allocates nothing. Must be used by one thread at a time.
class FrameExtractor {
 public:
  /// Overwrites `frame` with the present state. Pinned vertices become dots, the held vertex a larger dot
  /// with a line to its target.
  void extract(const Simulation& simulation, RenderFrame& frame);

  /// Sets the heat map of the next extract().
  void show(HeatMap map) { heat_map_ = map; }
  /// Sets the colours and the scale of the heat map.
  void show(const HeatLook& look) {
    heat_look_ = look;
    held_.lock(look.high);
  }
  HeatMap shown() const { return heat_map_; }
  /// Extends the next scale to `number`, so that pictures side by side share one scale.
  void cover_heat(float number) { heat_beside_ = number; }
  float largest_heat() const { return heat_most_; }  ///< in the last extract(), without a few outliers
  void show(Overlay overlay) { overlay_ = overlay; }

  /// External ids of the vertices with inverse mass zero at the last extract().
  const std::vector<Index>& fixed() const { return fixed_; }

 private:
  /// A growing bounding box.
  struct Box {
    glm::vec3 low{1e9f}, high{-1e9f};
    bool empty() const { return low.x > high.x; }
    void add(glm::vec3 at, glm::vec3 reach) {
      low = glm::min(low, at - reach);
      high = glm::max(high, at + reach);
    }
  };

  /// An obstacle whose collider moves.
  struct Mover {
    std::size_t obstacle;
    RigidMotion motion;
    glm::mat4 local;  ///< pose of the obstacle in the collider's frame
  };

  /// An obstacle whose collider deforms.
  struct Shapeshifter {
    std::size_t obstacle;
    std::shared_ptr<const PoseSequence> poses;
    double shell;            ///< m
    double drawn_at = -1.0;  ///< s, time of the drawn pose
  };

  void adopt(std::shared_ptr<const SceneModel> model, const SceneDesc& scene);
  void add_obstacle(std::size_t collider, bool ground_drawn);
  void add_solid_of(const ObjectModel& object);
  void add_bodies_of(const BodyModel& body, bool fixed);
  void change_shapes(double time);
  void write_obstacles(RenderFrame& frame) const;
  void write_bodies(const Simulation& simulation, RenderFrame& frame);
  void write_solids(const Simulation& simulation, RenderFrame& frame);
  void write_joints(const Simulation& simulation, RenderFrame& frame);
  void write_hand_ball(const Simulation& simulation, RenderFrame& frame) const;
  void write_marks(const Simulation& simulation, RenderFrame& frame);
  void write_bounds(RenderFrame& frame);
  Box crowd(const RenderFrame& frame);
  void write_heat(const Simulation& simulation, RenderFrame& frame);

  std::shared_ptr<const SceneModel> model_;
  std::shared_ptr<const SurfaceTopology> surfaces_;
  SoftSkins skins_;
  RodTubes tubes_;
  bool ground_ = false;        ///< draw a ground
  double first_radius_ = 1.0;  ///< m, of the focus when the model was first shown
  std::vector<PrimitiveDraw> obstacles_;
  std::vector<Mover> movers_;
  std::vector<Shapeshifter> shapeshifters_;
  std::vector<PrimitiveDraw> body_solids_;  ///< in the frames of their bodies
  std::vector<BodyPose> body_poses_;
  Index scene_bodies_ = 0;                     ///< without bodies that were added while the scene ran
  std::vector<float> distances_;               ///< of bodies from their median centre, scratch of crowd()
  std::vector<PrimitiveDraw> matched_solids_;  ///< drawn for rigid solids, in their own frames
  std::vector<DrawnParticles> inside_solids_;  ///< the particles of these solids
  std::vector<BodyPose> solid_poses_;
  std::shared_ptr<const TriMesh> shape_drawn_;  ///< mesh of the solid that was added last
  std::vector<JointMark> joints_;
  std::vector<DrawnParticles> particles_;  ///< of objects without triangles
  FluidPoints fluids_;
  std::vector<VertexRange> loose_;
  std::vector<Index> fixed_;
  HeatMap heat_map_ = no_heat_map, scaled_map_ = no_heat_map;
  Overlay overlay_ = Overlay::none;
  OverlayMarks marks_;
  float heat_most_ = 0.0f, heat_beside_ = 0.0f;
  HeldScale held_;
  HeatLook heat_look_;
};

}  // namespace limber
