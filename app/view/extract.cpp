#include "app/view/extract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>

#include "app/view/color_map.hpp"
#include "app/view/heat_scale.hpp"
#include "app/view/obstacles.hpp"
#include "engine/scene/collider_source.hpp"

namespace limber {
namespace {

const glm::vec3 kPinColor{0.95f, 0.62f, 0.10f};
const glm::vec3 kBallColor{0.80f, 0.72f, 0.10f};
const glm::vec3 kHeldColor{0.20f, 0.72f, 1.0f};
constexpr float kPinDiameter = 9.0f, kHeldDiameter = 13.0f, kTargetDiameter = 8.0f;  // px
constexpr std::size_t kMostPinDots = 500;  // more hide what they hold, and cost a draw each

SurfaceDraw surface_look(const ObjectModel& object) {
  SurfaceDraw draw;
  draw.color = object.color;
  draw.back_color = object.back_color;
  draw.pattern = object.uvs.empty() ? 0 : int(object.pattern);
  return draw;
}

std::shared_ptr<const SurfaceTopology> make_surfaces(const SceneModel& model) {
  auto surfaces = std::make_shared<SurfaceTopology>();
  surfaces->uvs.assign(std::size_t(model.vertex_count), glm::vec2(0.5f));
  for (const ObjectModel& object : model.objects) {
    std::copy(object.uvs.begin(), object.uvs.end(), surfaces->uvs.begin() + object.first_vertex);
    if (object.triangles.empty()) continue;
    SurfaceDraw draw = surface_look(object);
    draw.first_index = std::uint32_t(surfaces->indices.size());
    for (const Triangle& triangle : object.triangles)
      for (Index vertex : triangle) surfaces->indices.push_back(std::uint32_t(vertex));
    draw.index_count = std::uint32_t(surfaces->indices.size()) - draw.first_index;
    surfaces->draws.push_back(draw);
  }
  for (std::size_t k = 0, first = surfaces->uvs.size() - model.split_from.size(); k < model.split_from.size();
       ++k)
    surfaces->uvs[first + k] = surfaces->uvs[std::size_t(model.split_from[k])];
  return surfaces;
}

/// Smooth normals: the cross product of two edges is the face normal times twice its area, so the plain sum
/// over the faces of a vertex weights by area.
void write_normals(const std::vector<std::uint32_t>& indices, RenderFrame& frame) {
  frame.normals.assign(frame.positions.size(), glm::vec3(0.0f));
  for (std::size_t i = 0; i + 2 < indices.size(); i += 3) {
    const std::uint32_t a = indices[i], b = indices[i + 1], c = indices[i + 2];
    const glm::vec3 area =
        glm::cross(frame.positions[b] - frame.positions[a], frame.positions[c] - frame.positions[a]);
    frame.normals[a] += area;
    frame.normals[b] += area;
    frame.normals[c] += area;
  }
  for (glm::vec3& normal : frame.normals) {
    const float length = glm::length(normal);
    normal = length > 0.0f ? normal / length : glm::vec3(0.0f, 1.0f, 0.0f);
  }
}

/// What 99 of 100 numbers do not exceed, from an even sample of a thousand: a few vertices beside a pin must
/// not turn all others into one colour. The largest one where there are up to a hundred.
float nearly_largest(const std::vector<float>& numbers) {
  std::array<float, 1024> sample;
  const std::size_t stride = (numbers.size() + sample.size() - 1) / sample.size();
  std::size_t count = 0;
  for (std::size_t i = 0; i < numbers.size(); i += stride) sample[count++] = numbers[i];
  const auto at = sample.begin() + std::ptrdiff_t(count - 1 - (count - 1) / 100);
  std::nth_element(sample.begin(), at, sample.begin() + std::ptrdiff_t(count));
  return *at;
}

glm::vec3 heat_light(const RenderFrame& frame, float value) {
  const HeatScale& scale = frame.heat_scale;
  return turbo_light((value - scale.low) / std::max(scale.high - scale.low, 1e-30f));
}

std::size_t simulation_bodies(const SceneModel& model) {
  return model.bodies.empty() ? 0 : std::size_t(model.bodies.back().first + model.bodies.back().count);
}

void write_springs(const SceneModel& model, RenderFrame& frame) {
  frame.lines.clear();
  for (const ObjectModel& object : model.objects) {
    if (!object.triangles.empty()) continue;
    for (const auto& [a, b] : object.springs) {
      const std::size_t i = std::size_t(a), j = std::size_t(b);
      const glm::vec3 color =
          frame.heat.empty() ? object.back_color : heat_light(frame, 0.5f * (frame.heat[i] + frame.heat[j]));
      frame.lines.push_back(
          {frame.positions[i], frame.positions[j], color, frame.heat.empty() ? 2.5f : 4.0f});
    }
  }
}

}  // namespace

void FrameExtractor::extract(const Simulation& simulation, RenderFrame& frame) {
  if (auto model = simulation.model(); model != model_) adopt(std::move(model), simulation.scene());
  frame.model_version = model_->version;
  frame.frame = simulation.frame();
  frame.time = simulation.time();
  frame.surfaces = surfaces_;
  frame.ground = simulation.scene().ground;
  frame.positions.resize(std::size_t(model_->vertex_count));
  simulation.read_positions(std::span<glm::vec3>(frame.positions));
  write_normals(surfaces_->indices, frame);
  write_heat(simulation, frame);
  for (const Mover& mover : movers_)
    obstacles_[mover.obstacle].transform = placement_of(mover.motion.at(frame.time)) * mover.local;
  frame.solids.assign(obstacles_.begin(), obstacles_.end());
  write_springs(*model_, frame);
  write_particles(frame);
  write_bodies(simulation, frame);
  write_joints(simulation, frame);
  write_balls(simulation, frame);
  write_marks(simulation, frame);
  write_bounds(frame);
  marks_.add(overlay_, simulation, frame);
}

void FrameExtractor::adopt(std::shared_ptr<const SceneModel> model, const SceneDesc& scene) {
  model_ = std::move(model);
  surfaces_ = make_surfaces(*model_);
  obstacles_.clear();
  movers_.clear();
  for (std::size_t c = 0; c < model_->colliders.size(); ++c) add_obstacle(c, scene.ground);
  particles_.clear();
  for (const ObjectModel& object : model_->objects)
    if (object.triangles.empty()) add_particles_of(object);
  body_solids_.clear();
  for (const BodyModel& body : model_->bodies) add_bodies_of(body);
  body_poses_.resize(simulation_bodies(*model_));
}

void FrameExtractor::add_obstacle(std::size_t c, bool ground_drawn) {
  const ColliderDesc& collider = model_->colliders[c];
  auto solid = obstacle_solid(collider, ground_drawn);
  if (!solid) return;
  if (const auto& mesh = model_->collider_meshes[c]) solid->geometry = solid_geometry(*mesh);
  if (RigidMotion motion = motion_of(model_->colliders, c); motion.moves()) {
    const glm::mat4 local = glm::inverse(placement_of(motion.rest)) * solid->transform;
    movers_.push_back({obstacles_.size(), std::move(motion), local});
  }
  obstacles_.push_back(std::move(*solid));
}

void FrameExtractor::add_bodies_of(const BodyModel& body) {
  std::vector<SolidDraw> parts;
  for (std::size_t p = 0; p < body.parts.size(); ++p) {
    parts.push_back(part_solid(body.parts[p]));
    if (body.meshes[p]) parts.back().geometry = solid_geometry(*body.meshes[p]);
  }
  for (Index i = body.first; i < body.first + body.count; ++i)
    for (const SolidDraw& part : parts) {
      body_solids_.push_back(part);
      body_solids_.back().body = std::int32_t(i);
      body_solids_.back().color = body.colors[std::size_t(i - body.first)];
    }
}

void FrameExtractor::write_bodies(const Simulation& simulation, RenderFrame& frame) {
  if (body_solids_.empty()) return;
  simulation.read_bodies(body_poses_);
  for (const SolidDraw& part : body_solids_) {
    const BodyPose& pose = body_poses_[std::size_t(part.body)];
    glm::mat4 place(pose.rotation);
    place[3] = glm::vec4(pose.position, 1.0f);
    frame.solids.push_back(part);
    frame.solids.back().transform = place * part.transform;
  }
}

/// Ropes, rods and springs: what joins two points that are apart.
void FrameExtractor::write_joints(const Simulation& simulation, RenderFrame& frame) {
  if (model_->joints.empty()) return;
  simulation.read_joints(joints_);
  for (const JointMark& joint : joints_) {
    const JointDesc& desc = model_->joints[std::size_t(joint.source)];
    if (joint.type != JointType::distance || joint.broken || desc.thickness == 0.0) continue;
    frame.solids.push_back(rod_solid(joint.a, joint.b, 0.5f * float(desc.thickness)));
    frame.solids.back().color = desc.color;
  }
}

void FrameExtractor::add_particles_of(const ObjectModel& object) {
  // Small against the gaps between particles, so that the springs stay visible.
  const float count = float(std::max<Index>(object.vertex_count, 1));
  const float radius = std::clamp(0.12f / std::sqrt(count), 0.012f, 0.05f);
  for (Index i = 0; i < object.vertex_count; ++i)
    particles_.push_back({object.first_vertex + i, radius, object.color});
}

void FrameExtractor::write_particles(RenderFrame& frame) const {
  for (const Particle& particle : particles_) {
    SolidDraw ball;
    const glm::mat4 place = glm::translate(glm::mat4(1.0f), frame.positions[std::size_t(particle.vertex)]);
    ball.transform = glm::scale(place, glm::vec3(particle.radius));
    ball.color =
        frame.heat.empty() ? particle.color : heat_light(frame, frame.heat[std::size_t(particle.vertex)]);
    ball.vertex = particle.vertex;
    frame.solids.push_back(ball);
  }
}

void FrameExtractor::write_balls(const Simulation& simulation, RenderFrame& frame) const {
  for (const Ball& ball : simulation.balls()) {
    SolidDraw solid;
    solid.transform =
        glm::scale(glm::translate(glm::mat4(1.0f), glm::vec3(ball.position)), glm::vec3(float(ball.radius)));
    solid.color = kBallColor;
    frame.solids.push_back(solid);
  }
}

void FrameExtractor::write_heat(const Simulation& simulation, RenderFrame& frame) {
  frame.heat.clear();
  if (heat_map_ == HeatMap::none || frame.positions.empty()) return;
  frame.heat.resize(frame.positions.size());
  simulation.read_heat(heat_map_, frame.heat);
  const float most = heat_map_ == HeatMap::phase ? *std::max_element(frame.heat.begin(), frame.heat.end())
                                                 : nearly_largest(frame.heat);
  if (scaled_map_ != heat_map_) heat_high_ = 0.0f;
  scaled_map_ = heat_map_;
  heat_high_ = scale_end(most, heat_high_, heat_map_ == HeatMap::phase);
  frame.heat_scale = {info_of(heat_map_).label, info_of(heat_map_).unit, 0.0f, heat_high_};
}

void FrameExtractor::write_marks(const Simulation& simulation, RenderFrame& frame) {
  fixed_.clear();
  simulation.read_fixed(fixed_);
  frame.dots.clear();
  frame.lines_on_top.clear();
  frame.dots_on_top.clear();
  const auto held = simulation.held_vertex();
  if (fixed_.size() > kMostPinDots) fixed_.clear();
  for (std::size_t i = 0; i < fixed_.size(); ++i)
    if (fixed_[i] != held)
      frame.dots.push_back({frame.positions[std::size_t(fixed_[i])], kPinColor, kPinDiameter});
  const auto target = simulation.held_target(), point = simulation.held_body_point();
  if (!(held || point) || !target) return;
  const glm::vec3 at = held ? frame.positions[std::size_t(*held)] : glm::vec3(*point);
  frame.dots_on_top.push_back({at, kHeldColor, kHeldDiameter});
  frame.dots_on_top.push_back({glm::vec3(*target), kHeldColor, kTargetDiameter});
  frame.lines_on_top.push_back({at, glm::vec3(*target), kHeldColor, 2.0f});
}

void FrameExtractor::write_bounds(RenderFrame& frame) const {
  glm::vec3 low(1e9f), high(-1e9f);
  for (const glm::vec3& position : frame.positions) {
    low = glm::min(low, position);
    high = glm::max(high, position);
  }
  const auto include = [&](const SolidDraw& solid) {
    const glm::vec3 reach = solid_reach(solid);
    low = glm::min(low, glm::vec3(solid.transform[3]) - reach);
    high = glm::max(high, glm::vec3(solid.transform[3]) + reach);
  };
  for (const SolidDraw& solid : obstacles_) include(solid);
  for (const SolidDraw& solid : frame.solids)
    if (solid.body >= 0) include(solid);
  const bool empty = low.x > high.x;
  frame.bounds_min = empty ? glm::vec3(-1.0f) : low;
  frame.bounds_max = empty ? glm::vec3(1.0f) : high;
}

}  // namespace limber
