// Commands to a running scene: a changed setting, the hand, cuts, thrown balls.
#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "engine/core/material_field.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parts/motion/settling.hpp"
#include "engine/parts/tearing/cutting.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/scene_model.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/build/world_builder.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/simulation/hand_ball.hpp"
#include "engine/simulation/running_scene.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/material_fields.hpp"
#include "engine/state/turns.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// A number for changed settings. Clones exchange snapshots, so numbers are unique over all simulations.
std::uint64_t next_edition() {
  static std::atomic<std::uint64_t> last{0};
  return ++last;
}

bool finite(const glm::dvec3& v) { return std::isfinite(v.x) && std::isfinite(v.y) && std::isfinite(v.z); }

Expected<void> check_radius(double radius) {
  if (radius >= 0.001 && radius <= 10.0) return {};
  return Error{"a ball's radius is 0.001 to 10 m", {}, 0, {}};
}

/// True if a change of the live setting `path` leaves constraints or contacts with errors of the former
/// value, which the next frames then correct.
bool leaves_error(std::string_view path) {
  constexpr std::string_view others[] = {"solver.gravity",    "solver.damping",  "solver.damping_law",
                                         "solver.max_speed",  "solver.sleeping", "solver.sleep_time",
                                         "solver.sleep_speed"};
  const bool of_solver = path.starts_with("solver.");
  return path.starts_with("objects.") || path.starts_with("bodies.") || path.starts_with("joints.") ||
         (of_solver && std::find(std::begin(others), std::end(others), path) == std::end(others));
}

/// Index of the attachment of particle i in the sorted list, or the index at which to insert it.
template <class List>
auto place_in(List& attachments, std::int32_t i) {
  return std::lower_bound(attachments.begin(), attachments.end(), i,
                          [](const Attachment& a, std::int32_t p) { return a.particle < p; });
}

/// Whether a field differs that only a build takes over (MaterialFieldInfo::live).
bool changes_built_fields(const SceneDesc& before, const SceneDesc& after) {
  const auto built = [](std::vector<FieldSource> sources) {
    std::erase_if(sources, [](const FieldSource& source) { return info_of(source.quantity).live; });
    return sources;
  };
  for (std::size_t o = 0; o < after.objects.size(); ++o)
    if (built(before.objects[o].fields) != built(after.objects[o].fields)) return true;
  return false;
}

/// The builder only raises the number of iterations: before a new choice it must be the default.
void forget_chosen_iterations(SceneDesc& scene) {
  if (scene.solver.step->automatic_iterations) scene.solver.step->iterations = StepSettings().iterations;
}

}  // namespace

Expected<void> RunningScene::submit(const Command& command) {
  Expected<void> done = std::visit([this](const auto& c) { return act(c); }, command);
  follow();
  return done;
}

Expected<std::int32_t> RunningScene::particle(Index vertex) const {
  const std::vector<Index>& inside = world_.topology->external_to_internal;
  if (vertex < 0 || std::size_t(vertex) >= inside.size())
    return Error{"vertex " + std::to_string(vertex) + " does not exist", {}, 0, {}};
  return std::int32_t(inside[std::size_t(vertex)]);
}

/// Fails if `changed` gives a pressure to an open surface, with the message that the builder would give.
/// Needed because pressure is a live setting.
Expected<void> RunningScene::check_pressures(const SceneDesc& changed) const {
  for (std::size_t o = 0; o < world_.topology->enclosures.size(); ++o) {
    const ObjectDesc& object = changed.objects[std::size_t(world_.topology->object_source[o])];
    if (object.pressure == 0.0 || world_.topology->enclosures[o].volume > 0.0) continue;
    if (const Expected<ObjectGeometry> geometry = build_geometry(changed, object); !geometry)
      return geometry.error();
  }
  return {};
}

/// Builds the scene anew after a change of a setting that cannot change while it runs.
Expected<void> RunningScene::rebuild(SceneDesc changed) {
  forget_chosen_iterations(changed);
  Expected<BuiltWorld> built = build_world(changed);
  if (!built) return built.error();
  scene_ = std::move(changed);
  adopt_chosen_steps(*built, scene_);
  adopt(std::move(*built));
  return {};
}

