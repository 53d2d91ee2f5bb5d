#include "app/view/overlay_marks.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber {
namespace {

/// Labels and colours in the order of ContactBetween.
constexpr std::array contact_colors{MarkCount{"of vertices with colliders", {0.30f, 0.85f, 1.0f}},
                                    MarkCount{"between surfaces", {1.0f, 0.80f, 0.20f}},
                                    MarkCount{"between grains and solids", {1.0f, 0.95f, 0.60f}},
                                    MarkCount{"of bodies with colliders", {0.45f, 1.0f, 0.45f}},
                                    MarkCount{"between bodies", {1.0f, 0.55f, 0.15f}},
                                    MarkCount{"of vertices with bodies", {0.95f, 0.45f, 1.0f}}};
const glm::vec3 intersecting_color{1.0f, 0.16f, 0.12f}, zone_color{1.0f, 0.35f, 0.85f};
const glm::vec3 joint_color{1.0f, 0.60f, 0.10f}, broken_joint_color{1.0f, 0.16f, 0.12f};
const glm::vec3 tet_edge_color{0.25f, 0.55f, 0.75f}, inverted_color{1.0f, 0.16f, 0.12f};
const glm::vec3 wind_color{0.95f, 0.98f, 1.0f}, wind_tail_color{0.30f, 0.50f, 0.75f};
constexpr std::size_t streak_count = 700;
constexpr int streak_parts = 6;
constexpr double streak_seconds = 0.2;
constexpr float normal_length = 0.02f;  // share of the scene's diagonal
constexpr std::size_t most_tet_edges = 100'000;
constexpr std::size_t most_marks = 20'000;  // a uniform sample of these if there are more

/// Linear light that the renderer's film curve displays approximately as this sRGB colour.
glm::vec3 light(const glm::vec3& color) { return color * color; }

std::size_t stride_for(std::size_t marks) { return 1 + marks / most_marks; }

bool any_object(const SceneModel& model, bool (*has)(const ObjectModel&)) {
  return std::any_of(model.objects.begin(), model.objects.end(), has);
}
bool is_surface(const ObjectModel& object) { return !object.triangles.empty(); }
bool has_balls(const ObjectModel& object) { return object.radius > 0.0f; }

/// Whether anything in the scene can touch. `meet`: surfaces collide with each other.
bool can_touch(const SceneModel& model, bool meet) {
  const bool vertices = model.vertex_count > 0, bodies = !model.bodies.empty();
  if (!model.colliders.empty() && (vertices || bodies)) return true;
  if (bodies && (vertices || model.bodies.back().first + model.bodies.back().count > 1)) return true;
  return any_object(model, has_balls) || (meet && any_object(model, is_surface));
}

}  // namespace

bool can_have_marks(Overlay overlay, const SceneModel& model) {
  switch (overlay) {
    case Overlay::none:
      return true;
    case Overlay::contacts:
      return can_touch(model, true);
    case Overlay::intersections:
    case Overlay::zones:
      return any_object(model, is_surface);
    case Overlay::particles:
      return any_object(model, [](const ObjectModel& object) { return object.shape != nullptr; });
    case Overlay::joints:
      return !model.joints.empty();
    case Overlay::tets:
      return any_object(model, [](const ObjectModel& object) { return !object.tets.empty(); });
    case Overlay::wind:
      return true;
  }
  return true;
}

OverlaysThere overlays_there(const Simulation& simulation) {
  const SceneModel& model = *simulation.model();
  const bool meet = simulation.scene().solver.contact->cloth_collision;
  OverlaysThere there{};
  for (const OverlayInfo& info : overlays)
    there[std::size_t(info.overlay)] = can_have_marks(info.overlay, model);
  there[std::size_t(Overlay::contacts)] = can_touch(model, meet);
  there[std::size_t(Overlay::zones)] &= meet;
  const WindSettings& wind = *simulation.scene().wind;
  there[std::size_t(Overlay::wind)] =
      wind.enabled && (wind.velocity != glm::dvec3(0.0) || !wind.fields.empty());
  return there;
}

