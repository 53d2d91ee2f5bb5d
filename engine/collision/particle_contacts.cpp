#include "engine/collision/particle_contacts.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>

namespace limber::inline LIMBER_PRECISION {
namespace {

constexpr int most_colors = 64;  // one bit each
constexpr real least_skin = real(0.3),
               most_skin = 1;                // radii, beside each other pairs are found this far apart
constexpr real overlap_share = real(0.1);    // of an overlap that goes away in a substep
constexpr std::int64_t member_block = 1024;  // particles whose strays are looked at together

}  // namespace

void ParticleContacts::reserve(const World& world) {
  if (!enabled(world)) return;
  const ParticleMatter& matter = world.topology->matter;
  const std::size_t particles = std::size_t(world.particles.padded());
  grid_.reserve(matter.members.size());
  outward_.assign(particles, vec4(0));
  searched_.assign(particles, vec4(0));
  strayed_.assign((matter.members.size() + member_block - 1) / member_block, real(0));
  used_.assign(kinds * particles, 0);
  contacts_from_.assign(particles + 1, 0);
  color_sizes_.assign(std::size_t(kinds * most_colors), 0);
}

/// The longest of a vector per member, m^2: block by block, the same on all threads.
template <class Of>
real ParticleContacts::longest(const World& world, Team& team, const Of& of) {
  const auto& members = world.topology->matter.members;
  const Share mine = team.share(std::int64_t(strayed_.size()));
  for (std::int64_t block = mine.begin; block < mine.end; ++block) {
    real most = 0;
    const std::size_t end = std::min(members.size(), std::size_t((block + 1) * member_block));
    for (std::size_t m = std::size_t(block * member_block); m < end; ++m) {
      const std::size_t i = std::size_t(members[m]);
      const vec3 way = of(i);
      most = std::max(most, glm::dot(way, way));
    }
    strayed_[std::size_t(block)] = most;
  }
  team.barrier();
  const real most = *std::max_element(strayed_.begin(), strayed_.end());
  team.barrier();  // everybody has seen it
  return most;
}

/// Half of what the fastest would go in a frame: fast ones are searched for often, slow ones once.
void ParticleContacts::choose_skin(const World& world, real frame, Team& team) {
  const real fastest = longest(world, team, [&](std::size_t i) { return vec3(world.particles.velocity[i]); });
  const real radius = real(world.settings.particle_radius);
  if (team.rank() == 0)
    skin_ = std::clamp(real(0.5) * frame * std::sqrt(fastest), least_skin * radius, most_skin * radius);
  team.barrier();
}

bool ParticleContacts::has_strayed(const World& world, Team& team) {
  const real most =
      longest(world, team, [&](std::size_t i) { return vec3(world.particles.position[i] - searched_[i]); });
  return !(most <= real(0.25) * skin_ * skin_);
}

void ParticleContacts::begin_substep(World& world, real h, int in_frame, Team& team) {
  turn_fields(world, team);
  if (in_frame == 0) choose_skin(world, h * real(world.settings.substeps), team);
  if (in_frame == 0 || has_strayed(world, team)) {
    if (team.rank() == 0) {
      if (in_frame > 0)
        remember(world);
      else
        scale_kept(world, h);
      searches_ = in_frame > 0 ? searches_ + 1 : 1;
    }
    search(world, team);
  }
  team.barrier();
  sweep(world, h, team, [this](int) { return kernels_.warm; });
}

/// Multipliers are forces times h^2.
void ParticleContacts::scale_kept(World& world, real h) {
  const real before = world.particle_contact_step;
  world.particle_contact_step = h;
  if (before == h || !(before > real(0))) return;
  const real factor = (h / before) * (h / before);
  for (ParticleContact& contact : world.particle_contacts) {
    contact.kept *= factor;
    contact.before *= factor;
  }
}

void ParticleContacts::push(World& world, real h, Team& team) {
  sweep(world, h, team, [this](int kind) { return kernels_.push[kind]; });
}

void ParticleContacts::end_frame(World& world, Team& team) {
  if (team.rank() == 0) remember(world);
  team.barrier();
}

/// The fields' gradients in the world, as their solids are turned at the start of the substep.
void ParticleContacts::turn_fields(const World& world, const Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  const Share mine = team.share(std::int64_t(matter.solids.size()));
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const Solid& solid = matter.solids[std::size_t(s)];
    const mat3 turn = rotation_of(world.solid_rotations[std::size_t(s)]);
    for (std::int32_t i = solid.first; i < solid.first + solid.count; ++i) {
      const vec4& field = matter.field[std::size_t(i)];
      outward_[std::size_t(i)] = vec4(turn * vec3(field), field.w);
    }
  }
}

