// Long range attachments: which fixed vertex holds which free one, and at what distance.
#pragma once

#include <vector>

#include "engine/scene/objects/object_geometry.hpp"

namespace limber {

/// A tether {free vertex, fixed vertex} for every vertex that a way along the springs joins to one without
/// mass or among `object.attached`: to the nearest such vertex, rest length `slack` times the way. By vertex
/// number.
std::vector<SpringGeometry> make_tethers(const ObjectGeometry& object, double slack);

}  // namespace limber
