#include "engine/verify/body_measure.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>

#include "engine/contact/bodies/manifold.hpp"
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

bool all_finite(const vec4& v) { return std::isfinite(v.x + v.y + v.z + v.w); }

/// Whether contacts can push a body.
bool movable(const World& world, std::int32_t body) {
  return world.bodies.position[std::size_t(body)].w > real(0);
}

}  // namespace

std::int64_t add_bodies(const World& world, const PosedColliders& posed, Measures& m) {
  const Bodies& bodies = world.bodies;
  m.sleeping_bodies = world.bodies.sleep.count;
  std::int64_t movable = 0;
  for (std::size_t i = 0; i < bodies.position.size(); ++i) {
    if (!all_finite(bodies.position[i]) || !all_finite(bodies.orientation[i]) ||
        !all_finite(bodies.velocity[i]) || !all_finite(bodies.angular_momentum[i])) {
      ++m.nonfinite;
      continue;
    }
    if (bodies.position[i].w == real(0)) continue;
    const double mass = 1.0 / double(bodies.position[i].w);
    const glm::dvec3 x(bodies.position[i]), v(bodies.velocity[i]), spin(bodies.angular_momentum[i]);
    const glm::dvec3 turning(angular_velocity(bodies, i));
    m.kinetic_energy += 0.5 * mass * glm::dot(v, v) + 0.5 * glm::dot(spin, turning);
    m.measured.bodies = true;
    m.spin_max = std::max(m.spin_max, glm::degrees(glm::length(turning)));
    m.potential_energy -= mass * glm::dot(world.settings.solver.motion->gravity, x);
    m.momentum += mass * v;
    m.angular_momentum += mass * glm::cross(x, v) + spin;
    m.mean_speed += glm::length(v);
    m.max_speed = std::max(m.max_speed, glm::length(v));
    ++movable;
  }
  bool first = world.particles.count == 0;
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    const Bounds box = bounds(shape.shape, placed(shape, bodies));
    m.bounds_min = first ? glm::dvec3(box.low) : glm::min(m.bounds_min, glm::dvec3(box.low));
    m.bounds_max = first ? glm::dvec3(box.high) : glm::max(m.bounds_max, glm::dvec3(box.high));
    first = false;
  }
  m.penetration_max = std::max(m.penetration_max, deepest_overlap(world, posed));
  add_particles_inside_bodies(world, m);
  return movable;
}

void add_inside(const World& world, std::int32_t particle, double depth, Measures& m) {
  if (!(depth > inside_depth)) return;
  if (world.frame == 0 && world.topology->fluid.takes_part(particle)) return;  // the first step removes it
  const std::vector<std::int32_t>& sources = world.topology->object_source;
  const auto object = std::size_t(world.particles.object[std::size_t(particle)]);
  const std::int32_t source = object < sources.size() ? sources[object] : 0;
  auto own = std::lower_bound(m.inside.begin(), m.inside.end(), source,
                              [](const InsideObject& one, std::int32_t at) { return one.object < at; });
  if (own == m.inside.end() || own->object != source) own = m.inside.insert(own, InsideObject{source});
  ++own->particles;
  own->depth = std::max(own->depth, depth);
}

void add_particles_inside_bodies(const World& world, Measures& m) {
  struct Box {
    Bounds box;
    Placed at;
    const PlacedShape* shape;
  };
  std::vector<Box> boxes;
  double widest = 0.0;
  for (const PlacedShape& shape : world.bodies.parts->shapes) {
    const Placed at = placed(shape, world.bodies);
    boxes.push_back({bounds(shape.shape, at), at, &shape});
    widest = std::max(widest, double(boxes.back().box.high.x - boxes.back().box.low.x));
  }
  std::sort(boxes.begin(), boxes.end(), [](const Box& a, const Box& b) { return a.box.low.x < b.box.low.x; });
  std::vector<std::int32_t> tied(std::size_t(world.particles.count), -1);
  for (const BodyTie& tie : world.user.ties) tied[std::size_t(tie.particle)] = tie.body;
  for (const Attachment& a : world.user.attachments) tied[std::size_t(a.particle)] = a.body;
  for (std::int32_t i = 0; i < world.particles.count && !boxes.empty(); ++i) {
    if (world.topology->internal_to_external[std::size_t(i)] < 0) continue;
    if (is_parked(world.topology->fluid, world.matter.fluid, i)) continue;
    const vec3 x(world.particles.position[std::size_t(i)]);
    const bool free = world.particles.position[std::size_t(i)].w > real(0);
    auto near = std::lower_bound(boxes.begin(), boxes.end(), double(x.x) - widest,
                                 [](const Box& b, double low) { return double(b.box.low.x) < low; });
    for (; near != boxes.end() && near->box.low.x <= x.x; ++near) {
      if (x.x > near->box.high.x || x.y < near->box.low.y || x.y > near->box.high.y ||
          x.z < near->box.low.z || x.z > near->box.high.z || near->shape->body == tied[std::size_t(i)] ||
          !(free || movable(world, near->shape->body)) || !particle_touches_body(world, i, near->shape->body))
        continue;
      const double depth = -double(surface_distance(near->shape->shape, near->at, x).d);
      m.penetration_max = std::max(m.penetration_max, depth);
      add_inside(world, i, depth, m);
    }
  }
}

double deepest_overlap(const World& world, const PosedColliders& posed) {
  const auto& shapes = world.bodies.parts->shapes;
  std::vector<Placed> places;
  std::vector<Bounds> boxes;
  std::vector<std::size_t> order;
  for (std::size_t s = 0; s < shapes.size(); ++s) {
    places.push_back(placed(shapes[s], world.bodies));
    boxes.push_back(bounds(shapes[s].shape, places.back()));
    order.push_back(s);
  }
  std::sort(order.begin(), order.end(),
            [&](std::size_t a, std::size_t b) { return boxes[a].low.x < boxes[b].low.x; });
  double depth = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    const std::size_t a = order[i];
    for (std::size_t j = i + 1; j < order.size() && boxes[order[j]].low.x <= boxes[a].high.x; ++j) {
      const std::size_t b = order[j];
      if (shapes[a].body == shapes[b].body || boxes[a].high.y < boxes[b].low.y ||
          boxes[b].high.y < boxes[a].low.y || boxes[a].high.z < boxes[b].low.z ||
          boxes[b].high.z < boxes[a].low.z ||
          !(movable(world, shapes[a].body) || movable(world, shapes[b].body)) ||
          joined(world, shapes[a].body, shapes[b].body) ||
          !bodies_touch(world, shapes[a].body, shapes[b].body))
        continue;
      Manifold manifold;
      collide(shapes[a].shape, places[a], shapes[b].shape, places[b], real(0), manifold);
      depth = std::max(depth, double(manifold.depth()));
    }
    if (!movable(world, shapes[a].body)) continue;
    depth = std::max(depth, posed.overlap(shapes[a].shape, places[a]));
    for (std::size_t c = 0; c < world.colliders.size(); ++c) {
      if (!body_touches_collider(world, shapes[a].body, c)) continue;
      Manifold patches[field_manifolds_max];
      const int count = collide_collider(shapes[a].shape, places[a], world.colliders[c], real(0), patches);
      for (int k = 0; k < count; ++k) depth = std::max(depth, double(patches[k].depth()));
    }
  }
  return depth;
}

}}  // namespace limber::LIMBER_PRECISION
