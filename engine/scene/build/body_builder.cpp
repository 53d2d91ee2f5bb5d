#include "engine/scene/build/body_builder.hpp"

#include <glm/trigonometric.hpp>

#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/varied_color.hpp"
#include "engine/scene/file/scene_desc.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

const glm::vec3 color_of_added{0.80f, 0.72f, 0.10f};

PlacedShape make_shape(const BodyPart& part) {
  PlacedShape shape;
  shape.shape = {part.kind, vec3(part.size), part.hull.get()};
  shape.hull = part.hull;
  shape.place = {vec3(part.place.position), mat3(part.place.rotation)};
  shape.centered = part.place.position == glm::dvec3(0.0) && part.place.rotation == glm::dmat3(1.0);
  shape.airfoil = part.airfoil;
  shape.reach = real(glm::length(part.place.position)) + bounding_radius(shape.shape);
  return shape;
}

std::shared_ptr<const TriMesh> drawn_mesh(const BodyPart& part) {
  return part.hull ? std::make_shared<const TriMesh>(hull_mesh(*part.hull)) : nullptr;
}

}  // namespace

NewBody make_body(const BodyDesc& desc, const BodyGeometry& geometry, const Placement& start) {
  const glm::dmat3 turn = start.rotation * geometry.frame.rotation;
  const glm::dvec3 center = start.position + start.rotation * geometry.frame.position;
  const glm::dvec3 spin = turn * (geometry.inertia * (glm::radians(desc.angular_velocity) * turn));
  NewBody body;
  body.position = vec4(vec3(center), desc.fixed ? real(0) : real(1.0 / geometry.mass));
  body.orientation = quaternion_of(turn);
  if (!desc.fixed) {
    body.velocity = vec4(vec3(desc.velocity), real(0));
    body.angular_momentum = vec4(vec3(spin), real(0));
    body.inverse_inertia = vec4(vec3(1.0 / geometry.inertia), real(0));
  }
  for (const BodyPart& part : geometry.parts) body.shapes.push_back(make_shape(part));
  return body;
}

BodyMaterial body_material(const BodyDesc& desc) {
  return {real(desc.friction), real(desc.restitution), real(desc.rolling_resistance)};
}

void add_bodies(const SceneDesc& scene, const BodyDesc& desc, const BodyGeometry& geometry,
                std::uint64_t& drawn, World& world, BodyParts& parts, SceneModel& model) {
  BodyModel out;
  out.name = desc.name;
  out.first = Index(world.bodies.count());
  for (const Placement& start : body_placements(scene, desc, drawn))
    append_body(make_body(desc, geometry, start), std::int32_t(model.bodies.size()), world.bodies, parts);
  out.count = Index(world.bodies.count()) - out.first;
  parts.built = world.bodies.count();
  out.parts = geometry.parts;
  out.look = desc.look;
  for (const BodyPart& part : geometry.parts) out.meshes.push_back(drawn_mesh(part));
  for (Index i = 0; i < out.count; ++i)
    out.colors.push_back(out.count > 1 ? varied(glm::vec3(desc.color), scene.seed, std::uint64_t(i))
                                       : glm::vec3(desc.color));
  model.bodies.push_back(std::move(out));
}

void show_added_bodies(const World& world, SceneModel& model) {
  const BodyParts& parts = *world.bodies.parts;
  for (const PlacedShape& shape : parts.shapes) {
    if (shape.body < parts.built) continue;
    if (model.bodies.empty() || model.bodies.back().first != Index(shape.body)) {
      BodyModel& body = model.bodies.emplace_back();
      body.name = "thrown";
      body.first = Index(shape.body), body.count = 1;
      body.added = true;
      body.colors = {color_of_added};
    }
    BodyPart part;
    part.kind = shape.shape.kind, part.size = glm::dvec3(shape.shape.size), part.hull = shape.hull;
    part.place = {glm::dvec3(shape.place.position), glm::dmat3(shape.place.rotation)};
    model.bodies.back().meshes.push_back(drawn_mesh(part));
    model.bodies.back().parts.push_back(std::move(part));
  }
}

}}  // namespace limber::LIMBER_PRECISION
