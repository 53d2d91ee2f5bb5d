#include "engine/scene/build/world_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/geometric.hpp>
#include <glm/gtc/constants.hpp>
#include <glm/gtc/matrix_transform.hpp>
#include <glm/trigonometric.hpp>
#include <numeric>
#include <optional>

#include "engine/coloring/patches.hpp"
#include "engine/coloring/schedule_builder.hpp"
#include "engine/core/rates.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/heat.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/method.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/core/settings/wind.hpp"
#include "engine/geometry/mesh/creases.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/bodies/body_carrier.hpp"
#include "engine/scene/bodies/body_desc.hpp"
#include "engine/scene/build/body_builder.hpp"
#include "engine/scene/build/choose_substeps.hpp"
#include "engine/scene/build/joint_builder.hpp"
#include "engine/scene/build/matter_builder.hpp"
#include "engine/scene/build/rod_builder.hpp"
#include "engine/scene/build/tie_builder.hpp"
#include "engine/scene/build/touch_lists.hpp"
#include "engine/scene/build/varied_color.hpp"
#include "engine/scene/colliders/collider_desc.hpp"
#include "engine/scene/colliders/collider_source.hpp"
#include "engine/scene/file/scene_desc.hpp"
#include "engine/scene/joints/joint_desc.hpp"
#include "engine/scene/joints/joint_source.hpp"
#include "engine/scene/joints/tie_desc.hpp"
#include "engine/scene/joints/tie_reader.hpp"
#include "engine/scene/objects/object_check.hpp"
#include "engine/scene/objects/object_desc.hpp"
#include "engine/scene/objects/object_geometry.hpp"
#include "engine/scene/objects/object_type.hpp"
#include "engine/state/heat_state.hpp"
#include "engine/state/tear_room.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

Collider make_collider(const SceneDesc& scene, std::size_t c, const ColliderMesh& mesh) {
  const ColliderDesc& desc = scene.colliders[c];
  Collider collider;
  collider.shape = desc.shape;
  collider.motion = motion_of(scene.colliders, c);
  collider.position = vec3(collider.motion.rest.position);
  collider.rotation = mat3(collider.motion.rest.rotation);
  collider.friction = real(desc.friction);
  collider.restitution = real(desc.restitution);
  collider.drains = desc.drains;
  switch (desc.shape) {
    case ColliderShape::plane:
      break;
    case ColliderShape::sphere:
      collider.size.x = real(desc.radius);
      break;
    case ColliderShape::box:
      collider.size = vec3(desc.half_extents);
      break;
    case ColliderShape::capsule:
      collider.size = vec3(real(desc.radius), real(desc.half_length), real(0));
      break;
    case ColliderShape::mesh:
      collider.size.x = real(mesh.scale);
      collider.field = mesh.field.get();
      collider.sharp = mesh.sharp.get();
      collider.field_center = vec3(mesh.center);
      break;
  }
  return collider;
}

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
  void add_constraints(const ObjectDesc& object, const ObjectGeometry& geometry,
                       const std::vector<Index>& to_particle);
  Attachment make_attachment(const AttachmentDesc& desc, std::int32_t particle, const glm::dvec3& x) const;
  void add_attachments(const ObjectGeometry& geometry, Index first);
  glm::dvec3 built_place(std::size_t i) const;
  void attach_to_bodies();
  void carry_holds();
  void add_look(const ObjectDesc& object, const ObjectGeometry& geometry, ObjectModel& out);
  void add_model(const ObjectDesc& object, const ObjectGeometry& geometry, Index first);

  const SceneDesc& scene_;
  World world_;
  Topology topology_;
  BodyParts body_parts_;
  RawConstraintSet raw_;
  /// A vertex of copy number object_copy of an object, and the body to which it is attached.
  struct OnBody {
    std::int32_t particle;
    std::size_t object_copy;
    BodyCarrier carrier;
    bool two_way;
    double compliance;  ///< m/N
  };
  std::vector<OnBody> on_bodies_;  ///< resolved after all bodies are built
  std::vector<Attachment> fixed_;  ///< pins and mass-zero vertices of objects: they stay in place unless an
                                   ///< attachment names them
  RodBuilder rods_;
  std::vector<vec3> rest_;                        ///< per particle, the rest position in the mesh
  std::uint64_t drawn_ = std::uint64_t(1) << 40;  ///< random numbers for bodies; vertices count from 0
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
      for (int x = 0; x < copies.x; ++x)  // rows and layers centred, stacked upwards
        add_copy(object, geometry, source,
                 scattered(object, object.spacing * (glm::dvec3(x, y, z) -
                                                     0.5 * glm::dvec3(copies.x - 1, 0, copies.z - 1))));
}

