#include "engine/state/world_finite.hpp"

#include <algorithm>
#include <cmath>
#include "engine/core/settings/contact.hpp"
#include "engine/state/heat_state.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

template <class... Numbers>
bool finite(const Numbers&... numbers) {
  return (std::isfinite(numbers) && ...);
}
template <class T>
bool finite(const glm::vec<3, T>& v) {
  return finite(v.x, v.y, v.z);
}
bool finite(const vec4& v) { return finite(v.x, v.y, v.z, v.w); }

bool finite(const BodyContact& contact) {
  for (int k = 0; k < contact.count; ++k)
    if (!finite(contact.push[k]) || !finite(contact.place[k])) return false;
  return finite(contact.normal) && finite(contact.friction) && finite(contact.rolling) &&
         finite(contact.twist);
}
bool finite(const ParticleContact& contact) {
  return finite(contact.kept) && finite(contact.before) && finite(contact.rolled);
}
bool finite(const SurfaceContact& contact) { return finite(contact.kept) && finite(contact.before); }
bool finite(const JointState& joint) { return finite(joint.push) && finite(joint.twist); }
bool finite(const SoftCluster& cluster) {
  return finite(cluster.rotation) && finite(cluster.moment.diagonal) && finite(cluster.flowed);
}
bool finite(const VolumeGoal& goal) { return finite(goal.volume); }

template <class... Lists>
bool all_finite(const Lists&... lists) {
  const auto all = [](const auto& list) {
    return std::all_of(list.begin(), list.end(), [](const auto& one) { return finite(one); });
  };
  return (all(lists) && ...);
}

}  // namespace

bool carries_finite_values(const World& world) {
  const Bodies& bodies = world.bodies;
  const Sleep& sleep = world.bodies.sleep;
  const Particles& particles = world.particles;
  return all_finite(bodies.position, bodies.orientation, bodies.velocity, bodies.angular_momentum) &&
         all_finite(sleep.calm, sleep.anchor, sleep.anchor_turn, sleep.load, sleep.contacts) &&
         all_finite(world.contacts.bodies, world.bodies.joints, world.matter.volume_goals) &&
         all_finite(world.matter.cluster_rotations, world.contacts.particles, world.matter.grain_rolls,
                    world.matter.fluid.pressure, world.matter.soft.clusters, world.matter.soft.rest) &&
         all_finite(world.heat->enthalpy) &&
         (!world.settings.solver.contact->cloth_collision ||
          all_finite(particles.acceleration, particles.lasting, particles.stray, world.contacts.surfaces));
}

}}  // namespace limber::LIMBER_PRECISION
