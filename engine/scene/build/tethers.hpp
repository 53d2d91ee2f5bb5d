// Long range attachments (Kim et al. 2012): binds free vertices to fixed ones at their distance along the
// mesh.
#pragma once

#include <vector>

#include "engine/scene/objects/object_geometry.hpp"

namespace limber {

/// One tether {free vertex, fixed vertex} for every free vertex that springs connect to a fixed one (of mass
/// zero, or in `object.attached`). The fixed vertex is the nearest along the springs; the rest length is
/// `slack` times that path. Sorted by vertex number.
std::vector<SpringGeometry> make_tethers(const ObjectGeometry& object, double slack);

}  // namespace limber
