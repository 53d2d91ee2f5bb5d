// The choices of the View menu.
#pragma once

#include <optional>
#include <vector>

#include "app/film/camera_path.hpp"
#include "app/view/clip_plane.hpp"
#include "app/view/fluid_look.hpp"
#include "app/view/heat_look.hpp"
#include "app/view/overlay.hpp"
#include "app/view/stage.hpp"
#include "engine/verify/heat_map_id.hpp"

namespace limber::ui {

struct ViewChoices {
  bool wireframe = false;
  bool shadows = true;
  int msaa = 4;            ///< samples per pixel
  int shadow_size = 2048;  ///< texels
  FluidLook fluids = FluidLook::automatic;
  std::optional<Stage> stage;      ///< none: the scene's own
  bool software_graphics = false;  ///< detected at the start; not saved
  bool surface_too_slow = false;   ///< of fluids, so that the last picture showed balls; not saved
  bool panels = true;
  float scenes_share = 0.52f;  ///< share of the left side's height; draggable between 0.1 and 0.9
  bool messages = false;
  HeatMap heat_map = no_heat_map;
  HeatLook heat_look;
  Overlay overlay = Overlay::none;
  bool clip = false;  ///< the clipping plane cuts surfaces open
  ClipPlane clip_plane;
  bool clip_to_middle = false;  ///< the plane must still be moved to the middle of the scene
  bool orthographic = false;    ///< mirrors the camera; changed by actions
  bool help = false;
  std::vector<CameraStand> bookmarks;  ///< views of this scene that the user has kept
  bool keep_view = false;              ///< the present view is to be kept
  std::optional<std::size_t> go_to;    ///< the kept view that the camera is to move to
};

}  // namespace limber::ui
