// Restitution between surfaces: the part of SurfaceContacts that follows line (16) of Mueller et al. 2006.
#include <algorithm>
#include <glm/geometric.hpp>

#include "engine/contact/cloth/surface_contacts.hpp"
#include "engine/contact/law.hpp"
#include "engine/contact/mix.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Number of sweeps over the impacts. They are solved one after the other, and a vertex has pairs with
/// several neighbours.
constexpr int bounce_sweeps = 4;

/// Relative velocity of a pair's two features: sum s_i v_i, with the weights of surface_pair.hpp.
struct PairVelocity {
  const SurfacePairView<real>& pairs;
  std::size_t slot;
  World& world;

  vec3 moved() const {
    vec3 sum(0);
    for (int j = 0; j < 4; ++j) sum += pairs.weight[j][slot] * vec3(world.particles.velocity[vertex(j)]);
    return sum;
  }
  void push(const vec3& impulse) const {
    for (int j = 0; j < 4; ++j) {
      const real w = world.particles.position[vertex(j)].w;
      world.particles.velocity[vertex(j)] += vec4(w * pairs.weight[j][slot] * impulse, real(0));
    }
  }
  std::size_t vertex(int j) const { return std::size_t(pairs.vertices[j][slot]); }
};

}  // namespace

bool SurfaceContacts::bouncy(const World& world) {
  const auto& materials = world.settings.materials;
  return std::any_of(materials.begin(), materials.end(),
                     [](const Material& material) { return material.restitution > 0.0; });
}

/// Stores the approach speeds of those contacts of a batch that the predicted positions violate.
void SurfaceContacts::aim_bounces(const World& world, const Slots& slots) {
  std::vector<ContactRow>& rows = slots.group.bounces[slots.batch];
  const SurfacePairView<real> pairs = slots.pairs().view();
  for (std::int32_t k = slots.begin; k < slots.end; ++k) {
    const std::size_t slot = std::size_t(k);
    ContactRow& row = rows[slot] = {};
    if (!(pairs.distance[slot] > real(0))) continue;  // padding
    row.normal = vec3(pairs.normal[0][slot], pairs.normal[1][slot], pairs.normal[2][slot]);
    real w = 0, start = 0;
    for (int j = 0; j < 4; ++j) {
      const std::size_t i = std::size_t(pairs.vertices[j][slot]);
      const vec4 &p = world.particles.position[i], &x = world.particles.previous[i];
      const real weight = pairs.weight[j][slot];
      w += weight * weight * p.w;
      start += weight * glm::dot(row.normal, vec3(x));
      row.approach += weight * glm::dot(row.normal, vec3(p) - vec3(x));
    }
    row.weigh(w);
    row.gap = start - pairs.distance[slot];
    const auto restitution_of = [&](int j) {
      return real(material_of(world, pairs.vertices[j][slot]).restitution);
    };
    row.restitution = mixed_restitution(restitution_of(0), restitution_of(3));
    row.normal_lambda = std::max(-(row.gap + row.approach) * row.mass, real(0));
  }
}

void SurfaceContacts::bounce(World& world, real h, Team& team) {
  if (!bouncy(world)) return;
  const real g = real(glm::length(world.settings.solver.motion->gravity));
  ColorTurns turns(team);
  for (int sweep = 0; sweep < bounce_sweeps; ++sweep)
    for_colors(turns, [&](const Slots& slots) {
      const SurfacePairView<real> pairs = slots.pairs().view();
      for (std::int32_t slot = slots.begin; slot < slots.end; ++slot)
        if (ContactRow& row = slots.group.bounces[slots.batch][std::size_t(slot)]; bounces(row, h, g))
          bounce_contact(row, row.restitution, row.approach / h,
                         PairVelocity{pairs, std::size_t(slot), world});
    });
}

/// Tells `touched` which parts pairs pushed: all pairs, or with `due` only those about to be searched anew.
void SurfaceContacts::tell_pushed(const World& world, TouchedParts& touched, bool due, const Team& team) {
  const bool bounced = bouncy(world);
  for_slots(Which::contacts, due, team, [&](const Slots& slots) {
    const SurfacePairView<real> pairs = slots.pairs().view();
    const auto bounces_at = [&](std::int32_t k) {
      const ContactRow& row = slots.group.bounces[slots.batch][std::size_t(k)];
      return row.restitution > real(0) && row.normal_lambda > real(0);
    };
    for (std::int32_t k = slots.begin; k < slots.end; ++k)
      if (is_kept(pairs, k) || (bounced && bounces_at(k)))
        touched.join(touched.of_particle(pairs.vertices[0][k]), touched.of_particle(pairs.vertices[3][k]),
                     team.rank());
  });
}

void SurfaceContacts::tell_touched(const World& world, TouchedParts& touched, const Team& team) {
  tell_pushed(world, touched, false, team);
  if (team.rank() != 0) return;
  if (tangles_.active()) tangles_.for_pulled([&](std::int32_t i) { touched.touch_particle(i); });
  if (!zoned_) return;
  zones_.for_members([&](std::int32_t member, std::int32_t zone, bool pushed) {
    touched.join(touched.of_particle(member), touched.of_particle(zone), 0);
    if (pushed) touched.touch_particle(member);
  });
}

}}  // namespace limber::LIMBER_PRECISION