/// Takes over `changed`, in which the live setting `path` has another value. Prepares everything that depends
/// on settings again, and wakes everything that rests.
Expected<void> RunningScene::change_live(SceneDesc changed, std::string_view path) {
  const StepSettings &now = *scene_.solver.step, &next = *changed.solver.step;
  if ((next.automatic && !now.automatic) || (next.automatic_iterations && !now.automatic_iterations)) {
    forget_chosen_iterations(changed);
    const Expected<BuiltWorld> built = build_world(changed);  // built to learn the chosen numbers
    if (!built) return built.error();
    adopt_chosen_steps(*built, changed);
  }
  if (const Expected<void> held = check_pressures(changed); !held) return held.error();
  if (const Expected<void> known = check_touches(changed); !known) return known.error();
  if (const Expected<void> method = check_method(*changed.solver.method); !method) return method.error();
  if (const Expected<void> skins = check_objects_of_method(changed); !skins) return skins.error();
  scene_ = std::move(changed);
  apply_settings(scene_, start_, world_);
  if (world_.user.ball) add_hand_ball(world_);
  if (world_.frame > 0 && leaves_error(path)) begin_settling(world_);
  wake_all(world_);
  pool_->measure_again();
  edition_ = next_edition();
  saved_scene_.reset();
  make_room_for_tears(false);
  return {};
}

Expected<void> RunningScene::act(const SetValue& command) {
  SceneDesc changed = scene_;
  Expected<Setting> setting = find_setting(changed, command.path);
  if (!setting) return setting.error();
  if (Expected<void> done = set(*setting->field, setting->settings, command.value); !done) {
    Error error = done.error();
    error.file = command.path;
    return error;
  }
  const bool anew = setting->field->effect == Effect::rebuild || changes_built_fields(scene_, changed);
  return anew ? rebuild(std::move(changed)) : change_live(std::move(changed), command.path);
}

Expected<void> RunningScene::act(const GrabVertex& command) {
  if (!finite(command.target)) return Error{"grab target is not finite", {}, 0, {}};
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  (void)act(ReleaseGrab{});
  world_.user.grab = Grab{*i, command.target};
  fix_particle(world_, *i);
  return {};
}

Expected<void> RunningScene::act(const GrabBody& command) {
  if (!finite(command.target) || !finite(command.point)) return Error{"grab target is not finite", {}, 0, {}};
  if (command.body < 0 || command.body >= Index(world_.bodies.count()))
    return Error{"body " + std::to_string(command.body) + " does not exist", {}, 0, {}};
  (void)act(ReleaseGrab{});
  const std::size_t i = std::size_t(command.body);
  if (world_.bodies.position[i].w == real(0)) return {};  // a fixed body does not follow the hand
  real farthest = 0;                                      // m, bound of the length of `way`
  for (const auto& shape : world_.bodies.parts->shapes)
    if (std::size_t(shape.body) == i) farthest = std::max(farthest, shape.reach);
  glm::dvec3 way = command.point - glm::dvec3(world_.bodies.position[i]);
  if (const double length = glm::length(way); length > double(farthest)) way *= double(farthest) / length;
  wake(world_, std::array{std::int32_t(command.body)});
  const vec3 r(way);
  world_.user.body_grab =
      BodyGrab{std::int32_t(command.body), r * rotation_of(world_.bodies.orientation[i]), command.target};
  return {};
}

Expected<void> RunningScene::act(const HoldBall& command) {
  if (!finite(command.position)) return Error{"the ball is nowhere", {}, 0, {}};
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  (void)act(ReleaseGrab{});
  world_.user.ball = HandBall{command.position, command.position, command.radius};
  add_hand_ball(world_);
  return {};
}

Expected<void> RunningScene::act(const ResizeBall& command) {
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  if (!world_.user.ball) return {};
  world_.user.ball->radius = command.radius;
  return {};
}

