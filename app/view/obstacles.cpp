#include "app/view/obstacles.hpp"

#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>

#include "engine/scene/colliders/collider_source.hpp"

namespace limber {
namespace {

constexpr float slab_half_width = 2.5f, slab_half_thickness = 0.01f;  // m
constexpr float crease_cosine = 0.75f;  // faces that meet at more than 41 degrees keep a sharp edge

}  // namespace

bool is_the_ground(const ColliderDesc& collider) {
  if (collider.shape != ColliderShape::plane || !collider.visible) return false;
  const bool upright = rotation_of(collider.pose)[1].y > 0.9999f;
  return upright && std::abs(collider.pose.position.y) < 1e-6;
}

glm::mat3 rotation_of(const Pose& pose) { return glm::mat3(rotation_matrix(pose)); }

glm::mat4 placement_of(const Placement& at) {
  glm::mat4 out{glm::mat3(at.rotation)};
  out[3] = glm::vec4(glm::vec3(at.position), 1.0f);
  return out;
}

std::shared_ptr<const PrimitiveGeometry> solid_geometry(const TriMesh& mesh) {
  const auto face = [&](const Triangle& t) {
    const glm::dvec3 &a = mesh.positions[std::size_t(t[0])], &b = mesh.positions[std::size_t(t[1])],
                     &c = mesh.positions[std::size_t(t[2])];
    return glm::vec3(glm::cross(b - a, c - a));
  };
  std::vector<std::vector<glm::vec3>> around(mesh.positions.size());  // normals of the faces at each vertex,
                                                                      // weighted by area
  for (const Triangle& t : mesh.triangles)
    for (const Index vertex : t) around[std::size_t(vertex)].push_back(face(t));
  auto out = std::make_shared<PrimitiveGeometry>();
  for (const Triangle& t : mesh.triangles) {
    const glm::vec3 own = face(t);
    for (const Index vertex : t) {
      glm::vec3 normal(0.0f);
      for (const glm::vec3& area : around[std::size_t(vertex)])
        if (glm::dot(area, own) >= crease_cosine * glm::length(area) * glm::length(own)) normal += area;
      const float length = glm::length(normal);
      out->positions.emplace_back(mesh.positions[std::size_t(vertex)]);
      out->normals.push_back(length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f));
    }
  }
  for (const glm::vec3& position : out->positions) out->reach = glm::max(out->reach, glm::abs(position));
  return out;
}

std::optional<PrimitiveDraw> obstacle_solid(const ColliderDesc& collider, bool ground_drawn) {
  if (!collider.visible) return std::nullopt;
  PrimitiveDraw solid;
  solid.color = collider.color;
  solid.glass = collider.glass || collider.look == Look::glass;
  solid.look = solid.glass ? Look::glass : collider.look;
  solid.transform = glm::mat4(rotation_of(collider.pose));
  solid.transform[3] = glm::vec4(glm::vec3(collider.pose.position), 1.0f);
  switch (collider.shape) {
    case ColliderShape::plane:
      if (ground_drawn && is_the_ground(collider)) return std::nullopt;
      solid.shape = PrimitiveDraw::Shape::box;
      solid.transform = glm::translate(solid.transform, glm::vec3(0.0f, -slab_half_thickness, 0.0f));
      solid.transform =
          glm::scale(solid.transform, glm::vec3(slab_half_width, slab_half_thickness, slab_half_width));
      break;
    case ColliderShape::sphere:
      solid.shape = PrimitiveDraw::Shape::sphere;
      solid.transform = glm::scale(solid.transform, glm::vec3(float(collider.radius)));
      break;
    case ColliderShape::box:
      solid.shape = PrimitiveDraw::Shape::box;
      solid.transform = glm::scale(solid.transform, glm::vec3(collider.half_extents));
      break;
    case ColliderShape::capsule:
      solid.shape = PrimitiveDraw::Shape::capsule;
      solid.radius = float(collider.radius);
      solid.half_length = float(collider.half_length);
      break;
    case ColliderShape::mesh:
      solid.shape = PrimitiveDraw::Shape::mesh;
      break;
  }
  return solid;
}

PrimitiveDraw part_solid(const BodyPart& part) {
  PrimitiveDraw solid;
  solid.transform = placement_of(part.place);
  const glm::vec3 size(part.size);
  switch (part.kind) {
    case ConvexKind::sphere:
      solid.shape = PrimitiveDraw::Shape::sphere;
      solid.transform = glm::scale(solid.transform, glm::vec3(size.x));
      break;
    case ConvexKind::box:
      solid.shape = PrimitiveDraw::Shape::box;
      solid.transform = glm::scale(solid.transform, size);
      break;
    case ConvexKind::capsule:
      solid.shape = PrimitiveDraw::Shape::capsule;
      solid.radius = size.x;
      solid.half_length = size.y;
      break;
    case ConvexKind::cylinder:
      solid.shape = PrimitiveDraw::Shape::cylinder;
      solid.transform = glm::scale(solid.transform, glm::vec3(size.x, size.y, size.x));
      break;
    case ConvexKind::hull:
      solid.shape = PrimitiveDraw::Shape::mesh;
      break;
  }
  return solid;
}

PrimitiveDraw rod_solid(const glm::vec3& a, const glm::vec3& b, float radius) {
  const glm::vec3 half = 0.5f * (b - a);
  const float length = glm::length(half);
  const glm::vec3 y = length > 0.0f ? half / length : glm::vec3(0.0f, 1.0f, 0.0f);
  const glm::vec3 x =
      glm::normalize(glm::cross(y, std::abs(y.x) < 0.6f ? glm::vec3(1, 0, 0) : glm::vec3(0, 0, 1)));
  PrimitiveDraw solid;
  solid.shape = PrimitiveDraw::Shape::cylinder;
  solid.transform = glm::mat4(glm::vec4(radius * x, 0.0f), glm::vec4(length * y, 0.0f),
                              glm::vec4(radius * glm::cross(x, y), 0.0f), glm::vec4(0.5f * (a + b), 1.0f));
  return solid;
}

glm::vec3 solid_reach(const PrimitiveDraw& solid) {
  const glm::vec3 x(solid.transform[0]), y(solid.transform[1]), z(solid.transform[2]);
  switch (solid.shape) {
    case PrimitiveDraw::Shape::sphere:
      return glm::vec3(glm::length(x));
    case PrimitiveDraw::Shape::capsule:
      return glm::abs(y) * solid.half_length + solid.radius;
    case PrimitiveDraw::Shape::mesh: {
      const glm::vec3 reach = solid.geometry ? solid.geometry->reach : glm::vec3(0.0f);
      return glm::abs(x) * reach.x + glm::abs(y) * reach.y + glm::abs(z) * reach.z;
    }
    case PrimitiveDraw::Shape::box:
    case PrimitiveDraw::Shape::cylinder:
      break;
  }
  return glm::abs(x) + glm::abs(y) + glm::abs(z);
}

}  // namespace limber
