#include "app/watch/far_joints.hpp"

#include <algorithm>
#include <cstdio>
#include <glm/geometric.hpp>
#include <vector>

#include "engine/geometry/convex/convex_contact.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"

namespace limber {
namespace {

constexpr double far_in_reaches = 3.0;  // times the reach of a body

/// Distance, m, from a body's centre to its farthest point along the axes and diagonals of its frame.
double reach_of(const BodyModel& body) {
  double most = 0.0;
  for (const BodyPart& part : body.parts) {
    const ConvexSolid<double> solid{part.kind, part.size, part.hull.get()};
    for (int way = 1; way < 27; ++way) {
      const glm::dvec3 out(way % 3 - 1, way / 3 % 3 - 1, way / 9 - 1);
      if (out == glm::dvec3(0.0)) continue;
      const glm::dvec3 point = support(solid, glm::normalize(glm::transpose(part.place.rotation) * out));
      most = std::max(most, glm::length(part.place.position + part.place.rotation * point));
    }
  }
  return most;
}

const BodyModel* model_of(const SceneModel& model, Index body) {
  for (const BodyModel& one : model.bodies)
    if (body >= one.first && body < one.first + one.count) return &one;
  return nullptr;
}

}  // namespace

std::string far_joint_note(const Simulation& simulation) {
  const SceneDesc& scene = simulation.scene();
  const SceneModel& model = *simulation.model();
  std::vector<BodyPose> poses(
      std::size_t(model.bodies.empty() ? 0 : model.bodies.back().first + model.bodies.back().count));
  if (poses.empty() || scene.joints.empty()) return {};
  simulation.read(reading::Bodies{poses});
  int found = 0;
  double farthest = 0.0;
  char text[320] = "";
  for (const JointDesc& joint : scene.joints) {
    const Expected<std::vector<JointedPair>> pairs = joined_pairs(scene, joint);
    if (!pairs || pairs->empty()) continue;
    const Index first = Index(pairs->front().first);
    const BodyModel* const body = model_of(model, first);
    if (!body || body->count < 2 || pairs->size() < 2) continue;
    const glm::dvec3 at(poses[std::size_t(first)].position);
    const double distance = glm::distance(joint.at, at);
    if (!(distance > far_in_reaches * reach_of(*body))) continue;
    ++found;
    if (distance <= farthest) continue;
    farthest = distance;
    std::snprintf(
        text, sizeof text,
        "joint '%s': its 'at' is %.3g m from %s[0], the copy to which it belongs, at (%.3g, %.3g, %.3g); "
        "give 'at' for the first copy of a body, while 'position' is the middle of all copies",
        joint.name.c_str(), distance, body->name.c_str(), at.x, at.y, at.z);
  }
  if (found == 0) return {};
  return text + (found == 1 ? std::string() : " (and " + std::to_string(found - 1) + " more)");
}

}  // namespace limber