void ParticleContacts::search(World& world, Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  const real reach = 2 * real(world.settings.particle_radius) + skin_;
  team.barrier();  // everybody has looked at searched_
  const Share mine = team.share(world.particles.padded(), particle_block);
  std::copy(world.particles.position.begin() + mine.begin, world.particles.position.begin() + mine.end,
            searched_.begin() + mine.begin);
  team.barrier();
  grid_.find(matter.members, searched_, matter.phase, reach, team);
  if (team.rank() == 0) {
    color(world);
    lay_out();
    std::fill(contacts_from_.begin(), contacts_from_.end(), 0);
    for (const ParticleContact& contact : world.particle_contacts)
      ++contacts_from_[std::size_t(contact.a) + 1];
    std::partial_sum(contacts_from_.begin(), contacts_from_.end(), contacts_from_.begin());
  }
  team.barrier();
  fill(world, team);
}

/// First fit. A pair that finds no colour, which takes a heap of particles in one place, waits for the next
/// search.
void ParticleContacts::color(const World& world) {
  const auto& phase = world.topology->matter.phase;
  std::fill(used_.begin(), used_.end(), 0);
  std::fill(color_sizes_.begin(), color_sizes_.end(), 0);
  slot_of_.clear();
  for (const auto& list : grid_.pairs())
    for (const ParticlePair& pair : list) {
      const int kind = phase[std::size_t(pair.a)] != 0 || phase[std::size_t(pair.b)] != 0;
      std::uint64_t &at_a = used_[std::size_t(kinds * pair.a + kind)],
                    &at_b = used_[std::size_t(kinds * pair.b + kind)];
      const int free = std::countr_one(at_a | at_b);
      slot_of_.push_back(free < most_colors ? kind * most_colors + free : -1);
      if (free == most_colors) continue;
      at_a |= std::uint64_t(1) << free;
      at_b |= std::uint64_t(1) << free;
      ++color_sizes_[std::size_t(kind * most_colors + free)];
    }
}

/// Colour after colour, each filled up to whole groups; colours become slots.
void ParticleContacts::lay_out() {
  std::int32_t slots = 0;
  for (int kind = 0; kind < kinds; ++kind) {
    colors_[kind].clear();
    for (int c = 0; c < most_colors; ++c) {
      std::int32_t& size = color_sizes_[std::size_t(kind * most_colors + c)];
      const std::int32_t begin = slots;
      slots += (size + lane_group - 1) / lane_group * lane_group;
      if (size > 0) colors_[kind].push_back({begin, slots});
      size = begin;  // now the next slot
    }
  }
  a_.resize(std::size_t(slots));
  b_.resize(std::size_t(slots));
  friction_.resize(std::size_t(slots));
  for (auto* row : {&kept_[0], &kept_[1], &kept_[2], &before_}) row->resize(std::size_t(slots));
  for (std::int32_t& slot : slot_of_)
    if (slot >= 0) slot = color_sizes_[std::size_t(slot)]++;
}

/// The multiplier that the pair had, and its length before that.
vec4 ParticleContacts::kept_of(const World& world, const ParticlePair& pair) const {
  const std::size_t a = std::size_t(pair.a);
  for (std::int32_t k = contacts_from_[a]; k < contacts_from_[a + 1]; ++k) {
    const ParticleContact& contact = world.particle_contacts[std::size_t(k)];
    if (contact.b == pair.b) return vec4(contact.kept, contact.before);
  }
  return vec4(0);
}

