#include "app/ui/meanings.hpp"

#include "engine/core/material_field.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber::ui {

std::string_view meaning_of_stage(std::string_view stage) {
  if (stage == "predict")
    return "External forces change the velocities, then p = x + h v (lines (5) to (7) of Mueller et al. "
           "2006).";
  if (stage == "contacts") return "Contact search: broad phase and narrow phase.";
  if (stage == "project")
    return "Iterations: constraints and contacts move the predicted positions (lines (9) to (11)).";
  if (stage == "guard")
    return "After the iterations: tests whether nearby triangles and edges passed through each other in the "
           "substep, and moves those that did together instead.";
  if (stage == "velocities")
    return "v = (p - x) / h, then damping, friction and restitution (lines (12) to (16)).";
  if (stage == "tear") return "Splits vertices whose edges are stretched beyond the tear strain.";
  return {};
}

std::string_view meaning_of(HeatMap map) {
  switch (map) {
    case HeatMap::none:
      return "The colours of the scene.";
    case HeatMap::strain:
      return "Difference between the lengths and the rest lengths of the edges at a vertex, as a share of "
             "the rest lengths.";
    case HeatMap::residual:
      return "Distance that a vertex would still have to move to satisfy its constraints: more iterations "
             "reduce it.";
    case HeatMap::phase:
      return "Phase of a sweep that moves a vertex last. Constraints of one phase share no vertex and are "
             "solved in parallel; phases follow each other. Phases are numbered over all constraint types "
             "and patches, so there are more phases than colours of any one type.";
    case HeatMap::velocity:
      return "Speed of vertices and rigid bodies.";
    case HeatMap::force:
      return "Sum of the contact forces on a rigid body.";
    case HeatMap::awake:
      return "1: a body is simulated. 0: it is at rest and left out until something touches it.";
    case HeatMap::stress:
      return "Von Mises stress of the tetrahedra: materials yield by it.";
    case HeatMap::volume:
      return "Share by which tetrahedra have grown or shrunk.";
    case HeatMap::density:
      return "Share by which a fluid is denser than its rest density: more iterations reduce it.";
    case HeatMap::pressure:
      return "Pressure in the fluid. In a fluid at rest it is density times gravity times depth.";
    case HeatMap::tension:
      return "Force along a rod, E A times its strain, in tension or compression.";
    case HeatMap::bending:
      return "Bending moment of a rod: E I times the difference of its curvature from the rest curvature.";
    case HeatMap::twist:
      return "Torque about the axis of a rod: G J times its twist.";
    case HeatMap::temperature:
      return "Temperature of the particles of a scene with heat. The scale begins at 0 degrees.";
    case HeatMap::plastic:
      return "Plastic strain of the rest shape of tetrahedra, springs, sheets and clusters.";
    case HeatMap::cluster:
      return "A colour for each of the overlapping clusters; a vertex of several has a blend of their "
             "colours.";
    case HeatMap::stiffness_field:
    case HeatMap::density_field:
    case HeatMap::thickness_field:
    case HeatMap::damping_field:
      return material_fields_table[std::size_t(info_of(map).field)].meaning;
    case HeatMap::yield:
      return "Von Mises stress of tetrahedra over their yield stress: they flow at 1.";
  }
  return {};
}

std::string_view meaning_of(Overlay overlay) {
  switch (overlay) {
    case Overlay::none:
      return "No marks.";
    case Overlay::contacts:
      return "Contact points of the last substep, with their normals.";
    case Overlay::intersections:
      return "Triangles that pass through each other.";
    case Overlay::zones:
      return "Vertices that had to move together in this frame, because they would have passed through each "
             "other.";
    case Overlay::particles:
      return "The particles of solids, instead of their meshes.";
    case Overlay::joints:
      return "Anchors of joints, and their axes of rotation.";
    case Overlay::tets:
      return "The edges of all tetrahedra.";
    case Overlay::wind:
      return "Paths of the air in a fifth of a second at its present velocity, from points around the scene: "
             "the longer a streak, the faster the air.";
  }
  return {};
}

std::string meaning_of_batch(std::string_view type, int colours) {
  return "Constraints of the type '" + std::string(type) +
         "' and the number of colours that they are divided into" +
         (colours == 1 ? "" : ": those of one colour share no vertex and are solved in parallel") +
         ". The heat map of phases numbers the colours of all types and patches.";
}

}  // namespace limber::ui
