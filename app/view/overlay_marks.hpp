// Writes the marks of an overlay: contacts, intersections, impact zones, ...
#pragma once

#include "app/view/render_frame.hpp"
#include "engine/geometry/mesh/topology.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Whether the scene can have marks of this kind at any time.
bool can_have_marks(Overlay overlay, const SceneModel& model);

/// Whether there can be marks of each kind with the present settings and thrown balls.
OverlaysThere overlays_there(const Simulation& simulation);

/// Writes the marks of an overlay into the lines and dots that are never hidden. Costs nothing for
/// Overlay::none.
class OverlayMarks {
 public:
  /// Positions and bounds of `frame` must be those of the simulation's state.
  void add(Overlay overlay, const Simulation& simulation, RenderFrame& frame);

 private:
  void add_contacts(const Simulation& simulation, RenderFrame& frame);
  void add_intersections(const Simulation& simulation, RenderFrame& frame);
  void add_zones(const Simulation& simulation, RenderFrame& frame);
  void add_joints(const Simulation& simulation, RenderFrame& frame);
  void add_tets(const Simulation& simulation, RenderFrame& frame);
  void add_wind(const Simulation& simulation, RenderFrame& frame);

  std::vector<ContactMark> contacts_;
  std::vector<std::array<Triangle, 2>> intersections_;
  std::vector<Index> zones_;
  std::vector<JointMark> joints_;
  std::shared_ptr<const SceneModel> model_;  ///< model of tet_edges_
  std::vector<Edge> tet_edges_;
  std::vector<glm::dvec3> places_, air_;  ///< m, m/s: at the heads of streaks
};

}  // namespace limber