/// Every thread the pairs that it found; the slots that fill up a colour are a padding particle twice.
void ParticleContacts::fill(const World& world, const Team& team) {
  const auto put = [&](std::size_t slot, const ParticlePair& pair, real friction, const vec4& kept) {
    a_[slot] = pair.a;
    b_[slot] = pair.b;
    friction_[slot] = friction;
    for (int k = 0; k < 3; ++k) kept_[k][slot] = kept[k];
    before_[slot] = kept.w;
  };
  const auto& lists = grid_.pairs();
  std::size_t number = 0;
  for (int t = 0; t < team.rank(); ++t) number += lists[std::size_t(t)].size();
  const auto friction_of = [&](std::int32_t i) {
    return world.materials[std::size_t(world.particles.object[std::size_t(i)])].friction;
  };
  for (const ParticlePair& pair : lists[std::size_t(team.rank())]) {
    const std::int32_t slot = slot_of_[number++];
    if (slot < 0) continue;
    put(std::size_t(slot), pair, real(std::sqrt(friction_of(pair.a) * friction_of(pair.b))),
        kept_of(world, pair));
  }
  if (team.rank() != 0) return;
  const std::int32_t nobody = world.particles.count;
  for (int kind = 0; kind < kinds; ++kind)
    for (int c = 0; c < most_colors; ++c) {
      const std::int32_t end = color_sizes_[std::size_t(kind * most_colors + c)];  // behind the colour's last
      for (std::int32_t slot = end; slot % lane_group != 0; ++slot)
        put(std::size_t(slot), {nobody, nobody}, real(0), vec4(0));
    }
}

/// The pairs that pushed, sorted by a.
void ParticleContacts::remember(World& world) {
  std::vector<ParticleContact>& contacts = world.particle_contacts;
  std::fill(contacts_from_.begin(), contacts_from_.end(), 0);
  const auto each = [&](const auto& act) {
    for (std::size_t slot = 0; slot < a_.size(); ++slot)
      if (kept_[0][slot] != real(0) || kept_[1][slot] != real(0) || kept_[2][slot] != real(0)) act(slot);
  };
  std::size_t count = 0;
  each([&](std::size_t slot) {
    ++contacts_from_[std::size_t(a_[slot]) + 1];
    ++count;
  });
  std::partial_sum(contacts_from_.begin(), contacts_from_.end(), contacts_from_.begin());
  contacts.resize(count);
  each([&](std::size_t slot) {
    contacts[std::size_t(contacts_from_[std::size_t(a_[slot])]++)] = {
        a_[slot], b_[slot], vec3(kept_[0][slot], kept_[1][slot], kept_[2][slot]), before_[slot]};
  });
}

ParticlePairView<real> ParticleContacts::view() {
  return {a_.data(),
          b_.data(),
          friction_.data(),
          {kept_[0].data(), kept_[1].data(), kept_[2].data()},
          before_.data()};
}

template <class Kernel>
void ParticleContacts::sweep(World& world, real h, Team& team, const Kernel& kernel) {
  const ParticleSweep<real> what{flat(world.particles.position),
                                 flat(world.particles.previous),
                                 flat(outward_),
                                 real(world.settings.particle_radius),
                                 overlap_share,
                                 real(world.settings.depenetration_speed) * h};
  const ParticlePairView<real> pairs = view();
  for (int kind = 0; kind < kinds; ++kind)
    for (const ColorRun& color : colors_[kind]) {
      const Share mine = team.share(color.end - color.begin, lane_group);
      kernel(kind)(pairs, color.begin + std::int32_t(mine.begin), color.begin + std::int32_t(mine.end), what);
      team.barrier();
    }
}

void ParticleContacts::read_contacts(const World& world, std::vector<ContactMark>& out) {
  for (const ParticleContact& contact : world.particle_contacts) {
    const glm::dvec3 a(world.particles.position[std::size_t(contact.a)]),
        b(world.particles.position[std::size_t(contact.b)]);
    const double length = glm::length(a - b);
    if (length > 0.0) out.push_back({0.5 * (a + b), (a - b) / length, ContactBetween::particles});
  }
}

}  // namespace limber::inline LIMBER_PRECISION
