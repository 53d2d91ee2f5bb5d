// What stands over a picture that is drawn without a window.
#pragma once

#include <string>
#include <vector>

#include "app/lab/run_status.hpp"
#include "app/render/camera.hpp"

namespace limber {

/// Text over the lower left corner of a film: its title, and lines above it.
struct Captions {
  std::string title;
  std::vector<std::string> lines;  ///< from top to bottom

  bool empty() const { return title.empty() && lines.empty(); }
};

/// The legends of the heat map and the overlay, if there is one, and the labels of several pictures beside
/// each other, and captions. Needs a current OpenGL context with the picture's framebuffer bound, and no
/// ImGui context.
void draw_headless_legend(const Publications& shown, const Captions& captions, int width, int height);

/// The part of the first picture that the legends and its label leave free. Needs no OpenGL, and no ImGui
/// context.
OpenArea free_of_legends(const Publications& shown, int width, int height);

}  // namespace limber
