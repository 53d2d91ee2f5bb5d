// Rods as tubes: a curve through their points, their section carried along it by their frames.
#pragma once

#include <cstddef>
#include <glm/vec3.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "app/view/render_frame.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Tubes are vertices of a surface that are carried (CarriedVertex) by the points beside them, so that heat,
/// picking and bounds are those of the points; where they are is written here. A stripe of the back colour
/// runs along the first axis of the frames, so that twist is seen.
class RodTubes {
 public:
  /// Adds the tubes of all rods of the model behind what `surfaces` has.
  void add(const SceneModel& model, SurfaceTopology& surfaces);

  /// Puts the vertices of the tubes into `positions`, by external vertex id and behind them those carried.
  void write(const Simulation& simulation, std::vector<glm::vec3>& positions);

 private:
  struct Tube {
    std::size_t first;          ///< of its positions, among those carried
    std::size_t points, count;  ///< external id of its first point, and how many there are
    RodModel rod;
    std::size_t pieces, sides;
  };
  static void add_tube(const Tube& tube, std::size_t vertices, SurfaceTopology& surfaces,
                       std::vector<std::uint32_t>& stripe);
  void write_tube(const Tube& tube, std::vector<glm::vec3>& positions, std::size_t carried) const;

  std::vector<Tube> tubes_;
  std::vector<glm::dvec4> turns_;
  std::size_t carried_ = 0;  ///< of the whole surface
};

}  // namespace limber
