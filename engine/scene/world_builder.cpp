#include "engine/scene/world_builder.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <glm/gtc/matrix_transform.hpp>

#include "engine/coloring/coloring.hpp"
#include "engine/coloring/schedule_builder.hpp"
#include "engine/parallel/random.hpp"
#include "engine/scene/object_geometry.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

glm::dmat3 rotation_of(const Pose& pose) {
  const glm::dvec3 angle = glm::radians(pose.rotation_degrees);
  glm::dmat4 m(1.0);
  m = glm::rotate(m, angle.z, {0.0, 0.0, 1.0});
  m = glm::rotate(m, angle.y, {0.0, 1.0, 0.0});
  m = glm::rotate(m, angle.x, {1.0, 0.0, 0.0});
  return glm::dmat3(m);
}

Collider make_collider(const ColliderDesc& desc) {
  Collider collider;
  collider.shape = desc.shape;
  collider.position = vec3(desc.pose.position);
  collider.rotation = glm::mat<3, 3, real>(rotation_of(desc.pose));
  collider.friction = real(desc.friction);
  switch (desc.shape) {
    case ColliderShape::plane: break;
    case ColliderShape::sphere: collider.size.x = real(desc.radius); break;
    case ColliderShape::box: collider.size = vec3(desc.half_extents); break;
    case ColliderShape::capsule: collider.size = vec3(real(desc.radius), real(desc.half_length), real(0)); break;
  }
  return collider;
}

/// Collects all objects, copy after copy, into one World and one SceneModel.
class Assembly {
 public:
  explicit Assembly(const SceneDesc& scene) : scene_(scene), model_(std::make_shared<SceneModel>()) {}

  void add_copies(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source);
  BuiltWorld finish();

 private:
  void add_copy(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source, const glm::dvec3& offset);
  void add_particles(const ObjectDesc& object, const ObjectGeometry& geometry, const glm::dvec3& offset,
                     const std::vector<Index>& new_to_old);
  void add_constraints(const ObjectGeometry& geometry, Index first, const std::vector<Index>& old_to_new);
  void add_attachments(const ObjectGeometry& geometry, Index first);
  void add_model(const ObjectDesc& object, const ObjectGeometry& geometry, Index first);

  const SceneDesc& scene_;
  World world_;
  Topology topology_;
  RawConstraintSet raw_;
  std::shared_ptr<SceneModel> model_;
};

void Assembly::add_copies(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source) {
  const glm::ivec3 copies(glm::max(object.copies, glm::dvec3(1.0)));
  for (const std::string& note : geometry.notes) model_->notes.push_back(object.name + ": " + note);
  for (int z = 0; z < copies.z; ++z)
    for (int y = 0; y < copies.y; ++y)
      for (int x = 0; x < copies.x; ++x)  // rows and layers centred, stacked upwards
        add_copy(object, geometry, source,
                 object.spacing * (glm::dvec3(x, y, z) - 0.5 * glm::dvec3(copies.x - 1, 0, copies.z - 1)));
}

void Assembly::add_copy(const ObjectDesc& object, const ObjectGeometry& geometry, std::int32_t source,
                        const glm::dvec3& offset) {
  const Index count = Index(geometry.positions.size()), first = world_.particles.count;
  // near vertices get near numbers, so that a thread's share of a colour is a compact part of the mesh
  std::vector<Edge> edges;
  edges.reserve(geometry.springs.size());
  for (const SpringGeometry& spring : geometry.springs) edges.push_back(spring.vertices);
  const std::vector<Index> new_to_old = cuthill_mckee(edges, count);
  std::vector<Index> old_to_new(new_to_old.size());
  for (Index i = 0; i < count; ++i) old_to_new[std::size_t(new_to_old[std::size_t(i)])] = i;

  for (Index i = 0; i < count; ++i) {
    topology_.external_to_internal.push_back(first + old_to_new[std::size_t(i)]);
    topology_.internal_to_external.push_back(first + new_to_old[std::size_t(i)]);
  }
  add_particles(object, geometry, offset, new_to_old);
  add_constraints(geometry, first, old_to_new);
  topology_.objects.push_back({first, count});
  topology_.object_source.push_back(source);
  add_attachments(geometry, first);
  add_model(object, geometry, first);
}

void Assembly::add_particles(const ObjectDesc& object, const ObjectGeometry& geometry, const glm::dvec3& offset,
                             const std::vector<Index>& new_to_old) {
  Particles& particles = world_.particles;
  const glm::dmat3 rotation = rotation_of(object.pose);
  const std::int32_t first = particles.count;
  for (Index vertex : new_to_old) {
    const std::uint64_t counter = 3 * std::uint64_t(first + vertex);
    const glm::dvec3 jitter(random_signed(scene_.seed, counter), random_signed(scene_.seed, counter + 1),
                            random_signed(scene_.seed, counter + 2));
    const glm::dvec3 x = rotation * geometry.positions[std::size_t(vertex)] + object.pose.position + offset + object.jitter * jitter;
    const double mass = geometry.masses[std::size_t(vertex)];
    const real w = mass > 0.0 ? real(1.0 / mass) : real(0);
    particles.position.push_back(vec4(vec3(x), w));
    particles.velocity.push_back(w > real(0) ? vec4(vec3(object.velocity), real(0)) : vec4(0));
    particles.inverse_mass.push_back(w);
    particles.object.push_back(std::int32_t(topology_.objects.size()));
    if (mass == 0.0) world_.attachments.push_back({std::int32_t(particles.position.size()) - 1, x, glm::dvec3(0.0), 1.0});
  }
  particles.count = std::int32_t(particles.position.size());
}

