#include "engine/scene/build/world_builder.hpp"

#include <algorithm>
#include <atomic>
#include <glm/geometric.hpp>
#include <glm/trigonometric.hpp>
#include <memory>
#include <numeric>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "engine/coloring/patches.hpp"
#include "engine/coloring/schedule_builder.hpp"
#include "engine/constraints/constraint_types.hpp"
#include "engine/core/material_field.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/choose_substeps.hpp"
#include "engine/scene/build/constraint_builder.hpp"
#include "engine/scene/build/joint_builder.hpp"
#include "engine/scene/build/matter_builder.hpp"
#include "engine/scene/build/model_builder.hpp"
#include "engine/scene/build/rod_builder.hpp"
#include "engine/scene/build/settings_builder.hpp"
#include "engine/scene/build/tie_builder.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"
#include "engine/scene/joints/tie_reader.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/scene/objects/rod.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Collects all objects, copy after copy, into one World and one SceneModel.
class Assembly {
 public:
  explicit Assembly(const SceneDesc& scene) : scene_(scene), model_(std::make_shared<SceneModel>()) {}

  Expected<void> add_collider_meshes();
  void tell(std::string fact) { model_->facts.push_back(std::move(fact)); }
  void add_copies(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source);
  void add_bodies(const BodyDesc& desc, const BodyGeometry& geometry) {
    limber::add_bodies(scene_, desc, geometry, drawn_, world_, body_parts_, *model_);
  }
  void add_joints() { limber::add_joints(scene_, world_, topology_, *model_); }
  BuiltWorld finish();

 private:
  Placement scattered(const ObjectDesc& object, const glm::dvec3& offset);
  void add_copy(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source,
                const Placement& start);
  void add_particles(const ObjectDesc& object, const ObjectGeometry& geometry, const Placement& start,
                     const std::vector<Index>& new_to_old);
  Attachment make_attachment(const AttachmentDesc& desc, std::int32_t particle, const glm::dvec3& x) const;
  void add_attachments(const ObjectGeometry& geometry, Index first);
  glm::dvec3 built_place(std::size_t i) const;
  void attach_to_bodies();
  void list_attachments();
  void carry_holds();

  const SceneDesc& scene_;
  World world_;
  Topology topology_;
  BodyParts body_parts_;
  RawConstraintSet raw_;
  /// A vertex of copy `object_copy` of an object, and the body to which it is attached.
  struct OnBody {
    std::int32_t particle;
    std::size_t object_copy;
    BodyCarrier carrier;
    bool two_way;
    double compliance;  ///< m/N
  };
  std::vector<OnBody> on_bodies_;  ///< resolved after all bodies are built
  std::vector<Attachment> fixed_;  ///< pins and vertices of mass zero: they stay in place unless an
                                   ///< attachment names them
  RodBuilder rods_;
  std::vector<vec3> rest_;                        ///< per particle, the rest position in the mesh
  std::vector<vec3> colors_;                      ///< per particle, the vertex colour of the mesh, or black
  std::uint64_t drawn_ = std::uint64_t(1) << 40;  ///< random numbers taken for bodies and copies; vertices
                                                  ///< take theirs from 0 on
  std::shared_ptr<SceneModel> model_;
};

Expected<void> Assembly::add_collider_meshes() {
  for (const ColliderDesc& collider : scene_.colliders) {
    Expected<ColliderMesh> mesh = load_collider_mesh(scene_, collider);
    if (!mesh) return mesh.error();
    if (mesh->turned > 0)
      model_->notes.push_back(collider.name + ": " + std::to_string(mesh->turned) + " of its " +
                              std::to_string(mesh->surface->triangles.size()) +
                              " triangles faced against their neighbours and were turned");
    model_->collider_meshes.push_back(mesh->surface);
    model_->collider_poses.push_back(mesh->poses);
    topology_.collider_meshes.push_back(std::move(*mesh));
  }
  return {};
}