/// Start of a copy, displaced and turned as a whole if its type asks for it (Scatter::copies).
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
  for (Index& particle : old_to_new) particle += first;
  add_constraints(object, geometry, old_to_new);
  if (!geometry.rod.segments.empty())
    rods_.add(object, geometry.rod, start.rotation, old_to_new, raw_, topology_);
  topology_.objects.push_back({first, count});
  topology_.object_source.push_back(source);
  topology_.enclosures.push_back(geometry.enclosure);
  add_attachments(geometry, first);
  add_model(object, geometry, first);
}

/// Centre of the masses of a copy in place; its origin if it has no mass.
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
    if (mass == 0.0) fixed_.push_back({std::int32_t(particles.position.size()) - 1, x});
  }
  particles.count = std::int32_t(particles.position.size());
}

void append_spring(RawConstraintSet& raw, SpringAction action, std::int32_t object, const Edge& ends,
                   const SpringGeometry& spring) {
  const double length = spring.rest_length, scale = spring.compliance_scale;
  switch (action) {
    case SpringAction::spring:
      return append(std::get<RawConstraints<Distance>>(raw), object, ends, {length}, scale);
    case SpringAction::rope:
      return append(std::get<RawConstraints<Rope>>(raw), object, ends, {length}, scale);
    case SpringAction::strut:
      return append(std::get<RawConstraints<Strut>>(raw), object, ends, {length}, scale);
  }
}

/// 3 |e|^2/(A0+A1) of a hinge with rest positions `x`: the factor by which the square of C of
/// IsometricBending exceeds the square of the angle of a small fold.
double isometric_weight(const std::array<glm::dvec3, 4>& x) {
  const glm::dvec3 e = x[1] - x[0];
  const double areas =
      0.5 * (glm::length(glm::cross(e, x[2] - x[0])) + glm::length(glm::cross(e, x[3] - x[0])));
  return areas > 0.0 ? 3.0 * glm::dot(e, e) / areas : 1.0;
}

/// Appends a hinge with the rest positions `x` of its corners.
void append_hinge(RawConstraintSet& raw, BendingModel model, std::int32_t object, const Hinge& particles,
                  const HingeGeometry& hinge, const std::array<glm::dvec3, 4>& x) {
  switch (model) {
    case BendingModel::dihedral:
      return append(std::get<RawConstraints<Bending>>(raw), object, particles, {hinge.rest_angle},
                    hinge.compliance_scale);
    case BendingModel::isometric:
      return append(std::get<RawConstraints<IsometricBending>>(raw), object, particles,
                    IsometricBending::rest_of(x), isometric_weight(x) * hinge.compliance_scale);
    case BendingModel::acos:  // flat is pi, and a fold has no sign
      return append(std::get<RawConstraints<AcosBending>>(raw), object, particles,
                    {glm::pi<double>() - std::abs(hinge.rest_angle)}, hinge.compliance_scale);
  }
}

void Assembly::add_constraints(const ObjectDesc& object, const ObjectGeometry& geometry,
                               const std::vector<Index>& to_particle) {
  const std::int32_t owner = std::int32_t(topology_.objects.size());
  const auto particle = [&](Index vertex) { return to_particle[std::size_t(vertex)]; };
  const auto place = [&](Index vertex) { return geometry.positions[std::size_t(vertex)]; };
  for (const SpringGeometry& spring : geometry.springs)
    append_spring(raw_, object.spring_action, owner,
                  {particle(spring.vertices[0]), particle(spring.vertices[1])}, spring);
  for (const HingeGeometry& hinge : geometry.hinges) {
    const Hinge& h = hinge.vertices;
    append_hinge(raw_, object.material->bending_model, owner,
                 {particle(h[0]), particle(h[1]), particle(h[2]), particle(h[3])}, hinge,
                 {place(h[0]), place(h[1]), place(h[2]), place(h[3])});
  }
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    const StencilGeometry<Type>& list = std::get<type>(geometry.constraints);
    for (std::size_t k = 0; k < list.vertices.size(); ++k) {
      std::array<Index, Type::arity> particles;
      std::transform(list.vertices[k].begin(), list.vertices[k].end(), particles.begin(), particle);
      append(std::get<type>(raw_), owner, particles, list.rest[k], list.compliance_scale[k]);
    }
  });
  for (Index k : tree_order(geometry.positions, geometry.triangles, 0, surface_leaf)) {
    const Triangle& t = geometry.triangles[std::size_t(k)];
    topology_.triangles.push_back({particle(t[0]), particle(t[1]), particle(t[2])});
  }
  for (const Tet& t : geometry.tets) {
    topology_.tets.push_back({particle(t[0]), particle(t[1]), particle(t[2]), particle(t[3])});
    topology_.tet_volumes.push_back(real(tet_volume(geometry.positions, t)));
  }
  for (const SpringGeometry& tether : geometry.tethers)
    append(std::get<RawConstraints<Tether>>(raw_), owner,
           {particle(tether.vertices[0]), particle(tether.vertices[1])}, {tether.rest_length});
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

