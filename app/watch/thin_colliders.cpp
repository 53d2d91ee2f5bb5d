#include "app/watch/thin_colliders.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <glm/geometric.hpp>
#include <span>
#include <vector>

#include "app/watch/finders.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_desc.hpp"

namespace limber {
namespace {

/// m, width of a collider that can pass between vertices; 0 for other shapes. A plate counts by its second
/// side: vertices meet its faces, and only its rim is thin.
double width_of(const ColliderDesc& collider) {
  if (collider.shape == ColliderShape::sphere || collider.shape == ColliderShape::capsule)
    return 2.0 * collider.radius;
  if (collider.shape != ColliderShape::box) return 0.0;
  std::array<double, 3> sides{collider.half_extents.x, collider.half_extents.y, collider.half_extents.z};
  std::sort(sides.begin(), sides.end());
  return 2.0 * sides[1];
}

/// m, the longest edge of an object's surface, or segment of its rods; 0 if it has none, or balls in place of
/// vertices.
double longest_edge(const ObjectModel& object, std::span<const glm::dvec3> positions) {
  double longest = 0.0;
  const auto measure = [&](Index a, Index b) {
    longest = std::max(longest, glm::distance(positions[std::size_t(a)], positions[std::size_t(b)]));
  };
  if (object.shape || object.clustered || object.radius > 0.0f) return 0.0;
  for (const Triangle& corners : object.triangles)
    for (std::size_t k = 0; k < 3; ++k) measure(corners[k], corners[(k + 1) % 3]);
  const Index strand = object.rod.strand > 0 ? object.rod.strand : object.rod.segments;
  for (Index s = 0, v = object.first_vertex; s < object.rod.segments; ++s, ++v) {
    if (s > 0 && s % strand == 0) ++v;  // to the next of several rods
    if (v + 1 < object.first_vertex + object.vertex_count) measure(v, v + 1);
  }
  return longest;
}

/// Whether the collider carries vertices of the object, and so goes where they are.
bool holds(const ColliderDesc& collider, const ObjectModel& object, const SceneDesc& scene) {
  return std::ranges::any_of(scene.objects[std::size_t(object.source)].attachments,
                             [&](const AttachmentDesc& a) { return a.attach_to == collider.name; });
}

}  // namespace

std::string thin_collider_note(const Simulation& simulation) {
  const SceneModel& model = *simulation.model();
  const SceneDesc& scene = simulation.scene();
  std::vector<glm::dvec3> positions(std::size_t(model.vertex_count));
  simulation.read(reading::Positions{std::span<glm::dvec3>(positions)});
  std::vector<std::int32_t> sources;
  for (const ObjectModel& object : model.objects) sources.push_back(object.source);
  const Touches touches = make_touches(scene, sources);
  std::string text;
  double worst = 2.0;  // edge over width: beyond this, a collider more likely passes than not
  for (std::size_t o = 0; o < model.objects.size(); ++o) {
    const double longest = longest_edge(model.objects[o], positions);
    for (std::size_t c = 0; c < scene.colliders.size() && longest > 0.0; ++c) {
      const double width = width_of(scene.colliders[c]);
      if (!(width > 0.0) || !(longest > worst * width) || holds(scene.colliders[c], model.objects[o], scene))
        continue;
      if (!touch(Touches::at(touches.objects, o), Touches::at(touches.colliders, c))) continue;
      worst = longest / width;
      text = finders::printed(
          "%s: the collider '%s', %.3g m wide, fits between vertices that are %.3g m apart, and only "
          "vertices touch colliders; %s or, in place of the collider, a fixed body, which edges and faces "
          "touch too, help",
          model.objects[o].name.c_str(), scene.colliders[c].name.c_str(), width, longest,
          model.objects[o].rod.segments > 0 ? "more segments" : "a finer mesh");
    }
  }
  return text;
}

}  // namespace limber