void Assembly::add_copies(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source) {
  const bool one_object = traits_of(object).copies_are_particles;
  const glm::ivec3 copies(one_object ? glm::dvec3(1.0) : glm::max(object.copies, glm::dvec3(1.0)));
  if (!geometry.facts.empty()) model_->facts.push_back(object.name + ": " + geometry.facts);
  for (const std::string& note : geometry.notes) model_->notes.push_back(object.name + ": " + note);
  for (int z = 0; z < copies.z; ++z)
    for (int y = 0; y < copies.y; ++y)
      for (int x = 0; x < copies.x; ++x)  // centred in x and z, stacked upwards in y
        add_copy(object, geometry, source,
                 scattered(object, object.spacing * (glm::dvec3(x, y, z) -
                                                     0.5 * glm::dvec3(copies.x - 1, 0, copies.z - 1))));
}

/// Start of a copy. If its type has Scatter::copies, the copy is displaced and rotated at random.
Placement Assembly::scattered(const ObjectDesc& object, const glm::dvec3& offset) {
  Placement start{object.pose.position + offset, rotation_matrix(object.pose)};
  if (traits_of(object).scatter != Scatter::copies) return start;
  const auto draw = [&] { return random_signed(scene_.seed, drawn_++); };
  const auto draw3 = [&] {
    const double x = draw(), y = draw(), z = draw();
    return glm::dvec3(x, y, z);
  };
  start.position += object.jitter * draw3();
  const glm::dvec3 axis = draw3();
  const double length = glm::length(axis), turn = object.tumble / 360.0 * draw();
  if (length > 0.0) start.rotation = turn_about(axis / length, turn) * start.rotation;
  return start;
}

void Assembly::add_copy(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source,
                        const Placement& start) {
  const Index count = Index(geometry.positions.size()), first = world_.particles.count;
  const std::vector<Index> new_to_old = bisection_order(geometry.positions, patch_vertices(count));
  std::vector<Index> old_to_new(new_to_old.size());
  for (Index i = 0; i < count; ++i) old_to_new[std::size_t(new_to_old[std::size_t(i)])] = i;

  for (Index i = 0; i < count; ++i) {
    topology_.external_to_internal.push_back(first + old_to_new[std::size_t(i)]);
    topology_.internal_to_external.push_back(first + new_to_old[std::size_t(i)]);
  }
  add_particles(object, geometry, start, new_to_old);
  add_fluid(object, start, {first, count}, scene_.solver.contact->particle_radius, scene_.seed, world_,
            topology_.fluid);
  if (traits_of(object).touching)
    add_matter(geometry, first, new_to_old, start.rotation, world_, topology_.matter);
  else if (!geometry.clusters.empty())
    add_clusters(geometry, first, new_to_old, start.rotation, world_, topology_.matter.soft);
  for (Index& particle : old_to_new) particle += first;
  add_constraints(object, geometry, old_to_new, raw_, topology_);
  if (!geometry.rod.segments.empty())
    rods_.add(object, geometry.rod, start.rotation, old_to_new, raw_, topology_);
  topology_.objects.push_back({first, count});
  topology_.object_source.push_back(source);
  topology_.enclosures.push_back(geometry.enclosure);
  add_attachments(geometry, first);
  add_object_model(scene_, object, geometry, first, topology_, *model_);
}

/// Centre of mass of a placed copy; its origin if it has no mass.
glm::dvec3 center_of(const ObjectGeometry& geometry, const std::vector<glm::dvec3>& places,
                     const Placement& start) {
  glm::dvec3 sum(0.0);
  double mass = 0.0;
  for (std::size_t v = 0; v < places.size(); ++v) {
    sum += geometry.masses[v] * places[v];
    mass += geometry.masses[v];
  }
  return start.position + (mass > 0.0 ? start.rotation * (sum / mass) : glm::dvec3(0.0));
}