/// Position of a particle while the World is built: the rounded position plus the remainder in `moved`.
glm::dvec3 Assembly::built_place(std::size_t i) const {
  return glm::dvec3(world_.particles.position[i]) + glm::dvec3(world_.particles.moved[i]);
}

/// Attaches vertices to the bodies at their present poses: the vertices keep their places relative to the
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

std::shared_ptr<const TriMesh> moved_mesh(TriMesh mesh, const glm::dvec3& shift) {
  for (glm::dvec3& x : mesh.positions) x += shift;
  return std::make_shared<const TriMesh>(std::move(mesh));
}

/// Lets the frames that clamp the ends of rods move with the carrier of the end's point.
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

/// Adds the look of grains, solids and fluids: colours, opacity, the solid's mesh.
void Assembly::add_look(const ObjectDesc& object, const ObjectGeometry& geometry, ObjectModel& out) {
  out.radius = float(scene_.solver.contact->particle_radius);
  out.fluid = traits_of(object).fluid;
  if (out.fluid) out.opacity = float(object.fluid.opacity);
  if (out.fluid && object.fluid.emit_count > 0 && object.fluid.emit_share >= 1.0) {
    out.jet_speed = float(glm::length(object.velocity));
    out.jet_layer = Index(object.fluid.mouth_places(2.0 * scene_.solver.contact->particle_radius).size());
  }
  if (!geometry.shape) {
    for (Index i = 0; i < out.vertex_count; ++i)
      out.colors.push_back(varied(out.color, scene_.seed, std::uint64_t(i)));
    return;
  }
  const bool first = model_->objects.empty() || model_->objects.back().name != object.name;
  out.shape = first ? moved_mesh(*geometry.shape, -geometry.center) : model_->objects.back().shape;
  out.color = varied(out.color, scene_.seed, std::uint64_t(model_->objects.size()));
}

