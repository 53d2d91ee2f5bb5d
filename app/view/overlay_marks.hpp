// The marks of an overlay: contacts, intersections, impact zones.
#pragma once

#include "app/view/render_frame.hpp"
#include "engine/simulation/simulation.hpp"

namespace limber {

/// Writes marks of the chosen kind into the lines and dots that nothing hides. Costs nothing for
/// Overlay::none.
class OverlayMarks {
 public:
  /// Positions and bounds of `frame` are those of the simulation's state.
  void add(Overlay overlay, const Simulation& simulation, RenderFrame& frame);

 private:
  void add_contacts(const Simulation& simulation, RenderFrame& frame);
  void add_intersections(const Simulation& simulation, RenderFrame& frame);
  void add_zones(const Simulation& simulation, RenderFrame& frame);
  void add_joints(const Simulation& simulation, RenderFrame& frame);

  std::vector<ContactMark> contacts_;
  std::vector<std::array<Triangle, 2>> intersections_;
  std::vector<Index> zones_;
  std::vector<JointMark> joints_;
};

}  // namespace limber
