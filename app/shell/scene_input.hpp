// Turns mouse and key events into camera motion, drags of vertices, shortcuts and dropped files.
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
#include "app/tools/mouse_warm.hpp"
#include "app/ui/bindings.hpp"

namespace limber {

/// Requests of one frame's events, besides moving the camera.
struct SceneRequests {
  std::vector<Command> commands;  ///< on the vertices of `model_version`
  std::uint64_t model_version = 0;
  std::size_t variant = 0;             ///< variant that the commands act on
  std::optional<std::size_t> pressed;  ///< the pane in which a button went down
  std::vector<ui::Action> actions;
  std::vector<std::string> dropped;  ///< dropped files
};

/// One of the pictures shown side by side, and its place in cursor units.
struct Pane {
  const Publication& shown;
  glm::vec2 corner, size;
};

/// Distributes events to camera, drags and shortcuts. A press and its release go to the same receiver: a
/// press on a panel never reaches the scene, and a drag in the scene never ends on a panel.
class SceneInput {
 public:
  /// Events of this frame that the panels claim: the mouse, typed keys and, while a dialog or menu is open,
  /// all keys except those of the window itself (ui::Reach).
  struct Claims {
    bool mouse = false, text = false, keys = false;
  };

  /// Handles the events of a frame. `clip`: the clipping plane, null if there is none to drag. `panes`, at
  /// least one, share one camera. A drag stays in the pane in which it began.
  SceneRequests handle(std::span<const InputEvent> events, const Claims& claims, std::span<const Pane> panes,
                       Camera& camera, ClipPlane* clip = nullptr);

  /// Cursor positions of the cut under way, relative to the corner of its pane.
  std::span<const glm::vec2> cut_trail() const { return cut_.trail(); }
  /// 1 while the brush warms, -1 while it cools, 0 if it is not in use.
  int warming() const { return warm_.sign(); }
  glm::vec2 cursor() const { return last_; }  ///< in the window
  std::size_t pane() const { return pane_; }  ///< the pane under the cursor, or that of the drag under way

 private:
  enum class Hold { nothing, vertex, orbit, pan, cut, warm, clip };
  struct Scene {
    std::span<const Pane> panes;
    Camera& camera;
    SceneRequests& out;
    ClipPlane* clip;  ///< null: none to drag
  };

  void follow_cursor(glm::vec2 position, std::span<const Pane> panes);
  const Publication& shown(const Scene& scene) const { return scene.panes[pane_].shown; }
  Viewpoint view(const Scene& scene) const { return {scene.camera, scene.panes[pane_].size}; }
  /// Position relative to the pane under the cursor or of the drag.
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
  MouseWarm warm_;
  ClipDrag clip_;
  bool knife_ = false;  ///< the key that makes a left drag cut is down
  int heater_ = 0;      ///< the key that makes a left drag warm (1) or cool (-1) is down
  Hold hold_ = Hold::nothing;
  int button_ = -1;       ///< the button of the drag
  std::size_t pane_ = 0;  ///< under the cursor, or of the drag
  glm::vec2 last_{0.0f};  ///< last cursor position in the window
};

}  // namespace limber