void OverlayMarks::add(Overlay overlay, const Simulation& simulation, RenderFrame& frame) {
  // The overlay may be left from the previous scene and have no marks in a newly opened one.
  if (!overlays_there(simulation)[std::size_t(overlay)]) overlay = Overlay::none;
  frame.overlay = {overlay, {}};
  switch (overlay) {
    case Overlay::none:
      return;
    case Overlay::contacts:
      return add_contacts(simulation, frame);
    case Overlay::intersections:
      return add_intersections(simulation, frame);
    case Overlay::zones:
      return add_zones(simulation, frame);
    case Overlay::particles:  // drawn instead of the solids (FrameExtractor)
      return;
    case Overlay::joints:
      return add_joints(simulation, frame);
    case Overlay::tets:
      return add_tets(simulation, frame);
    case Overlay::wind:
      return add_wind(simulation, frame);
  }
}

void OverlayMarks::add_contacts(const Simulation& simulation, RenderFrame& frame) {
  simulation.read(reading::Contacts{contacts_});
  auto& marks = frame.overlay.marks;
  marks = contact_colors;
  const bool bodies = simulation.body_count() > 0, vertices = !frame.positions.empty();
  const bool there[] = {vertices, vertices && simulation.scene().solver.contact->cloth_collision,
                        false,    bodies,
                        bodies,   vertices && bodies};
  const float length = normal_length * glm::distance(frame.bounds_min, frame.bounds_max);
  const std::size_t stride = stride_for(contacts_.size());
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    const auto kind = std::size_t(contacts_[i].between);
    ++marks[kind].count;
    if (i % stride != 0) continue;
    const glm::vec3 point(contacts_[i].point), color = light(marks[kind].color);
    const bool of_body = kind >= std::size_t(ContactBetween::body_and_collider);
    frame.dots_on_top.push_back({point, color, of_body ? 6.0f : 3.0f});
    frame.lines_on_top.push_back(
        {point, point + length * glm::vec3(contacts_[i].normal), color, of_body ? 2.0f : 1.5f});
  }
  for (std::size_t kind = 0; kind < marks.size(); ++kind)
    if (!there[kind] && marks[kind].count == 0) marks[kind].label = {};
}

void OverlayMarks::add_intersections(const Simulation& simulation, RenderFrame& frame) {
  simulation.read(reading::Intersections{intersections_});
  const glm::vec3 color = light(intersecting_color);
  frame.overlay.marks[0] = {"pairs of triangles", intersecting_color, std::int64_t(intersections_.size())};
  const std::size_t stride = stride_for(6 * intersections_.size());
  for (std::size_t i = 0; i < intersections_.size(); i += stride)
    for (const Triangle& triangle : intersections_[i])
      for (std::size_t j = 0; j < 3; ++j)
        frame.lines_on_top.push_back({frame.positions[std::size_t(triangle[j])],
                                      frame.positions[std::size_t(triangle[(j + 1) % 3])], color, 2.0f});
}

void OverlayMarks::add_zones(const Simulation& simulation, RenderFrame& frame) {
  simulation.read(reading::Zones{zones_});
  frame.overlay.marks[0] = {"vertices moved as one", zone_color, std::int64_t(zones_.size())};
  const std::size_t stride = stride_for(zones_.size());
  for (std::size_t i = 0; i < zones_.size(); i += stride)
    frame.dots_on_top.push_back({frame.positions[std::size_t(zones_[i])], light(zone_color), 7.0f});
}