void Assembly::add_constraints(const ObjectGeometry& geometry, Index first, const std::vector<Index>& old_to_new) {
  const std::int32_t object = std::int32_t(topology_.objects.size());
  const auto particle = [&](Index vertex) { return first + old_to_new[std::size_t(vertex)]; };
  auto& distance = std::get<RawConstraints<Distance>>(raw_);
  for (const SpringGeometry& spring : geometry.springs) {
    distance.vertices.push_back({particle(spring.vertices[0]), particle(spring.vertices[1])});
    distance.rest.push_back({spring.rest_length});
    distance.object.push_back(object);
    distance.compliance_scale.push_back(1.0);
  }
  auto& bending = std::get<RawConstraints<Bending>>(raw_);
  for (const HingeGeometry& hinge : geometry.hinges) {
    const Hinge& h = hinge.vertices;
    bending.vertices.push_back({particle(h[0]), particle(h[1]), particle(h[2]), particle(h[3])});
    bending.rest.push_back({hinge.rest_angle});
    bending.object.push_back(object);
    bending.compliance_scale.push_back(hinge.compliance_scale);
  }
}

void Assembly::add_attachments(const ObjectGeometry& geometry, Index first) {
  for (std::size_t a = 0; a < geometry.attachments.size(); ++a) {
    for (Index vertex : geometry.attached[a]) {
      const std::int32_t i = topology_.external_to_internal[std::size_t(first + vertex)];
      const AttachmentDesc& desc = geometry.attachments[a];
      world_.attachments.push_back(
          {i, glm::dvec3(world_.particles.position[std::size_t(i)]), desc.amplitude, desc.period});
      fix_particle(world_, i);
    }
  }
}

void Assembly::add_model(const ObjectDesc& object, const ObjectGeometry& geometry, Index first) {
  ObjectModel out;
  out.name = object.name;
  out.first_vertex = first;
  out.vertex_count = Index(geometry.positions.size());
  for (Triangle t : geometry.triangles) out.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
  if (geometry.triangles.empty())
    for (const SpringGeometry& s : geometry.springs) out.springs.push_back({s.vertices[0] + first, s.vertices[1] + first});
  out.uvs.assign(geometry.uvs.begin(), geometry.uvs.end());
  out.color = glm::vec3(object.color);
  out.back_color = glm::vec3(object.back_color);
  out.pattern = object.pattern;
  model_->objects.push_back(std::move(out));
}

BuiltWorld Assembly::finish() {
  Particles& particles = world_.particles;
  const std::int32_t padding = padding_particles(topology_.objects.size());
  const std::size_t padded = std::size_t((particles.count + padding + particle_block - 1) / particle_block * particle_block);
  particles.position.resize(padded, vec4(0));
  particles.velocity.resize(padded, vec4(0));
  particles.inverse_mass.resize(padded, real(0));
  particles.object.resize(padded, 0);
  particles.previous = particles.position;
  // a vertex named by two attachments follows the first
  std::stable_sort(world_.attachments.begin(), world_.attachments.end(),
                   [](const Attachment& a, const Attachment& b) { return a.particle < b.particle; });
  world_.attachments.erase(std::unique(world_.attachments.begin(), world_.attachments.end(),
                                       [](const Attachment& a, const Attachment& b) { return a.particle == b.particle; }),
                           world_.attachments.end());

  build_schedule(raw_, particles.count, scene_.solver.order, topology_);
  for_each_type([&](auto type) {
    const std::size_t slots = std::size_t(std::get<type>(topology_.constraints).slots());
    std::get<type>(world_.constraint_state).softness.assign(slots, real(0));
    std::get<type>(world_.constraint_state).lambda.assign(slots, real(0));
  });
  world_.topology = std::make_shared<const Topology>(std::move(topology_));
  apply_settings(scene_, world_);

  static std::atomic<std::uint64_t> builds{0};  // an identity for caches, not state of the simulation
  model_->version = ++builds;
  model_->vertex_count = particles.count;
  model_->colliders = scene_.colliders;
  return {std::move(world_), std::move(model_)};
}

}  // namespace

Expected<BuiltWorld> build_world(const SceneDesc& scene) {
  Assembly assembly(scene);
  for (std::size_t o = 0; o < scene.objects.size(); ++o) {
    const Expected<ObjectGeometry> geometry = build_geometry(scene, scene.objects[o]);
    if (!geometry) return geometry.error();
    assembly.add_copies(scene.objects[o], *geometry, std::int32_t(o));
  }
  return assembly.finish();
}

void apply_settings(const SceneDesc& scene, World& world) {
  world.settings = scene.solver;
  world.materials.clear();
  for (std::int32_t source : world.topology->object_source)
    world.materials.push_back(scene.objects[std::size_t(source)].material);
  world.colliders.clear();
  for (const ColliderDesc& collider : scene.colliders) world.colliders.push_back(make_collider(collider));
  refresh_softness(world);
}

}  // namespace limber
