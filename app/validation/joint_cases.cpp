// Joints of rigid bodies.
#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numbers>

#include "app/validation/experiment.hpp"
#include "app/validation/validation.hpp"
#include "engine/core/measures.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"

namespace limber {
namespace {

constexpr double pi = std::numbers::pi;

BodyDesc ball_of(const std::string& name, const glm::dvec3& position, double radius, double mass) {
  BodyDesc ball;
  ball.name = name;
  ball.shape = BodyShape::sphere;
  ball.radius = radius;
  ball.density = mass / (4.0 / 3.0 * pi * radius * radius * radius);
  ball.pose.position = position;
  return ball;
}

JointDesc joint_of(JointType type, const std::string& a, const glm::dvec3& at) {
  JointDesc joint;
  joint.name = a + "_joint";
  joint.type = type;
  joint.a = a;
  joint.at = at;
  return joint;
}

SceneDesc jointed(std::vector<BodyDesc> bodies, std::vector<JointDesc> joints, int substeps) {
  SceneDesc scene;
  scene.name = "validation";
  scene.solver.step->substeps = substeps;
  scene.solver.motion->damping = 0.0;
  scene.bodies = std::move(bodies);
  scene.joints = std::move(joints);
  return scene;
}

glm::dvec3 body_at(const Simulation& simulation, std::size_t body) {
  std::vector<BodyPose> poses(simulation.body_count());
  simulation.read(reading::Bodies{poses});
  return glm::dvec3(poses[body].position);
}

/// Period of a ball of radius 0.3 m on a hinge 1 m from its centre: twice the time between two passages of
/// the lowest point.
double swing_time(double degrees) {
  const double angle = degrees * pi / 180.0;
  JointDesc hinge = joint_of(JointType::hinge, "bob", {});
  hinge.axis = {0.0, 0.0, 1.0};
  const auto simulation =
      start(jointed({ball_of("bob", {std::sin(angle), -std::cos(angle), 0.0}, 0.3, 1.0)}, {hinge}, 20));
  double before = body_at(*simulation, 0).x, first = 0.0;
  for (int f = 1; f < 1000; ++f) {
    simulation->step();
    const double now = body_at(*simulation, 0).x;
    if (before * now < 0.0) {
      const double at = frame * (f - now / (now - before));
      if (first > 0.0) return 2.0 * (at - first);
      first = at;
    }
    before = now;
  }
  return 0.0;
}

/// Distance, m, by which a mass stretches a spring.
double elongation(double mass, int substeps) {
  JointDesc spring = joint_of(JointType::distance, "mass", {0.0, -1.0, 0.0});
  spring.compliance = 0.01, spring.damping = 20.0;
  SceneDesc scene = jointed({ball_of("mass", {0.0, -1.0, 0.0}, 0.1, mass)}, {spring}, substeps);
  scene.solver.motion->gravity = {0.0, -10.0, 0.0};
  const auto simulation = start(std::move(scene));
  run_frames(*simulation, 300);
  return -1.0 - body_at(*simulation, 0).y;
}

/// Largest stretch, m of 3 m, of a swinging chain of 12 links of 1 kg that carries 100 kg.
double chain_stretch() {
  BodyDesc links;
  links.name = "links";
  links.shape = BodyShape::capsule;
  links.radius = 0.02, links.half_length = 0.1;
  links.density = 1.0 / (pi * 0.02 * 0.02 * (0.2 + 4.0 / 3.0 * 0.02));
  links.arrangement = Arrangement::line;
  links.copies = {12.0, 1.0, 1.0};
  links.spacing = {0.0, -0.25, 0.0};
  links.pose.position = {0.0, -0.125, 0.0};
  BodyDesc weight = ball_of("weight", {0.0, -3.3, 0.0}, 0.3, 100.0);
  weight.velocity = {5.0, 0.0, 0.0};
  JointDesc top = joint_of(JointType::ball, "links[0]", {}),
            chain = joint_of(JointType::ball, "links", {0.0, -0.25, 0.0}),
            end = joint_of(JointType::ball, "weight", {0.0, -3.0, 0.0});
  chain.chain = true;
  end.b = "links[11]";
  const auto simulation = start(jointed({links, weight}, {top, chain, end}, 8));
  double most = 0.0;
  for (int f = 0; f < 180; ++f) {
    simulation->step();
    most = std::max(most, simulation->measure().joint_error_max);
  }
  return most;
}

/// Distance, m, that a cart slides down a rail in one second.
double slide() {
  JointDesc rail = joint_of(JointType::slider, "cart", {});
  rail.axis = {-0.8, -0.6, 0.0};
  const auto simulation = start(jointed({ball_of("cart", {}, 0.2, 3.0)}, {rail}, 8));
  run_frames(*simulation, 60);
  return glm::length(body_at(*simulation, 0));
}

}  // namespace

/// About the hinge the ball's inertia is 1 + 2/5 0.09 times that of a point mass at its centre. A passage
/// between two frames is interpolated linearly, which costs 1e-5 of the period of the widest swing, the
/// steepest. Positions are read as floats.
ValidationCases joint_cases() {
  ValidationCases cases;
  const double small = 2.0 * pi * std::sqrt((1.0 + 0.4 * 0.09) / g);
  for (const int degrees : {10, 90, 170}) {
    const double ratio = 2.0 / pi * std::comp_ellint_1(std::sin(degrees * pi / 360.0));
    cases.push_back({"ball on a hinge, period at " + std::to_string(degrees) + " degrees (s)", small * ratio,
                     swing_time(degrees), 1e-5 * small * ratio});
  }
  for (const int substeps : {1, 20})
    for (const double mass : {1.0, 0.125})
      cases.push_back({"spring joint, " + std::to_string(substeps) + " substeps, elongation (m)", 0.1 * mass,
                       elongation(mass, substeps), 1.2e-7});
  cases.push_back(
      {"slider down a slope of 3:4, way in 1 s (m)", 0.5 * g * 0.6 * (1.0 + frame / 8.0), slide(), 2.5e-7});
  cases.push_back(
      {"chain of 12 under 100 times a link's mass, stretch of 3 m (m)", 0.0, chain_stretch(), 2.2e-5});
  return cases;
}

}  // namespace limber
