// Nets of joints between beads, their energy, and how far two of them are apart.
#pragma once

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <string>
#include <utility>

#include "engine/contact/bodies/body_contact.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "tests/verification/joint_scenes.hpp"
#include "tests/verification/rig.hpp"

namespace limber { inline namespace LIMBER_PRECISION { namespace joint_nets {

inline constexpr double g = 9.81, mesh = 0.1;

/// Meshes of a net, its first row fixed, held out by `degrees` from the vertical, of beads of 1 kg. The bead
/// in the middle of the last row has `heavy` kg.
struct Net {
  int rows = 20, columns = 20;
  double degrees = 60.0, heavy = 1.0;
  int substeps = 8;
  bool fixed = true;
};

inline BodyDesc row_of(const Net& net, int k) {
  const double tilt = net.degrees * joint_scenes::pi / 180.0;
  BodyDesc row = joint_scenes::bob("row" + std::to_string(k),
                                   mesh * k * glm::dvec3(0.0, -std::cos(tilt), std::sin(tilt)), 0.4 * mesh);
  row.arrangement = Arrangement::line;
  row.copies = {double(net.columns), 1.0, 1.0};
  row.spacing = {mesh, 0.0, 0.0};
  row.collides_with = "none";
  row.fixed = net.fixed && k == 0;
  return row;
}

inline SceneDesc scene_of(const Net& net) {
  SceneDesc scene = joint_scenes::scene_of({}, {}, net.substeps);
  for (int k = 0; k < net.rows; ++k) {
    BodyDesc row = row_of(net, k);
    const glm::dvec3 here = row.pose.position;
    if (k > 0 || !net.fixed) {
      JointDesc along = joint_scenes::joint("along" + std::to_string(k), JointType::ball, row.name, "",
                                            here + glm::dvec3(0.5 * mesh, 0.0, 0.0));
      along.chain = true;
      scene.joints.push_back(along);
    }
    if (k > 0)
      scene.joints.push_back(joint_scenes::joint("down" + std::to_string(k), JointType::ball, row.name,
                                                 scene.bodies.back().name,
                                                 0.5 * (here + scene.bodies.back().pose.position)));
    scene.bodies.push_back(std::move(row));
  }
  return scene;
}

/// A net with the mass of one bead changed.
struct NetRig : Rig {
  explicit NetRig(const Net& net, int threads = 1) : Rig(scene_of(net), threads) {
    if (net.heavy == 1.0) return;
    const std::size_t i = std::size_t((net.rows - 1) * net.columns + net.columns / 2);
    world.bodies.position[i].w /= real(net.heavy);
    world.bodies.inverse_inertia[i] /= real(net.heavy);
  }
};

inline double energy_of(const Measures& now) { return now.kinetic_energy + now.potential_energy; }

/// Joints that sweeps leave apart act as springs: half of force times error.
inline double energy_of_errors(const World& world) {
  double sum = 0.0;
  for (std::size_t j = 0; j < world.bodies.joints.size(); ++j) {
    const JointMark mark = joint_mark(world, j);
    sum -= 0.5 * glm::dot(world.bodies.joints[j].push, glm::dvec3(mark.a - mark.b));
  }
  return sum / std::pow(world.bodies.joint_step, 2);
}

/// The largest distance between bodies of two worlds, in m.
inline double apart(const World& one, const World& other) {
  double most = 0.0;
  for (std::size_t i = 0; i < std::size_t(one.bodies.count()); ++i)
    most =
        std::max(most, double(glm::distance(vec3(one.bodies.position[i]), vec3(other.bodies.position[i]))));
  return most;
}

}}}  // namespace limber::LIMBER_PRECISION::joint_nets