void Assembly::add_particles(const ObjectDesc& object, const ObjectGeometry& geometry, const Placement& start,
                             const std::vector<Index>& new_to_old) {
  Particles& particles = world_.particles;
  const double scatter = traits_of(object).scatter == Scatter::vertices ? object.jitter : 0.0;
  const std::int32_t first = particles.count;
  const auto& places = geometry.starts.empty() ? geometry.positions : geometry.starts;
  const glm::dvec3 spin = glm::radians(object.angular_velocity), center = center_of(geometry, places, start);
  for (Index vertex : new_to_old) {
    const std::uint64_t counter = 3 * std::uint64_t(first + vertex);
    const glm::dvec3 jitter(random_signed(scene_.seed, counter), random_signed(scene_.seed, counter + 1),
                            random_signed(scene_.seed, counter + 2));
    const glm::dvec3 x = start.rotation * places[std::size_t(vertex)] + start.position + scatter * jitter;
    const double mass = geometry.masses[std::size_t(vertex)];
    const real w = mass > 0.0 ? real(1.0 / mass) : real(0);
    particles.position.push_back(vec4(vec3(x), w));
    particles.moved.push_back(vec4(vec3(x - glm::dvec3(vec3(x))), w));
    particles.predicted.push_back(particles.moved.back());
    particles.moved_before.push_back(particles.moved.back());
    const glm::dvec3 own =
        geometry.velocities.empty() ? glm::dvec3(0.0) : geometry.velocities[std::size_t(vertex)];
    const vec3 v(object.velocity + own + glm::cross(spin, x - center));
    particles.velocity.push_back(w > real(0) ? vec4(v, real(0)) : vec4(0));
    particles.inverse_mass.push_back(w);
    particles.object.push_back(std::int32_t(topology_.objects.size()));
    rest_.push_back(vec3(geometry.positions[std::size_t(vertex)]));
    colors_.push_back(geometry.colors.empty() ? vec3(0) : vec3(geometry.colors[std::size_t(vertex)]));
    if (mass == 0.0) fixed_.push_back({std::int32_t(particles.position.size()) - 1, x});
  }
  particles.count = std::int32_t(particles.position.size());
}

Attachment Assembly::make_attachment(const AttachmentDesc& desc, std::int32_t particle,
                                     const glm::dvec3& x) const {
  for (std::size_t c = 0; c < scene_.colliders.size(); ++c) {
    if (desc.attach_to.empty() || scene_.colliders[c].name != desc.attach_to) continue;
    const Placement start = motion_of(scene_.colliders, c).at(0.0);
    return {particle, glm::transpose(start.rotation) * (x - start.position), glm::dvec3(0.0), 1.0,
            std::int32_t(c)};
  }
  return {particle, x, desc.amplitude, desc.period};
}

void Assembly::add_attachments(const ObjectGeometry& geometry, Index first) {
  const auto& sources = topology_.object_source;
  const auto copy = std::size_t(std::count(sources.begin(), sources.end(), sources.back()) - 1);
  for (std::size_t a = 0; a < geometry.attachments.size(); ++a) {
    const AttachmentDesc& desc = geometry.attachments[a];
    const std::optional<BodyCarrier> carrier = find_body_carrier(scene_, desc.attach_to);
    for (Index vertex : geometry.attached[a]) {
      const std::int32_t i = topology_.external_to_internal[std::size_t(first + vertex)];
      if (carrier) {
        on_bodies_.push_back({i, copy, *carrier, desc.two_way, desc.compliance});
        continue;
      }
      world_.user.attachments.push_back(
          make_attachment(geometry.attachments[a], i, built_place(std::size_t(i))));
      fix_particle(world_, i);
    }
  }
}

/// Position of a particle during the build: its rounded position plus the rounding error in `moved`.
glm::dvec3 Assembly::built_place(std::size_t i) const {
  return glm::dvec3(world_.particles.position[i]) + glm::dvec3(world_.particles.moved[i]);
}

/// Attaches vertices to bodies at their present poses. The vertices keep their places in the frames of the
/// bodies.
void Assembly::attach_to_bodies() {
  for (const OnBody& on : on_bodies_) {
    const BodyModel& model = model_->bodies[on.carrier.body];
    const std::size_t copy = on.carrier.copy.value_or(on.object_copy % std::size_t(model.count));
    const std::int32_t body = model.first + std::int32_t(copy);
    const vec3 x(world_.particles.position[std::size_t(on.particle)]);
    const vec3 own = (x - vec3(world_.bodies.position[std::size_t(body)])) *
                     rotation_of(world_.bodies.orientation[std::size_t(body)]);
    if (on.two_way) {
      world_.user.ties.push_back({on.particle, body, own, real(on.compliance)});
      continue;
    }
    world_.user.attachments.push_back({on.particle, glm::dvec3(own), glm::dvec3(0.0), 1.0, -1, body});
    fix_particle(world_, on.particle);
  }
  std::stable_sort(world_.user.ties.begin(), world_.user.ties.end(),
                   [](const BodyTie& a, const BodyTie& b) { return a.body < b.body; });
}