/// Draws every edge once, and the edges of inverted tetrahedra again in red.
void OverlayMarks::add_tets(const Simulation& simulation, RenderFrame& frame) {
  if (model_ != simulation.model()) {
    model_ = simulation.model();
    tet_edges_.clear();
    for (const ObjectModel& object : model_->objects) {
      const std::vector<Edge> own = tet_edges(object.tets);
      tet_edges_.insert(tet_edges_.end(), own.begin(), own.end());
    }
  }
  MarkCount &all = frame.overlay.marks[0], &inverted = frame.overlay.marks[1];
  all = {"tetrahedra", tet_edge_color, 0};
  inverted = {"inside out", inverted_color, 0};
  const auto at = [&](Index v) { return frame.positions[std::size_t(v)]; };
  const std::size_t stride = 1 + tet_edges_.size() / most_tet_edges;
  for (std::size_t e = 0; e < tet_edges_.size(); e += stride)
    frame.lines_on_top.push_back({at(tet_edges_[e][0]), at(tet_edges_[e][1]), light(tet_edge_color), 1.0f});
  for (const ObjectModel& object : model_->objects)
    for (const Tet& tet : object.tets) {
      all.label = ++all.count == 1 ? "tetrahedron" : "tetrahedra";
      const glm::vec3 a = at(tet[0]);
      if (glm::dot(glm::cross(at(tet[1]) - a, at(tet[2]) - a), at(tet[3]) - a) > 0.0f) continue;
      if (++inverted.count > std::int64_t(most_marks)) continue;
      for (const auto& [i, j] : tet_edge_corners)
        frame.lines_on_top.push_back({at(tet[i]), at(tet[j]), light(inverted_color), 2.0f});
    }
}

/// Draws a streak from each point of a lattice around the scene along the path of the air, bright at its
/// head.
void OverlayMarks::add_wind(const Simulation& simulation, RenderFrame& frame) {
  const glm::dvec3 low(frame.bounds_min), high(frame.bounds_max), extent = high - low;
  const double longest = std::max({extent.x, extent.y, extent.z, 1e-3});
  const glm::dvec3 from = low - 0.15 * longest, size = extent + 0.3 * longest;
  const double step = std::cbrt(size.x * size.y * size.z / double(streak_count));
  const glm::ivec3 count = glm::max(glm::ivec3(size / step), 1);
  places_.clear();
  for (int i = 0; i < count.x; ++i)
    for (int j = 0; j < count.y; ++j)
      for (int k = 0; k < count.z; ++k)
        places_.push_back(from + size * (glm::dvec3(i, j, k) + 0.5) / glm::dvec3(count));
  air_.resize(places_.size());
  MarkCount& mark = frame.overlay.marks[0];
  mark = {"streaks of 0.2 s", wind_color, std::int64_t(places_.size())};
  for (int part = 0; part < streak_parts; ++part) {
    simulation.read(reading::Air{places_, air_});
    const float share = float(part + 1) / streak_parts;
    const glm::vec3 color = light(glm::mix(wind_tail_color, wind_color, share));
    for (std::size_t i = 0; i < places_.size(); ++i) {
      const glm::dvec3 next = places_[i] + streak_seconds / streak_parts * air_[i];
      frame.lines_on_top.push_back({glm::vec3(places_[i]), glm::vec3(next), color, 0.8f + 1.2f * share});
      places_[i] = next;
      if (part + 1 == streak_parts && air_[i] != glm::dvec3(0.0))
        frame.dots_on_top.push_back({glm::vec3(next), color, 3.0f});
    }
  }
}

/// Draws a dot at each anchor, a line between them, and a line along the axis if the joint has one.
void OverlayMarks::add_joints(const Simulation& simulation, RenderFrame& frame) {
  simulation.read(reading::Joints{joints_});
  MarkCount &whole = frame.overlay.marks[0], &broken = frame.overlay.marks[1];
  whole = {"joints", joint_color, 0};
  broken = {"broken", broken_joint_color, 0};
  const float length = normal_length * glm::distance(frame.bounds_min, frame.bounds_max);
  const std::size_t stride = stride_for(joints_.size());
  for (std::size_t j = 0; j < joints_.size(); ++j) {
    const JointMark& joint = joints_[j];
    MarkCount& mark = joint.broken ? broken : whole;
    ++mark.count;
    if (j % stride != 0) continue;
    const glm::vec3 color = light(mark.color);
    frame.dots_on_top.push_back({joint.a, color, 6.0f});
    frame.dots_on_top.push_back({joint.b, color, 4.0f});
    if (joint.broken) continue;
    frame.lines_on_top.push_back({joint.a, joint.b, color, 2.0f});
    const bool axis = joint.type == JointType::hinge || joint.type == JointType::slider ||
                      joint.type == JointType::universal;
    if (axis)
      frame.lines_on_top.push_back(
          {joint.a - length * joint.axis, joint.a + length * joint.axis, color, 2.5f});
  }
}

}  // namespace limber
