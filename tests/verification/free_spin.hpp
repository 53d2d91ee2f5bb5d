// Objects that fly and rotate freely, and their momenta.
#pragma once

#include <algorithm>
#include <functional>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/cloth.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/points.hpp"
#include "engine/scene/objects/solid.hpp"
#include "engine/scene/objects/tets.hpp"
#include "tests/source_folder.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace free_spin {

inline constexpr bool in_double = std::is_same_v<real, double>;
inline constexpr double two_pi = 2.0 * std::numbers::pi;
inline constexpr double frame = 1.0 / 60.0;  // s

inline SceneDesc weightless(std::vector<ObjectDesc> objects, std::vector<BodyDesc> bodies = {}) {
  SceneDesc scene;
  scene.solver.motion->gravity = glm::dvec3(0.0);
  scene.solver.motion->damping = 0.0;
  scene.objects = std::move(objects);
  scene.bodies = std::move(bodies);
  return scene;
}

inline ObjectDesc sheet(int side, double width = 1.0) {
  ObjectDesc sheet;
  sheet.name = "sheet";
  sheet.cloth->columns = sheet.cloth->rows = side;
  sheet.cloth->width = sheet.cloth->height = width;
  sheet.cloth->upright = false;
  return sheet;
}

inline ObjectDesc bar(SolidModel model) {
  ObjectDesc object;
  object.name = "bar";
  object.type = ObjectType::tets;
  object.tets->shape = TetShape::bar;
  object.tets->dimensions = {0.6, 0.2, 0.2};
  object.tets->cells = {4, 2, 2};
  object.density = 200.0;
  object.material->model = model;
  object.material->youngs_modulus = 1e6;
  return object;
}

inline ObjectDesc brick(double stiffness) {
  ObjectDesc object;
  object.name = "brick";
  object.type = ObjectType::solid;
  object.mesh = test::source("assets/brick.obj");
  object.size = 0.5;
  object.solid->stiffness = stiffness;
  return object;
}

/// Masses joined in a row along x, the middle at `center`.
inline ObjectDesc row(int count, double length, double mass, const glm::dvec3& center = {}) {
  ObjectDesc object;
  object.name = "row";
  object.type = ObjectType::points;
  for (int i = 0; i < count; ++i) {
    object.points->list.push_back({center + glm::dvec3(length * (i / (count - 1.0) - 0.5), 0.0, 0.0), mass});
    if (i > 0) object.points->springs.push_back({{i - 1, i}, {}});
  }
  return object;
}

inline BodyDesc rod(const std::string& name, const glm::dvec3& position, double half) {
  BodyDesc body;
  body.name = name;
  body.shape = BodyShape::box;
  body.half_extents = {half, 0.02, 0.02};
  body.density = 1000.0;
  body.pose.position = position;
  return body;
}

/// A rod with a mass tied to either end, which a spring joins as well.
inline SceneDesc rod_with_ties() {
  ObjectDesc masses = row(2, 1.2, 0.5);
  AttachmentDesc tie;
  tie.vertices = {VertexName(Index(0)), VertexName(Index(1))};
  tie.attach_to = "rod";
  tie.compliance = 0.0;
  masses.attachments = {tie};
  return weightless({masses}, {rod("rod", {}, 0.6)});
}

/// Along x, the middle of the row at the origin, with a ball joint between neighbours.
inline SceneDesc rods_in_a_row(int count) {
  SceneDesc scene = weightless({});
  const auto name = [](int i) { return "rod " + std::to_string(i); };
  for (int i = 0; i < count; ++i) {
    const double x = 0.6 * (i - 0.5 * (count - 1));
    scene.bodies.push_back(rod(name(i), {x, 0.0, 0.0}, 0.28));
    if (i > 0)
      scene.joints.push_back(joint_scenes::joint("ball " + std::to_string(i), JointType::ball, name(i - 1),
                                                 name(i), {x - 0.3, 0.0, 0.0}));
  }
  return scene;
}
inline SceneDesc joined_rods() { return rods_in_a_row(2); }