/// Gives the clamps of rods the carrier of their point, so that a clamp rotates with it.
void Assembly::carry_holds() {
  const std::vector<Attachment>& attachments = world_.user.attachments;
  for (RodHold& hold : topology_.rods.holds) {
    const std::int32_t point = std::int32_t(topology_.rods.home[std::size_t(hold.turn)]);
    const auto at = std::lower_bound(attachments.begin(), attachments.end(), point,
                                     [](const Attachment& a, std::int32_t i) { return a.particle < i; });
    if (at == attachments.end() || at->particle != point) continue;
    hold.collider = at->collider, hold.body = at->body;
    glm::dvec4 frame(0.0, 0.0, 0.0, 1.0);
    if (hold.collider >= 0)
      frame = precise_quaternion_of(motion_of(scene_.colliders, std::size_t(hold.collider)).at(0.0).rotation);
    if (hold.body >= 0) frame = glm::dvec4(world_.bodies.orientation[std::size_t(hold.body)]);
    hold.rest = rotated(glm::dvec4(-glm::dvec3(frame), frame.w), hold.rest);
  }
}

/// Lists the triangles that meet at each particle.
void list_corners(Topology& topology, std::int32_t particles) {
  topology.corner_offset.assign(std::size_t(particles) + 1, 0);
  for (const auto& triangle : topology.triangles)
    for (std::int32_t i : triangle) ++topology.corner_offset[std::size_t(i) + 1];
  std::partial_sum(topology.corner_offset.begin(), topology.corner_offset.end(),
                   topology.corner_offset.begin());
  topology.corner_count.resize(std::size_t(particles));
  std::adjacent_difference(topology.corner_offset.begin() + 1, topology.corner_offset.end(),
                           topology.corner_count.begin());
  topology.corners.resize(3 * topology.triangles.size());
  std::vector<std::int32_t> next(topology.corner_offset.begin(), topology.corner_offset.end() - 1);
  for (std::size_t t = 0; t < topology.triangles.size(); ++t)
    for (std::int32_t i : topology.triangles[t])
      topology.corners[std::size_t(next[std::size_t(i)]++)] = std::int32_t(t);
}

/// Attachments by particle; a vertex named by two follows the first.
void Assembly::list_attachments() {
  auto& list = world_.user.attachments;
  list.insert(list.end(), fixed_.begin(), fixed_.end());
  std::stable_sort(list.begin(), list.end(),
                   [](const Attachment& a, const Attachment& b) { return a.particle < b.particle; });
  const auto same = [](const Attachment& a, const Attachment& b) { return a.particle == b.particle; };
  list.erase(std::unique(list.begin(), list.end(), same), list.end());
}

