#include "engine/scene/body_builder.hpp"

#include <glm/trigonometric.hpp>

#include "engine/scene/varied_color.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

/// One copy.
void add_body(const BodyDesc& desc, const BodyGeometry& geometry, const Placement& start, std::int32_t source,
              Bodies& bodies, Topology& topology) {
  const std::int32_t body = bodies.count();
  const glm::dmat3 turn = start.rotation * geometry.frame.rotation;
  const glm::dvec3 center = start.position + start.rotation * geometry.frame.position;
  const glm::dvec3 spin = turn * (geometry.inertia * (glm::radians(desc.angular_velocity) * turn));
  const bool free = !desc.fixed;
  bodies.position.push_back(vec4(vec3(center), free ? real(1.0 / geometry.mass) : real(0)));
  bodies.orientation.push_back(quaternion_of(turn));
  bodies.velocity.push_back(free ? vec4(vec3(desc.velocity), real(0)) : vec4(0));
  bodies.angular_momentum.push_back(free ? vec4(vec3(spin), real(0)) : vec4(0));
  bodies.inverse_inertia.push_back(free ? vec4(vec3(1.0 / geometry.inertia), real(0)) : vec4(0));
  topology.body_source.push_back(source);
  for (const BodyPart& part : geometry.parts) {
    PlacedShape shape;
    shape.body = body;
    shape.shape = {part.kind, vec3(part.size), part.hull.get()};
    shape.hull = part.hull;
    shape.place = {vec3(part.place.position), mat3(part.place.rotation)};
    shape.centered = part.place.position == glm::dvec3(0.0) && part.place.rotation == glm::dmat3(1.0);
    shape.reach = real(glm::length(part.place.position)) + bounding_radius(shape.shape);
    topology.body_shapes.push_back(std::move(shape));
  }
}

}  // namespace

void add_bodies(const SceneDesc& scene, const BodyDesc& desc, const BodyGeometry& geometry,
                std::uint64_t& drawn, World& world, Topology& topology, SceneModel& model) {
  BodyModel out;
  out.name = desc.name;
  out.first = Index(world.bodies.count());
  for (const Placement& start : body_placements(scene, desc, drawn))
    add_body(desc, geometry, start, std::int32_t(model.bodies.size()), world.bodies, topology);
  out.count = Index(world.bodies.count()) - out.first;
  out.parts = geometry.parts;
  for (const BodyPart& part : geometry.parts)
    out.meshes.push_back(part.hull ? std::make_shared<const TriMesh>(hull_mesh(*part.hull)) : nullptr);
  for (Index i = 0; i < out.count; ++i)
    out.colors.push_back(out.count > 1 ? varied(glm::vec3(desc.color), scene.seed, std::uint64_t(i))
                                       : glm::vec3(desc.color));
  model.bodies.push_back(std::move(out));
}

}  // namespace limber::inline LIMBER_PRECISION
