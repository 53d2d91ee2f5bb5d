#include "app/ui/meanings.hpp"

#include "engine/verify/heat_map.hpp"

namespace limber::ui {

std::string_view meaning_of_stage(std::string_view stage) {
  if (stage == "predict")
    return "External forces change the velocities, then p = x + h v (lines (5) to (7) of Mueller et al. "
           "2006).";
  if (stage == "contacts") return "Finding what touches what: broad phase and narrow phase.";
  if (stage == "project")
    return "Iterations: constraints and contacts move the predicted positions (lines (9) to (11)).";
  if (stage == "guard")
    return "After the iterations: every pair of nearby triangles and edges is tested for having passed "
           "through "
           "each other in the substep, and those that have are moved together instead.";
  if (stage == "velocities")
    return "v = (p - x) / h, then damping, friction and restitution (lines (12) to (16)).";
  if (stage == "tear") return "Splitting vertices whose edges are stretched beyond the tear strain.";
  return {};
}

std::string_view meaning_of(HeatMap map) {
  switch (map) {
    case HeatMap::none:
      return "The colours of the scene.";
    case HeatMap::strain:
      return "How far the edges at a vertex are from their rest length, as a share of it.";
    case HeatMap::residual:
      return "How far a vertex would still have to move for its constraints to be met: what more iterations "
             "would do.";
    case HeatMap::phase:
      return "Which phase of a sweep moves a vertex last. Constraints of one phase share no vertex and are "
             "solved "
             "in parallel; phases follow each other. Those of all constraint types and patches are counted "
             "through, so there are more of them than colours of any one type.";
    case HeatMap::velocity:
      return "Speed of vertices and rigid bodies.";
    case HeatMap::force:
      return "Sum of the contact forces on a rigid body.";
    case HeatMap::awake:
      return "1: a body is simulated. 0: it is at rest and left out until something touches it.";
    case HeatMap::stress:
      return "Von Mises stress of the tetrahedra: what a material yields or breaks by.";
    case HeatMap::volume:
      return "Share by which tetrahedra have grown or shrunk.";
    case HeatMap::density:
      return "Share by which a fluid is denser than at rest: what more iterations would take out.";
    case HeatMap::pressure:
      return "Pressure in the fluid; in water at rest density times gravity times depth.";
    case HeatMap::tension:
      return "Force along a rod, E A times its strain, whether it pulls or pushes.";
    case HeatMap::bending:
      return "Moment across a rod, E I times how far its curvature is from that at rest.";
    case HeatMap::twist:
      return "Moment about a rod, G J times its twist.";
    case HeatMap::temperature:
      return "Temperature of the particles of a scene with heat. The scale begins at 0 degrees.";
    case HeatMap::plastic:
      return "How far the shape at rest of tetrahedra, springs and sheets has flowed, as a strain.";
    case HeatMap::yield:
      return "Von Mises stress of tetrahedra over that at which they yield: at 1 they flow.";
  }
  return {};
}

std::string_view meaning_of(Overlay overlay) {
  switch (overlay) {
    case Overlay::none:
      return "No marks.";
    case Overlay::contacts:
      return "Contact points of the last substep and the normals along which they push.";
    case Overlay::intersections:
      return "Triangles that pass through each other.";
    case Overlay::zones:
      return "Vertices that had to move together in this frame, because they would have passed through each "
             "other.";
    case Overlay::particles:
      return "The particles that a solid consists of, in place of its mesh.";
    case Overlay::joints:
      return "Where joints hold bodies, and the axes that they turn about.";
    case Overlay::tets:
      return "The edges of all tetrahedra.";
    case Overlay::wind:
      return "Where the air goes in a fifth of a second from points about the scene, at the speed that it "
             "has there "
             "now: the longer a streak, the faster.";
  }
  return {};
}

std::string meaning_of_batch(std::string_view type, int colours) {
  return "Constraints of the type '" + std::string(type) + "' and into how many colours they are divided" +
         (colours == 1 ? "" : ": those of one colour share no vertex and are solved in parallel") +
         ". The heat map of phases counts the colours of all types and patches through.";
}

}  // namespace limber::ui