BuiltWorld Assembly::finish() {
  Particles& particles = world_.particles;
  const std::int32_t padding = padding_particles(topology_.objects) + padding_of(topology_.matter);
  const std::size_t padded =
      std::size_t((particles.count + padding + particle_block - 1) / particle_block * particle_block);
  particles.position.resize(padded, vec4(0));
  particles.velocity.resize(padded, vec4(0));
  particles.acceleration.resize(padded, vec4(0));
  particles.inverse_mass.resize(padded, real(0));
  particles.object.resize(padded, 0);
  const std::size_t groups = stray_groups(padded, topology_.objects.size());
  particles.stray.assign(groups, real(0));
  particles.lasting.assign(groups, real(0));
  if (!topology_.matter.empty()) world_.matter.grain_rolls.resize(padded, vec4(0));
  particles.moved.resize(padded, vec4(0));
  particles.predicted.resize(padded, vec4(0));
  particles.moved_before.resize(padded, vec4(0));
  particles.previous = particles.origin = particles.position;
  rods_.finish(raw_, topology_.rods, particles);
  attach_to_bodies();
  list_attachments();
  carry_holds();

  list_corners(topology_, particles.count);
  topology_.surface = make_surface(topology_.triangles, rest_);
  for (const RodRun& run : topology_.rods.runs) {
    const std::size_t source = std::size_t(topology_.object_source[std::size_t(run.object)]);
    add_segments(topology_.surface,
                 std::span(topology_.rods.segments).subspan(std::size_t(run.first), std::size_t(run.count)),
                 run.closed, real(scene_.objects[source].rod->radius));
  }
  const auto any_source = [&](const auto& accepts) {
    return std::any_of(scene_.objects.begin(), scene_.objects.end(), [&](const ObjectDesc& object) {
      return std::any_of(object.fields.begin(), object.fields.end(), accepts);
    });
  };
  if (any_source([](const FieldSource&) { return true; })) topology_.field_places = rest_;
  if (any_source([](const FieldSource& source) { return source.type == FieldSourceType::colors; }))
    topology_.field_colors = colors_;
  ConstraintLayout layout = lay_out(raw_, topology_.objects, topology_.enclosures, particles.count,
                                    topology_.rods, Order::coloured);
  *topology_.constraints = std::move(layout.constraints);
  topology_.schedule = std::move(layout.schedule);
  for_each_type([&](auto type) {
    const std::size_t slots = std::size_t(std::get<type>(*topology_.constraints).slots());
    std::get<type>(*world_.matter.constraints).resize(slots);
  });
  if (!topology_.rods.empty()) {
    world_.contacts.rod_holds.assign(std::size_t(particles.padded()), vec4(0));
    world_.contacts.rod_holders.assign(std::size_t(particles.padded()), -1);
  }
  world_.topology = std::make_shared<Topology>(std::move(topology_));
  world_.bodies.parts = std::make_shared<const BodyParts>(std::move(body_parts_));
  apply_settings(scene_, world_, world_);
  if (scene_.heat->enabled) start_heat(world_);

  static std::atomic<std::uint64_t> builds{0};  // identity of a model, for caches only
  model_->version = ++builds;
  model_->vertex_count = particles.count;
  model_->heated = scene_.heat->enabled;
  model_->warm_bodies = !world_.heat->body.empty();
  model_->colliders = scene_.colliders;
  return {std::move(world_), std::move(model_)};
}

}  // namespace

/// False if the build was cancelled. Called between the parts of a build, none of which takes long.
bool is_wanted(const SceneDesc& scene) { return !scene.progress || scene.progress("", 0.0); }

Error given_up() { return {"the build was given up", "", 0, ""}; }

Expected<BuiltWorld> build_world(const SceneDesc& given) {
  SceneDesc scene = given;
  if (const Expected<void> method = check_method(*scene.solver.method); !method) return method.error();
  if (const Expected<void> held = check_objects_of_method(scene); !held) return held.error();
  if (const Expected<void> known = check_parents(scene); !known) return known.error();
  if (const Expected<void> known = check_carriers(scene); !known) return known.error();
  if (const Expected<void> known = check_touches(scene); !known) return known.error();
  std::vector<std::optional<ObjectGeometry>> made(scene.objects.size());
  std::vector<std::string> facts;
  if (scene.solver.step->automatic || scene.solver.step->automatic_iterations) {
    auto chosen = choose_steps(scene, facts);
    if (!chosen) return chosen.error();
    made = std::move(*chosen);
  }
  Assembly assembly(scene);
  for (std::string& fact : facts)
    if (!fact.empty()) assembly.tell(std::move(fact));
  if (const Expected<void> meshes = assembly.add_collider_meshes(); !meshes) return meshes.error();
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    if (!is_wanted(scene)) return given_up();
    const Expected<ObjectGeometry> geometry =
        made[o] ? Expected<ObjectGeometry>(std::move(*made[o])) : build_geometry(scene, scene.objects[o]);
    if (!geometry) return geometry.error();
    if (!is_wanted(scene)) return given_up();
    assembly.add_copies(scene.objects[o], *geometry, std::int32_t(o));
  }
  for (const BodyDesc& body : scene.bodies) {
    const Expected<BodyGeometry> geometry = build_body(scene, body);
    if (!geometry) return geometry.error();
    assembly.add_bodies(body, *geometry);
  }
  if (const Expected<void> sound = check_joints(scene); !sound) return sound.error();
  assembly.add_joints();
  if (const Expected<void> sound = check_ties(scene); !sound) return sound.error();
  if (!is_wanted(scene)) return given_up();
  BuiltWorld built = assembly.finish();
  if (const Expected<void> tied = add_ties(scene, *built.world.topology, *built.model, built.world); !tied)
    return tied.error();
  if (!is_wanted(scene)) return given_up();
  return built;
}

}}  // namespace limber::LIMBER_PRECISION
