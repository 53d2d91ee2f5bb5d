// Reads positions, poses, marks and numbers of a running scene.
#include <algorithm>
#include <array>
#include <optional>
#include <tuple>
#include <variant>
#include <vector>

#include "engine/constraints/constraint_types.hpp"
#include "engine/parts/air/air_fields.hpp"
#include "engine/simulation/running_scene.hpp"
#include "engine/state/turns.hpp"
#include "engine/verify/heat.hpp"
#include "engine/verify/joint_measure.hpp"
#include "engine/verify/measure.hpp"
#include "engine/verify/soft_measure.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

void RunningScene::read(const Reading& reading) const {
  std::visit([this](const auto& quantity) { write(quantity); }, reading);
}

Machine RunningScene::machine() const {
  return {pool_->size(),
          pool_->at_work(),
          chooses_threads_,
          pool_->workers(),
          simd_,
          in_double ? Precision::f64 : Precision::f32};
}

void RunningScene::write(const reading::Positions& to) const {
  write_rows(world_.particles.position, to.single);
  write_rows(world_.particles.position, to.exact);
}

void RunningScene::write(const reading::Velocities& to) const {
  write_rows(world_.particles.velocity, to.out);
}

void RunningScene::write(const reading::BodyHeat& to) const { write_body_heat(world_, to.map, to.out); }

void RunningScene::write(const reading::Absent& to) const {
  to.out.clear();
  for (const std::int32_t i : world_.topology->fluid.members)
    if (!world_.matter.fluid.present[std::size_t(i)]) to.out.push_back(outside(i));
  std::sort(to.out.begin(), to.out.end());
}

void RunningScene::write(const reading::Spray& to) const {
  to.out.clear();
  for (const SprayPoint& point : world_.matter.fluid.spray) to.out.emplace_back(point.position);
}

void RunningScene::write(const reading::Bodies& to) const {
  for (std::size_t i = 0; i < to.out.size(); ++i)
    to.out[i] = {glm::vec3(world_.bodies.position[i]), glm::mat3(rotation_of(world_.bodies.orientation[i]))};
}

void RunningScene::write(const reading::Turns& to) const {
  const RodMatter& rods = world_.topology->rods;
  to.out.clear();
  for (const RodSegment& segment : rods.segments)
    to.out.push_back(orientation_of(world_.particles, std::size_t(rods.first_row + segment.turn)));
}

void RunningScene::write(const reading::Solids& to) const {
  const ParticleMatter& matter = world_.topology->matter;
  to.out.clear();
  for (std::size_t s = 0; s < matter.solids.size(); ++s) {
    const Solid& solid = matter.solids[s];
    if (solid.soft >= 0) continue;
    glm::dvec3 sum(0.0);  // unweighted: all particles of a solid have the same mass
    for (std::int32_t i = solid.first; i < solid.first + solid.count; ++i)
      sum += glm::dvec3(world_.particles.position[std::size_t(i)]);
    to.out.push_back(
        {glm::vec3(sum / double(solid.count)), glm::mat3(rotation_of(world_.matter.cluster_rotations[s]))});
  }
}

void RunningScene::write(const reading::Clusters& to) const { pose_clusters(world_, to.out); }

void RunningScene::write(const reading::Skins& to) const { place_skins(world_, to.out); }

void RunningScene::write(const reading::Joints& to) const {
  to.out.clear();
  for (std::size_t j = 0; j < world_.bodies.joints.size(); ++j) to.out.push_back(joint_mark(world_, j));
}

void RunningScene::write(const reading::Heat& to) const {
  const Method& method = solver_->method();
  write_heat(world_, method.constraints(world_), method.schedule(world_), to.map, to.out);
}

void RunningScene::write(const reading::Fixed& to) const {
  to.out.clear();
  for (const Attachment& a : world_.user.attachments)
    if (a.collider < 0 && a.body < 0) to.out.push_back(outside(a.particle));
}

void RunningScene::write(const reading::Hand& to) const {
  const User& user = world_.user;
  to.out = {};
  if (user.grab) to.out.vertex = outside(user.grab->particle), to.out.target = user.grab->target;
  if (user.ball) to.out.ball = HoldBall{user.ball->position, user.ball->radius};
  if (!user.body_grab) return;
  const std::size_t i = std::size_t(user.body_grab->body);
  to.out.target = user.body_grab->target;
  to.out.body_point = glm::dvec3(vec3(world_.bodies.position[i]) +
                                 rotation_of(world_.bodies.orientation[i]) * user.body_grab->own);
}

void RunningScene::write(const reading::Contacts& to) const {
  to.out.clear();
  if (stepped_) solver_->read_contacts(world_, to.out);
}

void RunningScene::write(const reading::Zones& to) const {
  to.out.clear();
  if (!stepped_) return;
  for (const std::int32_t i : solver_->zone_members(world_)) to.out.push_back(outside(i));
}

void RunningScene::write(const reading::Intersections& to) const {
  to.out.clear();
  for (const TrianglePair& pair : find_intersections(world_)) {
    std::array<Triangle, 2>& both = to.out.emplace_back();
    for (std::size_t k = 0; k < 2; ++k)
      for (std::size_t j = 0; j < 3; ++j)
        both[k][j] = outside(world_.topology->triangles[std::size_t(pair[k])][j]);
  }
}

void RunningScene::write(const reading::Air& to) const {
  read_air(*world_.settings.wind, world_.time, to.places, to.out);
}

void RunningScene::write(const reading::IntersectionCount& to) const {
  to.out = limber::LIMBER_PRECISION::count_intersections(world_);
}
void RunningScene::write(const reading::FastestSwing& to) const {
  to.out = limber::LIMBER_PRECISION::fastest_swing(world_);
}
void RunningScene::write(const reading::StateHash& to) const {
  to.out = limber::LIMBER_PRECISION::state_hash(world_);
}

void RunningScene::write(const reading::Batches& to) const {
  std::vector<BatchCount>& out = to.out;
  out.clear();
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
}

Index RunningScene::outside(std::int32_t particle) const {
  return world_.topology->internal_to_external[std::size_t(particle)];
}

}}  // namespace limber::LIMBER_PRECISION