void Assembly::add_model(const ObjectDesc& object, const ObjectGeometry& geometry, Index first) {
  ObjectModel out;
  out.name = object.name;
  out.first_vertex = first;
  out.vertex_count = Index(geometry.positions.size());
  for (Triangle t : geometry.triangles) out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  if (geometry.triangles.empty())
    for (const SpringGeometry& s : geometry.springs)
      out.springs.push_back({s.vertices[0] + first, s.vertices[1] + first});
  for (Tet t : geometry.tets) out.tets.push_back({t[0] + first, t[1] + first, t[2] + first, t[3] + first});
  out.skin = geometry.skin;
  out.clustered = !geometry.clusters.empty();
  if (out.clustered) {
    out.skin = moved_mesh(*geometry.skin, -geometry.center);
    out.blends = geometry.blends;
    const std::int32_t first_cluster = topology_.matter.soft.solids.back().first_cluster;
    for (ClusterBlend& blend : out.blends)
      for (std::int32_t& cluster : blend.cluster) cluster += first_cluster;
  }
  for (EmbeddedPoint point : geometry.carried) {
    for (Index& v : point.vertices) v += first;
    out.carried.push_back(point);
  }
  if (out.skin)
    out.smoothing = smoothing_groups(out.skin->triangles, out.skin->positions);
  else if (!out.tets.empty())
    out.smoothing = smoothing_groups(geometry.triangles, geometry.positions);
  out.uvs.assign(geometry.uvs.begin(), geometry.uvs.end());
  out.color = glm::vec3(object.color);
  out.back_color = glm::vec3(object.back_color);
  if (traits_of(object).particles) add_look(object, geometry, out);
  if (!geometry.rod.segments.empty()) {
    const std::size_t count = geometry.rod.segments.size();
    out.rod = {Index(topology_.rods.segments.size() - count),
               Index(count),
               float(geometry.rod.radius),
               float(geometry.rod.flatness),
               geometry.rod.closed,
               geometry.rod.strand};
  }
  if (!out.triangles.empty() && object.copies != glm::dvec3(1.0)) {
    const auto number = std::uint64_t(model_->objects.size());
    out.color = varied(out.color, scene_.seed, number);
    out.back_color = varied(out.back_color, scene_.seed, number);
  }
  out.pattern = object.pattern;
  model_->objects.push_back(std::move(out));
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
  world_.user.attachments.insert(world_.user.attachments.end(), fixed_.begin(), fixed_.end());
  // a vertex named by two attachments follows the first
  std::stable_sort(world_.user.attachments.begin(), world_.user.attachments.end(),
                   [](const Attachment& a, const Attachment& b) { return a.particle < b.particle; });
  world_.user.attachments.erase(
      std::unique(world_.user.attachments.begin(), world_.user.attachments.end(),
                  [](const Attachment& a, const Attachment& b) { return a.particle == b.particle; }),
      world_.user.attachments.end());
  carry_holds();

  list_corners(topology_, particles.count);
  topology_.surface = make_surface(topology_.triangles, rest_);
  for (const RodRun& run : topology_.rods.runs) {
    const std::size_t source = std::size_t(topology_.object_source[std::size_t(run.object)]);
    add_segments(topology_.surface,
                 std::span(topology_.rods.segments).subspan(std::size_t(run.first), std::size_t(run.count)),
                 run.closed, real(scene_.objects[source].rod.radius));
  }
  ConstraintLayout layout = lay_out(raw_, topology_.objects, topology_.enclosures, particles.count,
                                    topology_.rods, Order::coloured);
  topology_.constraints = std::move(layout.constraints);
  topology_.schedule = std::move(layout.schedule);
  for_each_type([&](auto type) {
    const std::size_t slots = std::size_t(std::get<type>(topology_.constraints).slots());
    std::get<type>(world_.matter.constraints).resize(slots);
  });
  if (!topology_.rods.empty()) {
    world_.contacts.rod_holds.assign(std::size_t(particles.padded()), vec4(0));
    world_.contacts.rod_holders.assign(std::size_t(particles.padded()), -1);
  }
  world_.topology = std::make_shared<Topology>(std::move(topology_));
  world_.bodies.parts = std::make_shared<const BodyParts>(std::move(body_parts_));
  apply_settings(scene_, world_, world_);
  if (scene_.heat->enabled) start_heat(world_);

  static std::atomic<std::uint64_t> builds{0};  // an identity for caches, not state of the simulation
  model_->version = ++builds;
  model_->vertex_count = particles.count;
  model_->heated = scene_.heat->enabled;
  model_->warm_bodies = !world_.heat->body.empty();
  model_->colliders = scene_.colliders;
  return {std::move(world_), std::move(model_)};
}

}  // namespace

/// Whether the scene is still wanted. Asked between the parts of a build, none of which takes long.
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
  std::string fact;
  if (scene.solver.step->automatic) {
    auto chosen = choose_substeps(scene, fact);
    if (!chosen) return chosen.error();
    made = std::move(*chosen);
  }
  Assembly assembly(scene);
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

/// Scales masses for an areal density that changed while the scene runs. The factor applies to the start
/// masses, so that intermediate densities leave no rounding errors behind.
void scale_masses(const World& start, World& world, std::size_t object, double density) {
  const ParticleRange& range = world.topology->objects[object];
  const double factor = density / start.settings.materials[object].density;
  const TearRoom& tears = world.topology->tears;
  const auto scale = [&](std::int32_t particle) {
    const std::size_t i = std::size_t(particle), origin = tears.empty() ? i : std::size_t(tears.origin[i]);
    real& w = world.particles.inverse_mass[i];
    w = real(double(start.particles.inverse_mass[origin]) / factor / (tears.empty() ? 1.0 : tears.share[i]));
    if (world.particles.position[i].w > real(0)) set_weight(world.particles, i, w);
  };
  for (std::int32_t i = range.first; i < range.end(); ++i) scale(i);
  if (tears.empty()) return;
  for (std::int32_t k = 0; k < tears.objects[object].used; ++k) scale(tears.objects[object].first_spare + k);
}

SoftLaw law_of(const SolidDesc& solid, int iterations) {
  SoftLaw law;
  law.stiffness = real(stiffness_per_iteration(solid.stiffness, iterations));
  law.linear = real(solid.linear);
  law.young = real(solid.youngs_modulus), law.poisson = real(solid.poisson_ratio);
  law.damping = real(solid.damping_time);
  law.yield = real(solid.yield), law.creep = real(solid.creep);
  law.hardening = real(solid.hardening), law.most_plastic = real(solid.max_plastic);
  law.break_strain = real(solid.break_strain), law.size = real(solid.cluster_size);
  return law;
}