Expected<void> RunningScene::act(const MoveGrab& command) {
  if (!finite(command.target)) return Error{"grab target is not finite", {}, 0, {}};
  if (world_.user.ball) world_.user.ball->target = command.target;
  if (world_.user.grab) world_.user.grab->target = command.target;
  if (world_.user.body_grab) world_.user.body_grab->target = command.target;
  return {};
}

/// Holds the segment that begins at the vertex; at the end of a rod, the segment that ends there.
Expected<void> RunningScene::act(const TwistRod& command) {
  if (!std::isfinite(command.angle)) return Error{"the twist is not finite", {}, 0, {}};
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  const RodMatter& rods = world_.topology->rods;
  std::int32_t turn = -1;
  for (const RodSegment& segment : rods.segments)
    if (segment.points[0] == *i || (turn < 0 && segment.points[1] == *i)) turn = segment.turn;
  if (turn < 0)
    return Error{
        "vertex " + std::to_string(command.vertex) + " is of no rod, so it cannot be twisted", {}, 0, {}};
  std::optional<TurnGrab>& held = world_.user.turn_grab;
  if (!held || held->turn != turn) {
    const glm::dvec3 here(world_.particles.position[std::size_t(*i)]);
    if (!is_in_hand(world_, *i) || held)
      if (const Expected<void> taken = act(GrabVertex{command.vertex, here}); !taken) return taken;
    const std::size_t row = std::size_t(rods.first_row + turn);
    held = TurnGrab{turn, orientation_of(world_.particles, row), 0.0, 0.0};
    put_turn(world_.particles, row, held->rest, real(0));
    world_.particles.velocity[row] = vec4(0);
  }
  held->target = command.angle;
  return {};
}

Expected<void> RunningScene::act(const ReleaseGrab& command) {
  world_.user.body_grab.reset();
  if (const std::optional<TurnGrab> held = std::exchange(world_.user.turn_grab, std::nullopt)) {
    const std::size_t row = std::size_t(world_.topology->rods.first_row + held->turn);
    put_turn(world_.particles, row, orientation_of(world_.particles, row),
             world_.particles.inverse_mass[row]);
    world_.particles.velocity[row] = vec4(0);
  }
  if (world_.user.ball) remove_hand_ball(world_);
  if (!world_.user.grab) return {};
  const std::int32_t i = world_.user.grab->particle;
  world_.user.grab.reset();
  // a pin stays where it was dropped, a carried vertex goes back to its carrier
  if (command.pin || is_pin(i)) set_attached(i, true);
  free_particle(world_, i);
  return {};
}

Expected<void> RunningScene::act(const SetPinned& command) {
  const Expected<std::int32_t> i = particle(command.vertex);
  if (!i) return i.error();
  set_attached(*i, command.pinned);
  return {};
}

Expected<void> RunningScene::act(const Cut& command) {
  for (const auto* corners : {&command.near, &command.far})
    for (const glm::dvec3& corner : *corners)
      if (!finite(corner)) return Error{"the cut is not finite", {}, 0, {}};
  const Topology& topology = *world_.topology;
  if (topology.triangles.empty() && topology.rods.empty() && topology.matter.soft.empty()) return {};
  if (!topology.triangles.empty() || !topology.rods.empty()) make_room_for_tears(true);
  std::vector<char> carriers;
  for (const ObjectModel& object : model_->objects) carriers.push_back(!object.carried.empty());
  const CutResult result = cut(world_, command.near, command.far, command.begins, carriers);
  if (result.made == 0 && result.full)
    return Error{"this has been torn into as many pieces as there is room for", {}, 0, "restart it"};
  if (result.made == 0 && !result.refusal.empty()) return Error{std::string(result.refusal), {}, 0, {}};
  return {};
}

