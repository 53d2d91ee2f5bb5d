// A mesh that changes its shape as a function of time: poses, and their interpolation.
#pragma once

#include <string>
#include <vector>

#include "engine/core/expected.hpp"
#include "engine/geometry/mesh/tri_mesh.hpp"

namespace limber {

/// Positions of the same vertices at equal steps of time.
struct PoseSequence {
  std::vector<Triangle> triangles;             ///< wound outwards
  std::vector<std::vector<glm::dvec3>> poses;  ///< m, at least one; all of the same length
  double rate = 24.0;                          ///< poses per second
  double start = 0.0;  ///< index of the pose at 0 s; a fraction lies between two poses
  bool loop = true;    ///< the first pose follows the last; otherwise the last stays

  /// Writes the positions at `time` s to `out`, one per vertex. Uniform Catmull-Rom splines through the poses
  /// keep the velocities continuous.
  void at(double time, std::vector<glm::dvec3>& out) const;
};

/// All vertices of an OBJ in the order of the file, without its faces: one pose of a mesh whose faces are
/// read from another file.
struct ObjVertices {
  std::vector<glm::dvec3> positions;
  std::vector<int> lines;  ///< per position: its line in the file
};

/// Fails, with file and line, on an unreadable file, on a coordinate that is no number or beyond 1e6, and on
/// too many vertices.
Expected<ObjVertices> read_obj_vertices(const std::string& path);

}  // namespace limber
