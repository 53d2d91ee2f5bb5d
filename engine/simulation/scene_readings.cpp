// Reads positions, poses, marks and numbers of a running scene.
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <vector>

#include "engine/parts/air/air_fields.hpp"
#include "engine/simulation/running_scene.hpp"
#include "engine/state/turns.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "engine/verify/soft_measure.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void RunningScene::read_absent(std::vector<Index>& out) const {
  out.clear();
  for (const std::int32_t i : world_.topology->fluid.members)
    if (!world_.matter.fluid.present[std::size_t(i)]) out.push_back(outside(i));
  std::sort(out.begin(), out.end());
}

void RunningScene::read_spray(std::vector<glm::vec3>& out) const {
  out.clear();
  for (const SprayPoint& point : world_.matter.fluid.spray) out.emplace_back(point.position);
}

void RunningScene::read_bodies(std::span<BodyPose> out) const {
  for (std::size_t i = 0; i < out.size(); ++i)
    out[i] = {glm::vec3(world_.bodies.position[i]), glm::mat3(rotation_of(world_.bodies.orientation[i]))};
}

void RunningScene::read_turns(std::vector<glm::dvec4>& out) const {
  const RodMatter& rods = world_.topology->rods;
  out.clear();
  for (const RodSegment& segment : rods.segments)
    out.push_back(orientation_of(world_.particles, std::size_t(rods.first_row + segment.turn)));
}

void RunningScene::read_solids(std::vector<BodyPose>& out) const {
  const ParticleMatter& matter = world_.topology->matter;
  out.clear();
  for (std::size_t s = 0; s < matter.solids.size(); ++s) {
    const Solid& solid = matter.solids[s];
    if (solid.soft >= 0) continue;
    glm::dvec3 sum(0.0);  // unweighted: all particles of a solid have the same mass
    for (std::int32_t i = solid.first; i < solid.first + solid.count; ++i)
      sum += glm::dvec3(world_.particles.position[std::size_t(i)]);
    out.push_back(
        {glm::vec3(sum / double(solid.count)), glm::mat3(rotation_of(world_.matter.cluster_rotations[s]))});
  }
}

void RunningScene::read_clusters(std::vector<ClusterPose>& out) const { pose_clusters(world_, out); }

void RunningScene::read_joints(std::vector<JointMark>& out) const {
  out.clear();
  for (std::size_t j = 0; j < world_.bodies.joints.size(); ++j) out.push_back(joint_mark(world_, j));
}

void RunningScene::read_heat(HeatMap map, std::span<float> out) const {
  const Method& method = solver_->method();
  write_heat(world_, method.constraints(world_), method.schedule(world_), map, out);
}

void RunningScene::read_fixed(std::vector<Index>& out) const {
  out.clear();
  for (const Attachment& a : world_.user.attachments)
    if (a.collider < 0 && a.body < 0) out.push_back(outside(a.particle));
}

std::optional<Index> RunningScene::held_vertex() const {
  return world_.user.grab ? std::optional(outside(world_.user.grab->particle)) : std::nullopt;
}

std::optional<glm::dvec3> RunningScene::held_target() const {
  if (world_.user.body_grab) return world_.user.body_grab->target;
  return world_.user.grab ? std::optional(world_.user.grab->target) : std::nullopt;
}

std::optional<glm::dvec3> RunningScene::held_body_point() const {
  if (!world_.user.body_grab) return std::nullopt;
  const std::size_t i = std::size_t(world_.user.body_grab->body);
  return glm::dvec3(vec3(world_.bodies.position[i]) +
                    rotation_of(world_.bodies.orientation[i]) * world_.user.body_grab->own);
}

std::optional<HoldBall> RunningScene::held_ball() const {
  if (!world_.user.ball) return std::nullopt;
  return HoldBall{world_.user.ball->position, world_.user.ball->radius};
}

void RunningScene::read_contacts(std::vector<ContactMark>& out) const {
  out.clear();
  if (stepped_) solver_->read_contacts(world_, out);
}

void RunningScene::read_zones(std::vector<Index>& out) const {
  out.clear();
  if (!stepped_) return;
  for (const std::int32_t i : solver_->zone_members(world_)) out.push_back(outside(i));
}

void RunningScene::read_intersections(std::vector<std::array<Triangle, 2>>& out) const {
  out.clear();
  for (const TrianglePair& pair : find_intersections(world_)) {
    std::array<Triangle, 2>& both = out.emplace_back();
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 3; ++j)
        both[k][j] = outside(world_.topology->triangles[std::size_t(pair[k])][j]);
  }
}

void RunningScene::read_air(std::span<const glm::dvec3> places, std::span<glm::dvec3> out) const {
  limber::LIMBER_PRECISION::read_air(*world_.settings.wind, world_.time, places, out);
}

std::int64_t RunningScene::count_intersections() const {
  return limber::LIMBER_PRECISION::count_intersections(world_);
}

std::vector<BatchCount> RunningScene::batches() const {
  std::vector<BatchCount> out;
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(solver_->method().constraints(world_));
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if (batch.constraints > 0)
      out.push_back({Type::name, batch.constraints, batch.colors, has_projection<Type>()});
  });
  const std::int64_t volumes =
      std::count_if(world_.matter.volume_goals.begin(), world_.matter.volume_goals.end(),
                    [](const VolumeGoal& goal) { return goal.volume > real(0); });
  if (volumes > 0) out.push_back({"volume", volumes, 1});
  if (!world_.bodies.joints.empty()) out.push_back({"joint", std::int64_t(world_.bodies.joints.size()), 1});
  return out;
}

Index RunningScene::outside(std::int32_t particle) const {
  return world_.topology->internal_to_external[std::size_t(particle)];
}

}}  // namespace limber::LIMBER_PRECISION