Expected<void> RunningScene::act(const ThrowBall& command) {
  constexpr double farthest = 1e6;  // m
  if (!finite(command.position) || !finite(command.velocity) || glm::length(command.position) > farthest)
    return Error{"the ball is thrown from nowhere", {}, 0, {}};
  if (const Expected<void> sound = check_radius(command.radius); !sound) return sound;
  if (!(command.density >= 1.0 && command.density <= 20000.0))
    return Error{"a ball's density is 1 to 20000 kg/m^3", {}, 0, {}};
  BodyDesc ball = thrown_ball(command.radius, command.density);
  const double speed = glm::length(command.velocity), most = scene_.solver.motion->max_speed;
  ball.velocity = speed > most ? command.velocity * (most / speed) : command.velocity;
  const Expected<BodyGeometry> geometry = build_body(scene_, ball);
  if (!geometry) return geometry.error();
  add_body(world_, make_body(ball, *geometry, {command.position, glm::dmat3(1.0)}), body_material(ball));
  return {};
}

Expected<void> RunningScene::act(const Warm& command) {
  if (!finite(command.place)) return Error{"the place to warm is not finite", {}, 0, {}};
  if (!(command.radius >= 0.001 && command.radius <= 10.0))
    return Error{"a brush of heat has a radius of 0.001 to 10 m", {}, 0, {}};
  if (!(std::abs(command.degrees) <= 5000.0))
    return Error{"a brush of heat warms or cools by 5000 K at most", {}, 0, {}};
  if (world_.heat->empty())
    return Error{"nothing in this scene has a temperature", {}, 0, "set heat.enabled"};
  brush_heat(world_, command.place, command.radius, command.degrees);
  return {};
}

Expected<void> RunningScene::act(const PaintField& command) {
  if (!finite(command.place)) return Error{"the place to paint is not finite", {}, 0, {}};
  if (!(command.radius >= 0.001 && command.radius <= 10.0))
    return Error{"a brush has a radius of 0.001 to 10 m", {}, 0, {}};
  if (!(command.factor >= 0.01 && command.factor <= 100.0))
    return Error{"a brush multiplies a field by 0.01 to 100", {}, 0, {}};
  const MaterialFieldInfo& field = info_of(command.field);
  if (!field.live)
    return Error{"the " + std::string(field.name) + " cannot be painted while the scene runs",
                 {},
                 0,
                 "give the object a field of it in the scene file"};
  const std::vector<std::int32_t> painted =
      paint_field(world_, command.field, command.place, command.radius, command.factor);
  if (painted.empty()) return {};
  const std::uint32_t bit = 1u << std::uint32_t(command.field);
  if (std::any_of(painted.begin(), painted.end(),
                  [&](std::int32_t o) { return !(model_->objects[std::size_t(o)].fields & bit); })) {
    auto next = std::make_shared<SceneModel>(*model_);
    for (const std::int32_t o : painted) next->objects[std::size_t(o)].fields |= bit;
    if (model_now_ == model_) model_now_ = next;
    model_ = std::move(next);
  }
  refresh_softness(world_);
  wake_all(world_);
  return {};
}

/// True if particle i is attached to a fixed place in the world, without a carrier and without a motion of
/// its own.
bool RunningScene::is_pin(std::int32_t i) const {
  if (!is_attached(world_, i)) return false;
  const Attachment& at = *place_in(world_.user.attachments, i);
  return at.collider < 0 && at.body < 0 && at.amplitude == glm::dvec3(0.0);
}

/// Attaches particle i at its present place (and detaches it from a carrier), or frees it. A particle that
/// has no mass in its file cannot be freed.
void RunningScene::set_attached(std::int32_t i, bool attached) {
  auto& list = world_.user.attachments;
  const auto at = place_in(list, i);
  const bool present = is_attached(world_, i);
  const Attachment here{i, glm::dvec3(world_.particles.position[std::size_t(i)]), glm::dvec3(0.0), 1.0};
  if (attached && present) *at = here;
  if (attached && !present) list.insert(at, here);
  if (attached) fix_particle(world_, i);
  if (!attached && present && world_.particles.inverse_mass[std::size_t(i)] > real(0)) list.erase(at);
  if (!attached) free_particle(world_, i);
}

}}  // namespace limber::LIMBER_PRECISION