struct Kind {
  std::string name;
  std::function<SceneDesc()> scene;
};
inline std::vector<Kind> kinds() {
  return {{"cloth", [] { return weightless({sheet(9)}); }},
          {"neo-Hookean", [] { return weightless({bar(SolidModel::neo_hookean)}); }},
          {"corotated", [] { return weightless({bar(SolidModel::corotated)}); }},
          {"soft cluster", [] { return weightless({brick(0.5)}); }},
          {"rigid cluster", [] { return weightless({brick(1.0)}); }},
          {"chain", [] { return weightless({row(8, 0.7, 0.1)}); }},
          {"rod with ties", rod_with_ties},
          {"joined rods", joined_rods}};
}

struct Momenta {
  double mass = 0.0;
  double speeds = 0.0;                                ///< kg m/s, sum m |v|
  glm::dvec3 center{0.0}, linear{0.0}, angular{0.0};  ///< angular: about the centre
};

/// Momenta of the particles [begin, end) and, if asked for, of all bodies.
inline Momenta momenta(const World& world, std::int32_t begin, std::int32_t end, bool bodies) {
  Momenta m;
  glm::dvec3 first(0.0), about_origin(0.0);
  const auto add = [&](double mass, const glm::dvec3& x, const glm::dvec3& v) {
    m.mass += mass, m.speeds += mass * glm::length(v);
    first += mass * x, m.linear += mass * v, about_origin += mass * glm::cross(x, v);
  };
  for (std::int32_t i = begin; i < end; ++i) {
    const auto& x = world.particles.position[std::size_t(i)];
    if (x.w > real(0))
      add(1.0 / double(x.w), glm::dvec3(x), glm::dvec3(world.particles.velocity[std::size_t(i)]));
  }
  for (std::size_t b = 0; bodies && b < std::size_t(world.bodies.count()); ++b) {
    add(1.0 / double(world.bodies.position[b].w), glm::dvec3(world.bodies.position[b]),
        glm::dvec3(world.bodies.velocity[b]));
    about_origin += glm::dvec3(world.bodies.angular_momentum[b]);
  }
  m.center = first / m.mass;
  m.angular = about_origin - glm::cross(m.center, m.linear);
  return m;
}
inline Momenta momenta(const World& world) { return momenta(world, 0, world.particles.padded(), true); }
inline Momenta momenta_of(const World& world, std::size_t object) {
  const ParticleRange& range = world.topology->objects[object];
  return momenta(world, range.first, range.end(), false);
}

/// Lets everything turn rigidly about the centre of mass: about an axis between y and z, rad/s.
inline void spin(World& world, double rate, const glm::dvec3& drift = {}) {
  const glm::dvec3 center = momenta(world).center, omega = rate * glm::normalize(glm::dvec3(0.1, 1.0, 0.3));
  for (std::size_t i = 0; i < std::size_t(world.particles.padded()); ++i)
    if (world.particles.position[i].w > real(0))
      world.particles.velocity[i] =
          vec4(vec3(drift + glm::cross(omega, glm::dvec3(world.particles.position[i]) - center)), real(0));
  for (std::size_t b = 0; b < std::size_t(world.bodies.count()); ++b) {
    const glm::dvec3 arm = glm::dvec3(world.bodies.position[b]) - center;
    const glm::dmat3 r(rotation_of(world.bodies.orientation[b]));
    const glm::dvec3 moments(inertia_of(world.bodies.inverse_inertia[b]));
    world.bodies.velocity[b] = vec4(vec3(drift + glm::cross(omega, arm)), real(0));
    world.bodies.angular_momentum[b] = vec4(vec3(r * (moments * (glm::transpose(r) * omega))), real(0));
  }
}

/// The largest changes in a frame, per substep, over sum m |v| and the angular momentum; and the smallest
/// angular momentum over the first.
struct Kept {
  double linear = 0.0, angular = 0.0, least = 1.0;
};
inline Kept fly(Rig& rig, int frames) {
  const double substeps = rig.world.settings.solver.step->substeps;
  const Momenta start = momenta(rig.world);
  Momenta before = start;
  Kept kept;
  for (int f = 0; f < frames; ++f) {
    rig.step();
    const Momenta now = momenta(rig.world);
    kept.linear = std::max(kept.linear, glm::distance(now.linear, before.linear) / now.speeds / substeps);
    kept.angular = std::max(
        kept.angular, glm::distance(now.angular, before.angular) / glm::length(before.angular) / substeps);
    kept.least = std::min(kept.least, glm::length(now.angular) / glm::length(start.angular));
    before = now;
  }
  return kept;
}

}}}  // namespace limber::LIMBER_PRECISION::free_spin
