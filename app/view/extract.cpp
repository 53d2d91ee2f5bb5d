#include "app/view/extract.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/matrix.hpp>
#include <glm/trigonometric.hpp>
#include <limits>
#include <span>
#include <utility>

#include "app/view/heat_numbers.hpp"
#include "app/view/obstacles.hpp"
#include "app/view/surfaces.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/geometry/mesh/thicken.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/file/view_desc.hpp"
#include "engine/verify/heat_map.hpp"

namespace limber {
namespace {

const glm::vec3 pin_color{0.95f, 0.62f, 0.10f};
const glm::vec3 held_color{0.20f, 0.72f, 1.0f};
const glm::vec3 glass_edge_color{0.45f, 0.55f, 0.60f};
const glm::vec3 dimmed_body_color{0.05f, 0.055f, 0.065f};        // of bodies that are drawn with the marks of
                                                                 // their contacts
constexpr float pin_diameter = 7.0f, pin_alpha = 0.85f;          // px
constexpr float row_pin_diameter = 4.0f, row_pin_alpha = 0.45f;  // px, for more than few_pins pins, so that
                                                                 // an edge stays visible
constexpr std::size_t few_pins = 8;
constexpr float held_diameter = 13.0f, target_diameter = 8.0f;  // px
constexpr std::size_t most_pin_dots = 120;  // more would hide the pinned vertices, as the roots of grass

/// Writes the values of carried vertices behind those of the simulation's vertices.
template <class T>
void write_carried(const std::vector<CarriedVertex>& carried, std::vector<T>& by_vertex) {
  const std::size_t first = by_vertex.size() - carried.size();
  for (std::size_t k = 0; k < carried.size(); ++k) by_vertex[first + k] = carried[k].of(by_vertex);
}

/// Computes smooth normals. The cross product of two edges is the face normal times twice the area, so the
/// plain sum over the faces of a vertex weights them by area.
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

/// The 99th percentile of the numbers, from a uniform sample of about a thousand, so that a few vertices
/// beside a pin do not turn all others into one colour; the maximum of up to a hundred numbers. Ignores
/// numbers at the indices `absent` (ascending); 0 if no others remain.
float nearly_largest(const std::vector<float>& numbers, std::span<const Index> absent = {}) {
  std::array<float, 1024> sample;
  const std::size_t present = numbers.size() - absent.size();
  const std::size_t stride = std::max<std::size_t>((present + sample.size() - 1) / sample.size(), 1);
  std::size_t count = 0, seen = 0;
  auto next = absent.begin();
  for (std::size_t i = 0; i < numbers.size(); ++i) {
    if (next != absent.end() && std::size_t(*next) == i)
      ++next;
    else if (seen++ % stride == 0)
      sample[count++] = numbers[i];
  }
  if (count == 0) return 0.0f;
  const auto at = sample.begin() + std::ptrdiff_t(count - 1 - (count - 1) / 100);
  std::nth_element(sample.begin(), at, sample.begin() + std::ptrdiff_t(count));
  return *at;
}

/// True if an obstacle, a fixed body or a rope belongs into a picture of the subject: near it and not much
/// larger.
bool stands_near(glm::vec3 low, glm::vec3 high, glm::vec3 at, glm::vec3 reach) {
  const float size = 0.5f * glm::distance(low, high);
  const glm::vec3 gap = glm::max(glm::max(low - (at + reach), (at - reach) - high), glm::vec3(0.0f));
  return glm::length(reach) <= 3.0f * size && glm::length(gap) <= 0.5f * size;
}

/// Side of checker cells, m: 0.5 m for scenes of human size, larger or smaller by powers of four for others.
/// Depends on the region that the scene's camera shows, so that cells do not change when things move away;
/// without a camera, on the focus when the scene was first shown.
float cell_for(double radius) {
  const double octave = std::round(std::log2(std::max(radius, 1e-4) / 1.6) * 0.5) * 2.0;
  return 0.5f * float(std::exp2(std::clamp(octave, -12.0, 8.0)));
}

double shown_radius(const CameraDesc& camera) {
  return glm::distance(camera.position, camera.target) * std::sin(0.5 * glm::radians(camera.fov_degrees));
}

/// Names the things in the scene for which a heat map has no values.
std::string_view heat_note(const HeatMapInfo& info, const SceneModel& model) {
  if (info.of_tets && !has_numbers(info, model)) return "Only solids of tetrahedra have values.";
  if (info.of_heat && model.warm_bodies) return "Bodies without a temperature show that of the air.";
  if (!has_body_numbers(info, model) && !model.bodies.empty())
    return model.vertex_count > 0 ? "Rigid bodies have none."
                                  : "Rigid bodies have no values: try speed or force.";
  if (info.of_fluids && !has_numbers(info, model)) return "Only fluids have one.";
  if (info.field >= 0 && !has_numbers(info, model)) return "No object has this field.";
  if (info.of_rods && !has_numbers(info, model)) return "Only rods have one.";
  if (!info.of_vertices && info.field < 0 && !info.of_tets && !info.of_fluids && !info.of_rods &&
      model.vertex_count > 0)
    return model.bodies.empty() ? "Only rigid bodies have one." : "Cloth and particles have no values.";
  if (!has_numbers(info, model)) return "Particles without springs have no values.";
  return {};
}

/// Adds the edges of the cube [-1, 1]^3 under `transform`, without which a pane of glass is hard to see in a
/// single drawing.
void add_edges(const glm::mat4& transform, std::vector<LineDraw>& lines) {
  const auto corner = [&](int i) {
    return glm::vec3(transform *
                     glm::vec4(i & 1 ? 1.0f : -1.0f, i & 2 ? 1.0f : -1.0f, i & 4 ? 1.0f : -1.0f, 1.0f));
  };
  for (int i = 0; i < 8; ++i)
    for (const int axis : {1, 2, 4})
      if (!(i & axis)) lines.push_back({corner(i), corner(i | axis), glass_edge_color, 1.25f});
}

bool is_fixed(const BodyModel& body, const SceneDesc& scene) {
  const auto& all = scene.bodies;
  const auto desc =
      std::find_if(all.begin(), all.end(), [&](const BodyDesc& one) { return one.name == body.name; });
  return desc != all.end() && desc->fixed;
}

std::size_t simulation_bodies(const SceneModel& model) {
  return model.bodies.empty() ? 0 : std::size_t(model.bodies.back().first + model.bodies.back().count);
}

/// Draws springs between the surfaces of their end spheres only.
void write_springs(const SceneModel& model, RenderFrame& frame) {
  frame.lines.clear();
  for (const ObjectModel& object : model.objects) {
    if (!object.triangles.empty()) continue;
    const float radius = drawn_radius(object);
    for (const auto& [a, b] : object.springs) {
      const std::size_t i = std::size_t(a), j = std::size_t(b);
      const glm::vec3 way = frame.positions[j] - frame.positions[i];
      const float length = glm::length(way);
      if (!(length > 2.0f * radius)) continue;
      const glm::vec3 inside = way * (radius / length);
      const glm::vec3 color =
          frame.heat.empty() ? object.back_color : heat_light(frame, 0.5f * (frame.heat[i] + frame.heat[j]));
      frame.lines.push_back({frame.positions[i] + inside, frame.positions[j] - inside, color,
                             frame.heat.empty() ? 2.5f : 4.0f});
    }
  }
}

}  // namespace

void FrameExtractor::extract(const Simulation& simulation, RenderFrame& frame) {
  const bool other = simulation.model() != model_;
  if (other) adopt(simulation.model(), simulation.scene());
  frame.model_version = model_->version;
  frame.frame = simulation.frame();
  frame.time = simulation.time();
  frame.surfaces = surfaces_;
  frame.ground = ground_;
  frame.falls = simulation.scene().solver.motion->gravity.y < 0.0;
  frame.loose = loose_;
  const std::size_t vertices = std::size_t(model_->vertex_count);
  frame.positions.resize(vertices + surfaces_->carried.size());
  simulation.read(reading::Positions{std::span(frame.positions).first(vertices)});
  simulation.read(reading::Absent{frame.absent});
  write_carried(surfaces_->carried, frame.positions);
  skins_.write(simulation, surfaces_->carried.size(), frame.positions);
  tubes_.write(simulation, frame.positions);
  write_normals(surfaces_->indices, frame);
  write_heat(simulation, frame);
  for (const Mover& mover : movers_)
    obstacles_[mover.obstacle].transform = placement_of(mover.motion.at(frame.time)) * mover.local;
  change_shapes(frame.time);
  write_springs(*model_, frame);
  write_obstacles(frame);
  frame.points.clear();
  add_points(particles_, frame);
  write_solids(simulation, frame);
  fluids_.write(simulation, overlay_ == Overlay::none, frame);
  write_bodies(simulation, frame);
  write_joints(simulation, frame);
  write_marks(simulation, frame);
  write_hand_ball(simulation, frame);
  write_bounds(frame);
  if (other) first_radius_ = 0.5 * double(glm::distance(frame.focus_min, frame.focus_max));
  const SceneDesc& scene = simulation.scene();
  frame.shown_radius = float(scene.camera_given ? shown_radius(scene.camera) : first_radius_);
  frame.stage = Stage(scene.view->stage);
  frame.ground_cell = cell_for(double(frame.shown_radius));
  marks_.add(overlay_, simulation, frame);
}

void FrameExtractor::adopt(std::shared_ptr<const SceneModel> model, const SceneDesc& scene) {
  model_ = std::move(model);
  tubes_.note_hairs(scene);
  surfaces_ = make_surfaces(*model_, tubes_, skins_);
  obstacles_.clear();
  movers_.clear();
  shapeshifters_.clear();
  const auto& colliders = model_->colliders;
  ground_ = scene.ground && std::any_of(colliders.begin(), colliders.end(), is_the_ground);
  for (std::size_t c = 0; c < colliders.size(); ++c) add_obstacle(c, scene.ground);
  particles_.clear();
  fluids_.clear();
  matched_solids_.clear();
  inside_solids_.clear();
  loose_.clear();
  for (const ObjectModel& object : model_->objects) {
    if (!object.triangles.empty() || object.rod.segments > 0) continue;
    if (object.fluid || (object.radius > 0.0f && !object.shape && !object.skin && object.springs.empty()))
      loose_.push_back({std::int32_t(object.first_vertex), std::int32_t(object.vertex_count)});
    if (object.fluid)
      fluids_.add(object);
    else if (object.shape)
      add_solid_of(object);
    else if (!object.skin)
      particles_.push_back(particles_of(object));
  }
  body_solids_.clear();
  scene_bodies_ = 0;
  for (const BodyModel& body : model_->bodies) {
    add_bodies_of(body, is_fixed(body, scene));
    if (!body.added) scene_bodies_ = body.first + body.count;
  }
  body_poses_.resize(simulation_bodies(*model_));
}

void FrameExtractor::add_obstacle(std::size_t c, bool ground_drawn) {
  const ColliderDesc& collider = model_->colliders[c];
  auto solid = obstacle_solid(collider, ground_drawn);
  if (!solid) return;
  if (const auto& mesh = model_->collider_meshes[c])
    solid->geometry = solid_geometry(collider.shell > 0.0 ? thickened(*mesh, collider.shell) : *mesh);
  if (const auto& poses = model_->collider_poses[c]) {
    shapeshifters_.push_back({obstacles_.size(), poses, collider.shell});
    solid->deforms = true;
  }
  if (RigidMotion motion = motion_of(model_->colliders, c); motion.moves()) {
    const glm::mat4 local = glm::inverse(placement_of(motion.rest)) * solid->transform;
    movers_.push_back({obstacles_.size(), std::move(motion), local});
  }
  obstacles_.push_back(std::move(*solid));
}

void FrameExtractor::change_shapes(double time) {
  for (Shapeshifter& shape : shapeshifters_) {
    if (shape.drawn_at == time) continue;
    shape.drawn_at = time;
    TriMesh mesh;
    mesh.triangles = shape.poses->triangles;
    shape.poses->at(time, mesh.positions);
    obstacles_[shape.obstacle].geometry =
        solid_geometry(shape.shell > 0.0 ? thickened(mesh, shape.shell) : mesh);
  }
}

void FrameExtractor::write_obstacles(RenderFrame& frame) const {
  frame.solids.clear();
  frame.panes.clear();
  frame.edges_first = frame.lines.size();
  for (const PrimitiveDraw& solid : obstacles_) {
    (solid.glass ? frame.panes : frame.solids).push_back(solid);
    if (solid.glass && solid.shape == PrimitiveDraw::Shape::box) add_edges(solid.transform, frame.lines);
  }
}

void FrameExtractor::add_bodies_of(const BodyModel& body, bool fixed) {
  std::vector<PrimitiveDraw> parts;
  for (std::size_t p = 0; p < body.parts.size(); ++p) {
    parts.push_back(part_solid(body.parts[p]));
    if (body.meshes[p]) parts.back().geometry = solid_geometry(*body.meshes[p]);
  }
  for (Index i = body.first; i < body.first + body.count; ++i)
    for (const PrimitiveDraw& part : parts) {
      body_solids_.push_back(part);
      body_solids_.back().body = std::int32_t(i);
      body_solids_.back().fixed = fixed;
      body_solids_.back().added = body_solids_.back().octants = body.added;
      body_solids_.back().color = body.colors[std::size_t(i - body.first)];
      body_solids_.back().look = body.look;
    }
}

void FrameExtractor::write_bodies(const Simulation& simulation, RenderFrame& frame) {
  if (body_solids_.empty()) return;
  simulation.read(reading::Bodies{body_poses_});
  for (const PrimitiveDraw& part : body_solids_) {
    const BodyPose& pose = body_poses_[std::size_t(part.body)];
    glm::mat4 place(pose.rotation);
    place[3] = glm::vec4(pose.position, 1.0f);
    frame.solids.push_back(part);
    PrimitiveDraw& solid = frame.solids.back();
    solid.transform = place * part.transform;
    if (!frame.body_heat.empty())
      solid.color = heat_light(frame, frame.body_heat[std::size_t(part.body)]), solid.octants = false;
    else if (overlay_ == Overlay::contacts)
      solid.color = glm::mix(dimmed_body_color, part.color, 0.12f);
    if (!frame.body_heat.empty() || overlay_ == Overlay::contacts) solid.look = Look::plain;
  }
}

/// Draws distance joints between two separate points as ropes, rods and springs, and the cords of ball
/// joints.
void FrameExtractor::write_joints(const Simulation& simulation, RenderFrame& frame) {
  if (model_->joints.empty()) return;
  simulation.read(reading::Joints{joints_});
  for (const JointMark& joint : joints_) {
    const JointDesc& desc = model_->joints[std::size_t(joint.source)];
    if (joint.broken) continue;
    const auto draw = [&](const glm::vec3& from, const glm::vec3& to, double thickness) {
      if (thickness == 0.0 || from == to) return;
      frame.solids.push_back(rod_solid(from, to, 0.5f * float(thickness)));
      frame.solids.back().color = desc.color;
    };
    if (joint.type == JointType::distance) draw(joint.a, joint.b, desc.thickness);
    if (joint.type != JointType::ball) continue;
    draw(joint.center_a, joint.a, desc.cord);
    draw(joint.b, joint.center_b, desc.cord);
  }
}

/// Adds the mesh of a solid. Copies share the geometry of the first.
void FrameExtractor::add_solid_of(const ObjectModel& object) {
  PrimitiveDraw solid;
  solid.shape = PrimitiveDraw::Shape::mesh;
  solid.color = object.color;
  solid.first_vertex = std::int32_t(object.first_vertex);
  solid.vertex_count = std::int32_t(object.vertex_count);
  const bool copy = !matched_solids_.empty() && shape_drawn_ == object.shape;
  solid.geometry = copy ? matched_solids_.back().geometry : solid_geometry(*object.shape);
  shape_drawn_ = object.shape;
  matched_solids_.push_back(std::move(solid));
  inside_solids_.push_back(particles_of(object));
}

/// Draws solids as their meshes, or as their particles.
void FrameExtractor::write_solids(const Simulation& simulation, RenderFrame& frame) {
  if (inside_solids_.empty()) return;
  if (overlay_ == Overlay::particles || !frame.heat.empty()) return add_points(inside_solids_, frame);
  simulation.read(reading::Solids{solid_poses_});
  for (std::size_t s = 0; s < matched_solids_.size(); ++s) {
    glm::mat4 place(solid_poses_[s].rotation);
    place[3] = glm::vec4(solid_poses_[s].position, 1.0f);
    frame.solids.push_back(matched_solids_[s]);
    frame.solids.back().transform = place;
  }
}

void FrameExtractor::write_heat(const Simulation& simulation, RenderFrame& frame) {
  const HeatMapInfo& info = info_of(heat_map_);
  frame.heat.clear();
  frame.body_heat.clear();
  frame.field = info.field;
  frame.heat_note = heat_map_ == HeatMap::none ? std::string_view() : heat_note(info, *model_);
  float most = 0.0f;
  if (has_vertex_numbers(info, *model_)) {
    frame.heat.resize(frame.positions.size());
    simulation.read(reading::Heat{heat_map_, std::span(frame.heat).first(frame.vertex_count())});
    write_carried(surfaces_->carried, frame.heat);
    most = heat_map_ == HeatMap::phase ? *std::max_element(frame.heat.begin(), frame.heat.end())
                                       : nearly_largest(frame.heat, frame.absent);
  }
  if (has_body_numbers(info, *model_) && !body_poses_.empty()) {
    frame.body_heat.resize(body_poses_.size());
    simulation.read(reading::BodyHeat{heat_map_, frame.body_heat});
    most = std::max(most, nearly_largest(frame.body_heat));
  }
  heat_most_ = most;
  most = std::max(most, heat_beside_);
  if (scaled_map_ != heat_map_) held_.start();
  scaled_map_ = heat_map_;
  const bool whole = heat_map_ == HeatMap::phase;
  frame.heat_speed = info.of_heat ? float(simulation.scene().heat->speed) : 1.0f;
  const std::string_view range = heat_look_.high ? "locked"
                                 : whole         ? "ends at the largest"
                                                 : "ends above the largest of 5 s";
  frame.heat_scale = {.label = info.label,
                      .unit = info.unit,
                      .low = 0.0f,
                      .high = held_.follow(most, frame.time, whole),
                      .whole = whole,
                      .colors = heat_look_.colors,
                      .isolines = heat_look_.isolines && !whole,
                      .range = range};
}

void FrameExtractor::write_marks(const Simulation& simulation, RenderFrame& frame) {
  fixed_.clear();
  simulation.read(reading::Fixed{fixed_});
  frame.dots.clear();
  frame.lines_on_top.clear();
  frame.dots_on_top.clear();
  const auto held = simulation.held().vertex;
  if (fixed_.size() > most_pin_dots) fixed_.clear();
  const bool few = fixed_.size() <= few_pins;
  for (const Index pin : fixed_)
    if (pin != held)
      frame.dots.push_back({frame.positions[std::size_t(pin)], pin_color,
                            few ? pin_diameter : row_pin_diameter, few ? pin_alpha : row_pin_alpha});
  const auto target = simulation.held().target, point = simulation.held().body_point;
  if (!(held || point) || !target) return;
  const glm::vec3 at = held ? frame.positions[std::size_t(*held)] : glm::vec3(*point);
  frame.dots_on_top.push_back({at, held_color, held_diameter});
  frame.dots_on_top.push_back({glm::vec3(*target), held_color, target_diameter});
  frame.lines_on_top.push_back({at, glm::vec3(*target), held_color, 2.0f});
}

/// Draws the held ball as glass, so that pushed objects stay visible.
void FrameExtractor::write_hand_ball(const Simulation& simulation, RenderFrame& frame) const {
  const auto ball = simulation.held().ball;
  if (!ball) return;
  PrimitiveDraw& solid = frame.panes.emplace_back();
  solid.transform = glm::mat4(float(ball->radius));
  solid.transform[3] = glm::vec4(glm::vec3(ball->position), 1.0f);
  solid.color = held_color;
  solid.glass = true;
  frame.dots_on_top.push_back({glm::vec3(ball->position), held_color, target_diameter});
}

/// Bounding box of the bodies without outliers: those farther from the median centre than four times the
/// distance within which seven of ten lie.
FrameExtractor::Box FrameExtractor::crowd(const RenderFrame& frame) {
  const std::size_t count = std::size_t(scene_bodies_);
  const auto nth = [&](double share) {
    const auto at = distances_.begin() + std::ptrdiff_t(share * double(count - 1));
    std::nth_element(distances_.begin(), at, distances_.end());
    return *at;
  };
  distances_.resize(count);
  glm::vec3 middle;
  for (int axis = 0; axis < 3; ++axis) {
    for (std::size_t i = 0; i < count; ++i) distances_[i] = body_poses_[i].position[axis];
    middle[axis] = nth(0.5);
  }
  for (std::size_t i = 0; i < count; ++i) distances_[i] = glm::distance(body_poses_[i].position, middle);
  const float far = count > 3 ? 4.0f * nth(0.7) : std::numeric_limits<float>::max();
  Box box;
  for (const PrimitiveDraw& solid : frame.solids)
    if (solid.moves() && glm::distance(body_poses_[std::size_t(solid.body)].position, middle) <= far)
      box.add(glm::vec3(solid.transform[3]), solid_reach(solid));
  return box;
}

void FrameExtractor::write_bounds(RenderFrame& frame) {
  Box moving;
  auto absent = frame.absent.begin();
  for (std::size_t v = 0; v < frame.positions.size(); ++v)
    if (absent != frame.absent.end() && std::size_t(*absent) == v)
      ++absent;
    else
      moving.add(frame.positions[v], glm::vec3(0.0f));
  const std::size_t drawn = std::min(frame.points.size(), frame.points.between_first);
  for (std::size_t i = 0; i < drawn; ++i)
    if (const glm::vec4& ball = frame.points.spheres[i]; ball.w > 0.0f && !frame.points.is_spray(i))
      moving.add(glm::vec3(ball), glm::vec3(ball.w));
  for (const PrimitiveDraw& solid : frame.solids)
    if (solid.moves() || solid.deforms) moving.add(glm::vec3(solid.transform[3]), solid_reach(solid));
  Box all = moving, focus = moving;
  if (frame.positions.empty() && scene_bodies_ > 0) focus = moving = crowd(frame);
  frame.subject_min = moving.low, frame.subject_max = moving.high;
  const auto add_around = [&](const PrimitiveDraw& solid) {
    const glm::vec3 at(solid.transform[3]), reach = solid_reach(solid);
    if (!solid.glass) all.add(at, reach);
    if (moving.empty() || stands_near(moving.low, moving.high, at, reach)) focus.add(at, reach);
  };
  for (const PrimitiveDraw& pane : frame.panes)
    if (pane.look == Look::glass) add_around(pane);  // not the ball in the hand
  for (const PrimitiveDraw& solid : frame.solids)    // colliders, fixed bodies, ropes between bodies
    if (!solid.moves() && !solid.added && solid.first_vertex < 0) add_around(solid);
  frame.bounds_min = all.empty() ? glm::vec3(-1.0f) : all.low;
  frame.bounds_max = all.empty() ? glm::vec3(1.0f) : all.high;
  frame.focus_min = focus.empty() ? glm::vec3(-1.0f) : focus.low;
  frame.focus_max = focus.empty() ? glm::vec3(1.0f) : focus.high;
}

}  // namespace limber
