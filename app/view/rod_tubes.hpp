// Draws rods as tubes: a curve through the rod's points, with cross sections oriented by its frames.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Vertices of tubes are carried (CarriedVertex) by nearby points of the rod, from which they take heat,
/// picking and bounds. Their positions are written here. A stripe of the back colour along the first axis of
/// the frames makes twist visible.
class RodTubes {
 public:
  /// Appends the tubes of all rods of the model to `surfaces`.
  void add(const SceneModel& model, SurfaceTopology& surfaces);

  /// Writes the vertices of the tubes into `positions` (by external vertex id, then the carried ones).
  void write(const Simulation& simulation, std::vector<glm::vec3>& positions);

 private:
  struct Tube {
    std::size_t first;          ///< index of its first position among the carried ones
    std::vector<Index> points;  ///< external ids
    Index first_segment, segments;
    float radius, flatness;
    bool closed;
    std::size_t pieces, sides;
  };
  static void add_tube(const Tube& tube, std::size_t vertices, SurfaceTopology& surfaces,
                       std::vector<std::uint32_t>& stripe);
  void write_tube(const Tube& tube, std::vector<glm::vec3>& positions, std::size_t carried) const;

  std::vector<Tube> tubes_;
  std::vector<glm::dvec4> turns_;
  std::size_t carried_ = 0;  ///< number of carried vertices of the whole surface
};

}  // namespace limber
