// Finds faults of the state in which a scene starts.
#include <algorithm>
#include <glm/geometric.hpp>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "app/watch/far_joints.hpp"
#include "app/watch/finders.hpp"
#include "app/watch/fluid_starts.hpp"
#include "app/watch/particle_starts.hpp"
#include "app/watch/start_crossings.hpp"
#include "app/watch/start_overlaps.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_type.hpp"

namespace limber::finders {

/// Reports the changes that the reader made to meshes.
void find_mesh_notes(const Sight& sight, std::vector<Warning>& out) {
  for (const std::string& note : sight.simulation.model()->notes) out.push_back({{}, note, 0.0, {}});
}

/// Warns of objects that start inside a collider, naming the first few: "cloth: 12 vertices start inside a
/// collider ...".
void find_inside(const Sight& sight, std::vector<Warning>& out) {
  constexpr std::size_t named = 3;
  constexpr double fastest = 100.0;  // m/s, largest depenetration_speed that a remedy proposes
  const std::vector<InsideObject>& inside = sight.measures.inside;
  if (inside.empty()) return;
  const SceneDesc& scene = sight.simulation.scene();
  std::string names;
  std::int64_t vertices = 0;
  double depth = 0.0;
  for (std::size_t i = 0; i < inside.size(); ++i) {
    if (i < named) names += (i > 0 ? ", " : "") + scene.objects[std::size_t(inside[i].object)].name;
    vertices += inside[i].particles;
    depth = std::max(depth, inside[i].depth);
  }
  if (inside.size() > named) names += " and " + std::to_string(inside.size() - named) + " more";
  const double speed = scene.solver.contact->depenetration_speed;
  Warning warning{names,
                  names + printed(": %lld %s inside a collider, up to %.3g m deep: pushed out at %.3g m/s "
                                  "(solver.depenetration_speed)",
                                  static_cast<long long>(vertices),
                                  vertices == 1 ? "vertex starts" : "vertices start", depth, speed),
                  depth,
                  {}};
  if (speed < fastest)
    warning.remedies.push_back({"solver.depenetration_speed", std::clamp(4.0 * speed, 0.1, fastest)});
  out.push_back(std::move(warning));
}

void find_overlaps(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = overlap_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

void find_fluid_starts(const Sight& sight, std::vector<Warning>& out) {
  for (std::string text :
       {displaced_fluid_note(sight.simulation), dense_fluid_note(sight.simulation, sight.measures)})
    if (!text.empty()) out.push_back({{}, std::move(text), 0.0, {}});
}

void find_particle_starts(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = crowded_particles_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

void find_far_joints(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = far_joint_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

/// Warns of ends of a tie so far apart that they close for long.
void find_far_ties(const Sight& sight, std::vector<Warning>& out) {
  constexpr double soon = 0.5;       // s
  constexpr double fastest = 100.0;  // m/s, largest depenetration_speed that a remedy proposes
  const double speed = sight.simulation.scene().solver.contact->depenetration_speed;
  const double gap = sight.measures.tie_gap_max;
  if (!(gap > soon * speed)) return;
  Warning warning{
      {},
      printed("ends of a tie start %.3g m apart, and close at %.3g m/s (solver.depenetration_speed)", gap,
              speed),
      gap,
      {}};
  if (speed < fastest)
    warning.remedies.push_back({"solver.depenetration_speed", std::clamp(4.0 * speed, 0.1, fastest)});
  out.push_back(std::move(warning));
}

void find_start_crossings(const Sight& sight, std::vector<Warning>& out) {
  if (std::string text = crossing_note(sight.simulation); !text.empty())
    out.push_back({{}, std::move(text), 0.0, {}});
}

namespace {

/// Mean edge length, m, over the object's triangles (an edge of two triangles counts twice).
double mean_edge(const ObjectModel& object, std::span<const glm::dvec3> positions) {
  double sum = 0.0;
  for (const Triangle& triangle : object.triangles)
    for (int k = 0; k < 3; ++k)
      sum += glm::distance(positions[std::size_t(triangle[std::size_t(k)])],
                           positions[std::size_t(triangle[std::size_t((k + 1) % 3)])]);
  return object.triangles.empty() ? 0.0 : sum / (3.0 * double(object.triangles.size()));
}

}  // namespace

/// Warns of cloth that is thicker than its edges allow. Contact between its layers uses at most half the
/// shortest edge nearby, because neighbouring vertices would otherwise push each other apart. Contact with
/// other objects uses the full thickness.
void find_thick_cloth(const Sight& sight, std::vector<Warning>& out) {
  constexpr double fits = 0.75, wanted = 0.5;  // share of a mean edge length
  const SceneDesc& scene = sight.simulation.scene();
  if (!scene.solver.contact->cloth_collision) return;
  const SceneModel& model = *sight.simulation.model();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  sight.simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  Index last = -1;
  for (const ObjectModel& copy : model.objects) {
    if (std::exchange(last, copy.source) == copy.source) continue;  // copies have equal edges
    const ObjectDesc& object = scene.objects[std::size_t(copy.source)];
    if (!traits_of(object).surface) continue;
    const double edge = mean_edge(copy, positions), thickness = object.material->thickness;
    if (edge == 0.0 || thickness <= fits * edge) continue;
    const double fitting = std::stod(printed("%.1g", wanted * edge));
    out.push_back(
        {object.name,
         object.name + printed(": its material.thickness, %.3g m, is large for its edges (%.3g m on "
                               "average): between its layers contact uses at most half of the shortest edge",
                               thickness, edge),
         thickness / edge,
         {{setting_of(object, "material.thickness"), fitting}}});
  }
}

/// Warns of settings of air or heat in a scene that has air or heat switched off.
void find_idle_settings(const Sight& sight, std::vector<Warning>& out) {
  const SceneDesc& scene = sight.simulation.scene();
  const WindSettings& wind = *scene.wind;
  if (!wind.enabled && (wind.velocity != glm::dvec3(0.0) || !wind.fields.empty()))
    out.push_back({"wind",
                   "wind: its velocity and fields have no effect, because wind.enabled is false",
                   1.0,
                   {{"wind.enabled", true}}});
  if (scene.heat->enabled) return;
  const auto warn = [&](const std::string& name, double degrees) {
    out.push_back({name,
                   name + printed(": its temperature of %.4g degrees means nothing, because heat.enabled is "
                                  "false",
                                  degrees),
                   1.0,
                   {{"heat.enabled", true}}});
  };
  for (const ObjectDesc& object : scene.objects)
    if (object.temperature != ObjectDesc().temperature) return warn(object.name, object.temperature);
  for (const BodyDesc& body : scene.bodies)
    if (body.temperature != BodyDesc().temperature) return warn(body.name, body.temperature);
  for (const ColliderDesc& collider : scene.colliders)
    if (collider.temperature != ColliderDesc().temperature) return warn(collider.name, collider.temperature);
}

}  // namespace limber::finders