/// Updates thickness of particles and rods, stiffness of clusters and laws of soft solids from the scene.
void apply_to_matter(const SceneDesc& scene, World& world) {
  world.matter.cluster_stiffness.clear();
  world.matter.soft.laws.clear();
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    if (traits_of(object).rod) world.settings.materials[o].thickness = object.rod.radius;
    if (traits_of(object).particles)
      world.settings.materials[o].thickness = scene.solver.contact->particle_radius;
  }
  for (const Solid& solid : world.topology->matter.solids) {
    const std::size_t o = std::size_t(world.particles.object[std::size_t(solid.first)]);
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    if (solid.soft >= 0) {
      world.matter.cluster_stiffness.push_back(0);
      world.matter.soft.laws.push_back(law_of(object.solid, scene.solver.step->iterations));
      continue;
    }
    world.matter.cluster_stiffness.push_back(
        real(stiffness_per_iteration(object.solid.stiffness, scene.solver.step->iterations)));
  }
  SoftState& soft = world.matter.soft;  // clusters that yield need rest shapes of their own
  const SoftMatter& matter = world.topology->matter.soft;
  const bool yields =
      std::any_of(soft.laws.begin(), soft.laws.end(), [](const SoftLaw& law) { return law.yield > real(0); });
  if (yields && soft.rest.empty()) soft.rest = matter.entry_rest;
}

void apply_settings(const SceneDesc& scene, const World& start, World& world) {
  world.settings.solver = scene.solver;
  world.settings.wind = scene.wind;
  world.settings.wind->gas.clear();
  for (const std::int32_t source : world.topology->object_source) {
    const ObjectDesc& object = scene.objects[std::size_t(source)];
    world.settings.wind->gas.push_back(object.pressure > 0.0 ? object.gas_density : -1.0);
  }
  world.settings.heat = scene.heat;
  world.settings.heat->starts.clear(), world.settings.heat->colliders.clear();
  for (const std::int32_t source : world.topology->object_source)
    world.settings.heat->starts.push_back(scene.objects[std::size_t(source)].temperature);
  for (const ColliderDesc& collider : scene.colliders)
    world.settings.heat->colliders.push_back(collider.temperature);
  world.settings.heat->bodies.clear();
  for (const BodyDesc& body : scene.bodies)
    world.settings.heat->bodies.push_back({body.temperature, body.conductivity, body.heat_capacity});
  const bool remembers = scene.solver.method->integrator == Integrator::bdf2;
  world.history.step_before.resize(remembers ? world.particles.position.size() : 0, vec4(0));
  world.history.velocity.resize(remembers ? world.particles.position.size() : 0, vec4(0));
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const ObjectDesc& object = scene.objects[std::size_t(world.topology->object_source[o])];
    const double before = world.settings.materials[o].density, now = object.material->density;
    if (traits_of(object).density == Density::areal && now != before) scale_masses(start, world, o, now);
  }
  world.settings.materials.clear();
  for (std::int32_t source : world.topology->object_source)
    world.settings.materials.push_back(*scene.objects[std::size_t(source)].material);
  world.settings.tie_materials.clear();
  for (const TieDesc& tie : scene.ties) world.settings.tie_materials.push_back(tie_material(tie));
  world.settings.touches = make_touches(scene, world.topology->object_source);
  apply_to_matter(scene, world);
  world.matter.volume_goals.resize(world.settings.materials.size());
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const double rest = world.topology->enclosures[o].volume;
    const double pressure = scene.objects[std::size_t(world.topology->object_source[o])].pressure;
    VolumeGoal& goal = world.matter.volume_goals[o];
    goal.target = real(pressure * rest);
    if (goal.target == real(0) || goal.volume == real(0)) goal.volume = std::min(goal.target, real(rest));
  }
  world.settings.body_materials.resize(std::max(world.settings.body_materials.size(), scene.bodies.size()));
  std::transform(scene.bodies.begin(), scene.bodies.end(), world.settings.body_materials.begin(),
                 body_material);
  world.settings.joint_materials.clear();
  for (const JointDesc& joint : scene.joints) world.settings.joint_materials.push_back(joint_material(joint));
  world.colliders.clear();
  for (std::size_t c = 0; c < scene.colliders.size(); ++c) {
    world.colliders.push_back(make_collider(scene, c, world.topology->collider_meshes[c]));
    place(world.colliders.back(), world.time);
  }
  refresh_softness(world);
}

}}  // namespace limber::LIMBER_PRECISION
