#include "engine/state/world_bytes.hpp"

#include "engine/core/settings.hpp"

namespace limber::inline LIMBER_PRECISION {
namespace {

template <class... Vectors>
std::size_t reserved(const Vectors&... vectors) {
  return (std::size_t(0) + ... + (vectors.capacity() * sizeof(typename Vectors::value_type)));
}

std::size_t byte_count(const Particles& p) {
  return reserved(p.position, p.previous, p.velocity, p.acceleration, p.inverse_mass, p.lasting, p.stray,
                  p.object);
}

std::size_t byte_count(const Bodies& b) {
  return reserved(b.position, b.orientation, b.velocity, b.angular_momentum, b.inverse_inertia);
}

std::size_t byte_count(const Sleep& s) {
  return reserved(s.calm, s.anchor, s.anchor_turn, s.island, s.load, s.contacts);
}

std::size_t byte_count(const ConstraintState& state) {
  std::size_t bytes = 0;
  for_each_type([&](auto type) {
    const auto& slots = std::get<type>(state);
    bytes += reserved(slots.softness, slots.lambda);
  });
  return bytes;
}

std::size_t byte_count(const ConstraintSet& constraints) {
  std::size_t bytes = 0;
  for_each_type([&](auto type) {
    const auto& batch = std::get<type>(constraints);
    for (const auto& row : batch.vertices) bytes += reserved(row);
    for (const auto& row : batch.rest) bytes += reserved(row);
    bytes += reserved(batch.id, batch.object, batch.compliance_scale);
  });
  return bytes;
}

}  // namespace

std::size_t byte_count(const World& w) {
  return sizeof(World) + byte_count(w.particles) + byte_count(w.constraint_state) + byte_count(w.bodies) +
         byte_count(w.sleep) +
         reserved(w.materials, w.volume_goals, w.colliders, w.body_materials, w.body_contacts,
                  w.joint_materials, w.joints, w.solid_rotations, w.solid_stiffness, w.particle_contacts,
                  w.grain_rolls, w.attachments, w.ties, w.cut.ends, w.cut.sides);
}

std::size_t byte_count(const Topology& t) {
  const Surface& s = t.surface;
  const ParticleMatter& m = t.matter;
  const TearRoom& r = t.tears;
  return sizeof(Topology) + byte_count(t.constraints) +
         reserved(t.schedule.phases, t.schedule.tasks, t.schedule.segments) +
         reserved(t.objects, t.object_source, t.enclosures, t.external_to_internal, t.internal_to_external,
                  t.collider_meshes, t.triangles, t.corner_offset, t.corner_count, t.corners, t.joints,
                  t.joint_offset, t.joint_at) +
         reserved(s.owned, s.at_gap, s.neighbors, s.rest, s.room) +
         reserved(m.members, m.phase, m.rest, m.field, m.solids, m.members_by_particle) +
         reserved(r.objects, r.spring, r.hinge, r.origin, r.next_copy, r.share);
}

std::size_t byte_count(const BodyParts& parts) {
  return sizeof(BodyParts) + reserved(parts.shapes, parts.source);
}

}  // namespace limber::inline LIMBER_PRECISION
