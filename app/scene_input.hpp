// What mouse and keys do to the scene: camera, dragging, shortcuts, dropped files.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "app/input.hpp"
#include "app/render/camera.hpp"
#include "app/sim/mouse_cut.hpp"
#include "app/sim/mouse_drag.hpp"
#include "app/sim/run_status.hpp"
#include "app/ui/bindings.hpp"

namespace limber {

/// What one frame's events asked for, besides moving the camera.
struct SceneRequests {
  std::vector<Command> commands;  ///< on the vertices of `model_version`
  std::uint64_t model_version = 0;
  std::vector<ui::Action> actions;
  std::vector<std::string> dropped;  ///< files
};

/// Sorts events between camera, dragging and shortcuts. What a button began it keeps until it is released:
/// a press that the panels took never reaches the scene, and a drag in the scene never ends on a panel.
class SceneInput {
 public:
  /// What the panels claim of this frame's events.
  struct Claims {
    bool mouse = false, text = false;
  };

  SceneRequests handle(std::span<const InputEvent> events, const Claims& claims, const Publication& shown,
                       Camera& camera, glm::vec2 size);

  /// Where a cut under way has been, in the unit of the cursor's positions.
  std::span<const glm::vec2> cut_trail() const { return cut_.trail(); }

 private:
  enum class Hold { nothing, vertex, orbit, pan, cut };
  struct Scene {
    const Publication& shown;
    Camera& camera;
    glm::vec2 size;
    SceneRequests& out;
  };

  void press(const ButtonChanged& event, Scene& scene);
  void release(const ButtonChanged& event, Scene& scene);
  void move(glm::vec2 position, Scene& scene);
  void begin(Hold hold, int button);

  MouseDrag drag_;
  MouseCut cut_;
  bool knife_ = false;  ///< the key that makes a left drag cut is down
  Hold hold_ = Hold::nothing;
  int button_ = -1;  ///< the one that holds
  glm::vec2 last_{0.0f};
};

}  // namespace limber
