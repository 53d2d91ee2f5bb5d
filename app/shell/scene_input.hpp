// What mouse and keys do to the scene: camera, dragging, shortcuts, dropped files.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/render/camera.hpp"
#include "app/shell/input.hpp"
#include "app/tools/clip_drag.hpp"
#include "app/tools/mouse_cut.hpp"
#include "app/tools/mouse_drag.hpp"
#include "app/ui/bindings.hpp"

namespace limber {

/// What one frame's events asked for, besides moving the camera.
struct SceneRequests {
  std::vector<Command> commands;  ///< on the vertices of `model_version`
  std::uint64_t model_version = 0;
  std::size_t variant = 0;             ///< whose vertices
  std::optional<std::size_t> pressed;  ///< the picture in which a button went down
  std::vector<ui::Action> actions;
  std::vector<std::string> dropped;  ///< files
};

/// One of the pictures side by side and where it is, in the unit of the cursor's positions.
struct Pane {
  const Publication& shown;
  glm::vec2 corner, size;
};

/// Sorts events between camera, dragging and shortcuts. What a button began it keeps until it is released:
/// a press that the panels took never reaches the scene, and a drag in the scene never ends on a panel.
class SceneInput {
 public:
  /// Events of this frame that the panels claim: the mouse, keys that write, and, while a dialog or a menu
  /// is open, all keys but those of the window itself (ui::Reach).
  struct Claims {
    bool mouse = false, text = false, keys = false;
  };

  /// `clip`: the clipping plane, if there is one to drag. `panes`, at least one, are seen through one camera.
  /// A drag stays with the one that it began in.
  SceneRequests handle(std::span<const InputEvent> events, const Claims& claims, std::span<const Pane> panes,
                       Camera& camera, ClipPlane* clip = nullptr);

  /// Where a cut under way has been, from the corner of its pane.
  std::span<const glm::vec2> cut_trail() const { return cut_.trail(); }
  std::size_t pane() const { return pane_; }  ///< the one under the cursor, or of the drag under way

 private:
  enum class Hold { nothing, vertex, orbit, pan, cut, clip };
  struct Scene {
    std::span<const Pane> panes;
    Camera& camera;
    SceneRequests& out;
    ClipPlane* clip;  ///< null: there is none to drag
  };

  void follow_cursor(glm::vec2 position, std::span<const Pane> panes);
  const Publication& shown(const Scene& scene) const { return scene.panes[pane_].shown; }
  Viewpoint view(const Scene& scene) const { return {scene.camera, scene.panes[pane_].size}; }
  /// In the pane of the drag, or under the cursor.
  glm::vec2 inside(const Scene& scene, glm::vec2 position) const {
    return position - scene.panes[pane_].corner;
  }
  void press(const ButtonChanged& event, Scene& scene);
  void release(const ButtonChanged& event, Scene& scene);
  void move(glm::vec2 position, Scene& scene);
  void press_key(const KeyChanged& event, const Claims& claims, Scene& scene);
  void begin(Hold hold, int button);

  MouseDrag drag_;
  MouseCut cut_;
  ClipDrag clip_;
  bool knife_ = false;  ///< the key that makes a left drag cut is down
  Hold hold_ = Hold::nothing;
  int button_ = -1;       ///< the one that holds
  std::size_t pane_ = 0;  ///< under the cursor, or where the drag began
  glm::vec2 last_{0.0f};  ///< in the window
};

}  // namespace limber
