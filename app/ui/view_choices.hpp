// What the View menu decides.
#pragma once

namespace limber::ui {

struct ViewChoices {
  bool wireframe = false;
  bool shadows = true;
  int msaa = 4;            ///< samples per pixel
  int shadow_size = 2048;  ///< texels
  bool panels = true;
  bool help = false;
};

}  // namespace limber::ui
