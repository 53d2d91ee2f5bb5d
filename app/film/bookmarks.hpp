// Camera views that a person keeps in the window, and the keys of a film through them.
#pragma once

#include <span>
#include <string>

#include "app/film/camera_path.hpp"

namespace limber {

/// The `camera` of a film script: a key at each view, two seconds apart, at rest at both ends. "" for no
/// view.
std::string film_keys(std::span<const CameraStand> views);

}  // namespace limber
