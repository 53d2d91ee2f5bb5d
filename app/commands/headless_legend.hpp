// Legends, labels and captions over a picture drawn without a window.
#pragma once

#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/render/camera.hpp"

namespace limber {

/// Text in the lower left corner of a film: its title, and lines above it.
struct Captions {
  std::string title;
  std::vector<std::string> lines;  ///< from top to bottom

  bool empty() const { return title.empty() && lines.empty(); }
};

/// Draws the legends of heat map and overlay, the labels of pictures side by side, and captions. Needs a
/// current OpenGL context with the picture's framebuffer bound, and no ImGui context.
void draw_headless_legend(const Publications& shown, const Captions& captions, int width, int height);

/// The area of the first picture that its legends and label leave free. Needs no OpenGL, and no ImGui
/// context.
OpenArea free_of_legends(const Publications& shown, int width, int height);

}  // namespace limber
