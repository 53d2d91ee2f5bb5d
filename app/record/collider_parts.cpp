#include "app/record/collider_parts.hpp"

#include <algorithm>
#include <glm/gtc/quaternion.hpp>
#include <glm/matrix.hpp>
#include <string>
#include <utility>

#include "app/view/obstacles.hpp"
#include "engine/geometry/mesh/solid_surface.hpp"
#include "engine/geometry/mesh/thicken.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_source.hpp"

namespace limber {
namespace {

constexpr double plane_half_width = 5.0;  // m

TriMesh square() {
  TriMesh mesh;
  const double w = plane_half_width;
  mesh.positions = {{-w, 0.0, -w}, {w, 0.0, -w}, {w, 0.0, w}, {-w, 0.0, w}};
  mesh.triangles = {{0, 2, 1}, {0, 3, 2}};
  return mesh;
}

/// Surface of a collider, m in its own frame.
TriMesh surface_of(const ColliderDesc& collider, const TriMesh* mesh) {
  switch (collider.shape) {
    case ColliderShape::plane:
      return square();
    case ColliderShape::sphere:
      return solid_surface(ConvexKind::sphere, glm::dvec3(collider.radius), nullptr);
    case ColliderShape::box:
      return solid_surface(ConvexKind::box, collider.half_extents, nullptr);
    case ColliderShape::capsule:
      return solid_surface(ConvexKind::capsule, {collider.radius, collider.half_length, collider.radius},
                           nullptr);
    case ColliderShape::mesh:
      break;
  }
  if (!mesh) return {};
  return collider.shell > 0.0 ? thickened(*mesh, collider.shell) : *mesh;
}

/// The placement that does `inner` first, then `outer`.
Placement combined(const Placement& outer, const Placement& inner) {
  Placement out;
  out.rotation = outer.rotation * inner.rotation;
  out.position = outer.position + outer.rotation * inner.position;
  return out;
}

Placement inverse_of(const Placement& at) {
  Placement out;
  out.rotation = glm::transpose(at.rotation);
  out.position = -(out.rotation * at.position);
  return out;
}

std::string free_name(const std::string& wanted, const ExportedFrame& frame) {
  const bool taken = std::ranges::find(frame.parts, wanted, &ExportedPart::name) != frame.parts.end();
  return taken ? free_name(wanted + "_collider", frame) : wanted;
}

}  // namespace

void ColliderParts::add(const SceneModel& model, ExportedFrame& frame) {
  colliders_.clear();
  for (std::size_t c = 0; c < model.colliders.size(); ++c) {
    const ColliderDesc& collider = model.colliders[c];
    if (!collider.visible || is_the_ground(collider)) continue;
    TriMesh surface = surface_of(collider, model.collider_meshes[c].get());
    if (surface.triangles.empty()) continue;
    Moving& moving = colliders_.emplace_back();
    moving.motion = motion_of(model.colliders, c);
    Placement pose;
    pose.position = collider.pose.position;
    pose.rotation = rotation_matrix(collider.pose);
    moving.local = combined(inverse_of(moving.motion.rest), pose);
    moving.poses = model.collider_poses[c];
    moving.shell = collider.shell;
    ExportedPart part;
    part.name = free_name(collider.name, frame);
    part.color = glm::vec3(collider.color);
    part.surface = true;
    part.triangles = surface.triangles;
    surface.uvs.clear();
    if (!moving.poses) part.rigid = std::make_shared<const TriMesh>(std::move(surface));
    frame.parts.push_back(std::move(part));
  }
}

void ColliderParts::place(std::size_t number, double time, ExportedPart& part) const {
  const Moving& moving = colliders_[number];
  const Placement at = combined(moving.motion.at(time), moving.local);
  TriMesh posed;
  if (moving.poses) {
    posed.triangles = moving.poses->triangles;
    moving.poses->at(time, posed.positions);
    if (moving.shell > 0.0) posed = thickened(posed, moving.shell);
  }
  const glm::quat turn(glm::quat_cast(at.rotation));
  part.turn = glm::dot(turn, part.turn) < 0.0f ? -turn : turn;
  part.place = glm::vec3(at.position);
  for (const glm::dvec3& x : part.rigid ? part.rigid->positions : posed.positions)
    part.positions.push_back(at.position + at.rotation * x);
}

}  // namespace limber
