#include "engine/contact/particles/particle_contacts.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <numeric>
#include <utility>

#include "engine/contact/mix.hpp"
#include "engine/core/first_fit.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"
#include "engine/parallel/visits.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

constexpr int most_pair_colors = first_fit_colors;
constexpr real overlap_share = real(0.1);  // share of an overlap that is removed in a substep

std::int32_t whole_groups(std::int32_t slots) { return (slots + lane_group - 1) / lane_group * lane_group; }

bool is_grain(const World& world, std::int32_t i) {
  return world.topology->matter.phase[std::size_t(i)] == 0;
}

/// Contact parameters of a pair of materials.
struct Touch {
  real friction, rolling, bounce;
};
Touch touch_of(const Material& a, const Material& b) {
  return {real(mixed_friction(a.friction, b.friction)),
          real(mixed_rolling(a.rolling_resistance, b.rolling_resistance)),
          real(mixed_restitution(a.restitution, b.restitution))};
}

}  // namespace

void ParticleContacts::reserve(const World& world) {
  clusters_.reserve(world);
  if (!enabled(world)) return;
  const ParticleMatter& matter = world.topology->matter;
  const std::size_t particles = std::size_t(world.particles.padded());
  swarms_.reserve(world);
  grid_.reserve(matter.members.size());
  outward_.assign(particles, vec4(0));
  searched_.assign(particles, vec4(0));
  for (Palette& palette : palettes_) palette.used.assign(particles, 0);
  runs_.clear();
  kept_contacts_.reserve(world);
  next_of_.assign(particles, 0);
}

void ParticleContacts::begin_substep(World& world, real h, int in_frame, Team& team) {
  if (in_frame == 0 && team.rank() == 0) clusters_.begin_frame(world);
  if (in_frame == 0) {
    swarms_.begin_frame(world, h, team);
    team.barrier();
  }
  if (in_frame == 0 || swarms_.follow(world, searched_, team)) {
    if (in_frame > 0)
      remember(world, team);
    else if (team.rank() == 0)
      scale_kept(world, h);
    if (team.rank() == 0) searches_ = in_frame > 0 ? searches_ + 1 : 1;
    search(world, team);
  }
  team.barrier();
  if (!a_.empty() || clusters_.any()) {  // others need no fields
    turn_fields(world, team);
    team.barrier();
  }
  ColorTurns turns(team);
  if (bouncy_)
    sweep(world, h, turns, [this](int kind) { return kind == 0 ? kernels_.aim_bounces : nullptr; });
  sweep(world, h, turns, [this](int kind) { return kernels_.start[kind]; });
}

/// Rescales kept multipliers, which are forces times h^2, and rotations, which are speeds times h, to a new
/// h.
void ParticleContacts::scale_kept(World& world, real h) {
  const real before = world.contacts.particle_step;
  world.contacts.particle_step = h;
  if (before == h || !(before > real(0))) return;
  const real factor = (h / before) * (h / before);
  for (ParticleContact& contact : world.contacts.particles) {
    contact.kept *= factor;
    contact.rolled *= factor;
    contact.before *= factor;
  }
  for (vec4& roll : world.matter.grain_rolls) roll *= h / before;
}

void ParticleContacts::push(World& world, real h, Team& team) {
  ColorTurns turns(team);
  sweep(world, h, turns, [this](int kind) { return kernels_.push[kind]; });
}

void ParticleContacts::aim_clusters(World& world, real h, int in_frame, Team& team) {
  clusters_.aim(world, outward_, h, in_frame == 0 ? &kept_contacts_ : nullptr, team);
}

void ParticleContacts::end_frame(World& world, Team& team) { remember(world, team); }

void ParticleContacts::bounce(World& world, real h, Team& team) {
  if (clusters_.bouncy()) clusters_.bounce(world, h, team);
  if (!bouncy_) return;
  if (clusters_.bouncy()) team.barrier();
  ColorTurns turns(team);
  sweep(world, h, turns, [this](int kind) { return kind == 0 ? kernels_.bounce : nullptr; });
}

void ParticleContacts::tell_touched(TouchedParts& touched, const Team& team) const {
  const auto tell = [&](std::int32_t a, std::int32_t b) {  // b < 0: a collider
    touched.join(touched.of_particle(a), b < 0 ? TouchedParts::none : touched.of_particle(b), team.rank());
  };
  const Share slots = team.share(std::int64_t(a_.size()), lane_group);
  for (std::size_t k = std::size_t(slots.begin); k < std::size_t(slots.end); ++k)
    if (kept_[0][k] != real(0) || kept_[1][k] != real(0) || kept_[2][k] != real(0)) tell(a_[k], b_[k]);
  if (team.rank() == 0 && clusters_.any())
    clusters_.for_kept([&](const ParticleContact& contact) { tell(contact.a, contact.b); });
}

/// Rotates the gradients of the clusters' fields into the world, with the rotations at the start of the
/// substep.
void ParticleContacts::turn_fields(const World& world, const Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  const Share mine = team.share(std::int64_t(matter.solids.size()));
  for (std::int64_t s = mine.begin; s < mine.end; ++s) {
    const Solid& cluster = matter.solids[std::size_t(s)];
    if (cluster.soft >= 0) {
      turn_soft_fields(world, matter.soft.solids[std::size_t(cluster.soft)]);
      continue;
    }
    const mat3 turn = rotation_of(world.matter.cluster_rotations[std::size_t(s)]);
    for (std::int32_t i = cluster.first; i < cluster.first + cluster.count; ++i) {
      const vec4& field = matter.field[std::size_t(i)];
      outward_[std::size_t(i)] = vec4(turn * vec3(field), field.w);
    }
  }
}

/// Rotates the gradients of a soft solid; each particle uses the first of its clusters.
void ParticleContacts::turn_soft_fields(const World& world, const SoftSolid& solid) {
  const ParticleMatter& matter = world.topology->matter;
  for (std::int32_t m = solid.first_member; m < solid.first_member + solid.members; ++m) {
    const std::int32_t entry =
        matter.soft.member_entries[std::size_t(matter.soft.member_entry[std::size_t(m)])];
    const std::int32_t c = matter.soft.entry_cluster[std::size_t(entry)];
    const std::size_t i = std::size_t(matter.soft.member_particle[std::size_t(m)]);
    const mat3 turn = rotation_of(world.matter.soft.clusters[std::size_t(c)].rotation);
    outward_[i] = vec4(turn * vec3(matter.field[i]), matter.field[i].w);
  }
}

void ParticleContacts::search(World& world, Team& team) {
  const ParticleMatter& matter = world.topology->matter;
  swarms_.note_places(world, team, searched_);
  team.barrier();
  grid_.find(world, matter.members, searched_, matter.apart.empty() ? matter.phase : matter.apart,
             swarms_.swarms(), team);
  if (team.rank() == 0) {
    palettes_.resize(std::max(palettes_.size(), std::size_t(team.size())));
    runs_.resize(grid_.slabs().size());
    kept_contacts_.index(world);
    bouncy_ = std::any_of(world.settings.materials.begin(), world.settings.materials.end(),
                          [](const Material& material) { return material.restitution > 0.0; });
  }
  team.barrier();
  Palette& palette = palettes_[std::size_t(team.rank())];
  palette.used.resize(std::size_t(world.particles.padded()), 0);
  palette.slot.resize(grid_.pairs()[std::size_t(team.rank())].size());
  const Share slabs = grid_.slabs_of(team.rank());
  for (std::int64_t s = slabs.begin; s < slabs.end; ++s) color_slab(world, std::size_t(s), palette);
  team.barrier();
  if (team.rank() == 0) lay_out(world);
  team.barrier();
  for (std::int64_t s = slabs.begin; s < slabs.end; ++s) fill_slab(world, std::size_t(s), palette);
}

/// First fit, kind after kind. A pair that finds no colour (only in a heap of particles at one place) waits
/// for the next search. Pairs of rigid clusters get no slot.
void ParticleContacts::color_slab(const World& world, std::size_t slab, Palette& palette) {
  const NeighbourSearch::Slab& own = grid_.slabs()[slab];
  const std::vector<ParticlePair>& list = grid_.pairs()[std::size_t(own.list)];
  const bool rigid = clusters_.any();
  std::int32_t slots = 0;
  runs_[slab].begin[0] = 0;
  for (int kind = 0; kind < kinds; ++kind) {
    std::array<std::int32_t, most_pair_colors> next{};
    const auto for_kind = [&](const auto& act) {
      for (std::int32_t k = own.first; k < own.end; ++k) {
        const ParticlePair& pair = list[std::size_t(k)];
        if ((is_grain(world, pair.a) && is_grain(world, pair.b)) != (kind == 0)) continue;
        if (kind == 1 && rigid && (clusters_.rigid_at(pair.a) >= 0 || clusters_.rigid_at(pair.b) >= 0))
          palette.slot[std::size_t(k)] = -1;
        else
          act(pair, palette.slot[std::size_t(k)]);
      }
    };
    for_kind([&](const ParticlePair& pair, std::int32_t& slot) {
      const int free = take_first_free_color([&](const auto& act) {
        act(palette.used[std::size_t(pair.a)]), act(palette.used[std::size_t(pair.b)]);
      });
      slot = free < most_pair_colors ? free : -1;
      if (slot >= 0) ++next[std::size_t(free)];
    });
    for (std::int32_t& color : next) {
      const std::int32_t size = color;
      color = slots;
      slots += whole_groups(size);
    }
    for_kind([&](const ParticlePair& pair, std::int32_t& slot) {
      palette.used[std::size_t(pair.a)] = palette.used[std::size_t(pair.b)] = 0;
      if (slot >= 0) slot = next[std::size_t(slot)]++;
    });
    runs_[slab].begin[std::size_t(kind) + 1] = slots;
  }
}

/// Assigns slots to the slabs, one slab after the other.
void ParticleContacts::lay_out(const World& world) {
  std::int32_t slots = 0;
  for (Run& run : runs_) {
    for (std::int32_t& begin : run.begin) begin += slots;
    slots = run.begin.back();
  }
  a_.resize(std::size_t(slots));
  b_.resize(std::size_t(slots));
  approach_.resize(std::size_t(slots));
  for (AlignedVector<real>* row : kept_rows()) row->resize(std::size_t(slots));
  if (!clusters_.any()) return;
  clusters_.clear_pairs();
  for (const auto& list : grid_.pairs())
    for (const ParticlePair& pair : list) {
      const Touch touch = touch_of(material_of(world, pair.a), material_of(world, pair.b));
      clusters_.add_pair(pair, touch.friction, touch.bounce);
    }
  clusters_.group(world, kept_contacts_);
}

/// Fills unused slots of a colour with a padding particle as both partners; no other slab of the shade has
/// that particle.
void ParticleContacts::fill_slab(const World& world, std::size_t slab, const Palette& palette) {
  const NeighbourSearch::Slab& own = grid_.slabs()[slab];
  const std::vector<ParticlePair>& list = grid_.pairs()[std::size_t(own.list)];
  const std::int32_t begin = runs_[slab].begin[0], end = runs_[slab].begin[kinds];
  const std::int32_t lines = (world.particles.padded() - world.particles.count) / padding_line;
  const std::int32_t nobody = world.particles.count + padding_line * (own.in_shade % lines);
  std::fill(a_.begin() + begin, a_.begin() + end, nobody);
  std::fill(b_.begin() + begin, b_.begin() + end, nobody);
  for (AlignedVector<real>* row : kept_rows()) std::fill(row->begin() + begin, row->begin() + end, real(0));
  const bool alike = world.settings.materials.size() == 1;
  Touch touch = touch_of(world.settings.materials[0], world.settings.materials[0]);
  for (std::int32_t k = own.first; k < own.end; ++k) {
    if (palette.slot[std::size_t(k)] < 0) continue;
    const ParticlePair& pair = list[std::size_t(k)];
    const std::size_t slot = std::size_t(begin + palette.slot[std::size_t(k)]);
    if (!alike) touch = touch_of(material_of(world, pair.a), material_of(world, pair.b));
    a_[slot] = pair.a;
    b_[slot] = pair.b;
    friction_[slot] = touch.friction;
    rolling_[slot] = touch.rolling;
    bounce_[slot] = touch.bounce;
    const ParticleContact had = kept_contacts_.find(world, pair.a, pair.b);
    for (int i = 0; i < 3; ++i) kept_[i][slot] = had.kept[i], rolled_[i][slot] = had.rolled[i];
    before_[slot] = had.before;
  }
}

/// Collects the pairs that pushed, sorted by a. Every thread looks at all pairs and keeps those of its
/// particles.
void ParticleContacts::remember(World& world, Team& team) {
  std::vector<ParticleContact>& contacts = world.contacts.particles;
  const Share mine = team.share(std::int64_t(world.particles.padded()), particle_block);
  if (team.rank() == 0) list_per_thread(kept_here_, team);
  team.barrier();
  std::vector<ParticleContact>& here = kept_here_[std::size_t(team.rank())];
  here.clear();
  for (std::size_t slot = 0; slot < a_.size(); ++slot)
    if (a_[slot] >= mine.begin && a_[slot] < mine.end)
      if (const vec3 kept(kept_[0][slot], kept_[1][slot], kept_[2][slot]); kept != vec3(0))
        here.push_back({a_[slot], b_[slot], kept, before_[slot],
                        vec3(rolled_[0][slot], rolled_[1][slot], rolled_[2][slot])});
  if (clusters_.any())
    clusters_.for_kept([&](const ParticleContact& contact) {
      if (contact.a >= mine.begin && contact.a < mine.end) here.push_back(contact);
    });
  std::fill(next_of_.begin() + mine.begin, next_of_.begin() + mine.end, 0);
  for (const ParticleContact& contact : here) ++next_of_[std::size_t(contact.a)];
  team.barrier();
  std::size_t at = 0, all = 0;
  for (std::size_t t = 0; t < kept_here_.size(); ++t) {
    if (t == std::size_t(team.rank())) at = all;
    all += kept_here_[t].size();
  }
  if (team.rank() == 0) {
    contacts.reserve(3 * world.topology->matter.members.size());  // as many as a dense heap has
    contacts.resize(all);
  }
  team.barrier();
  for (std::int64_t i = mine.begin; i < mine.end; ++i)
    at += std::size_t(std::exchange(next_of_[std::size_t(i)], std::int32_t(at)));
  for (const ParticleContact& contact : here)
    contacts[std::size_t(next_of_[std::size_t(contact.a)]++)] = contact;
}

ParticlePairView<real> ParticleContacts::view() {
  return {a_.data(),
          b_.data(),
          friction_.data(),
          rolling_.data(),
          bounce_.data(),
          approach_.data(),
          {kept_[0].data(), kept_[1].data(), kept_[2].data()},
          before_.data(),
          {rolled_[0].data(), rolled_[1].data(), rolled_[2].data()}};
}

/// Sweeps shade after shade; each thread gets slabs with about equal numbers of slots.
template <class Kernel>
void ParticleContacts::sweep(World& world, real h, ColorTurns& turns, const Kernel& kernel) {
  const Team& team = turns.team();
  const SolverSettings& solver = world.settings.solver;
  const ParticleSweep<real> what{flat(world.particles.position),
                                 flat(world.particles.previous),
                                 flat(outward_),
                                 flat(world.matter.grain_rolls),
                                 flat(world.particles.velocity),
                                 real(solver.contact->particle_radius),
                                 overlap_share,
                                 real(solver.contact->depenetration_speed) * h,
                                 real(2 * glm::length(solver.motion->gravity)) * h};
  const ParticlePairView<real> pairs = view();
  const auto& shade_begin = grid_.shade_begin();
  for (std::size_t shade = 0; shade + 1 < shade_begin.size(); ++shade) {
    const auto first = runs_.begin() + shade_begin[shade], last = runs_.begin() + shade_begin[shade + 1];
    if (first == last) continue;
    turns.next();
    const std::int64_t from = first->begin[0], slots = (last - 1)->begin[kinds] - from;
    const auto cut = [&](int rank) {
      return std::partition_point(
          first, last, [&](const Run& run) { return (run.begin[0] - from) * team.size() < slots * rank; });
    };
    const auto end = team.rank() + 1 == team.size() ? last : cut(team.rank() + 1);
    for (auto run = cut(team.rank()); run < end; ++run)
      for (int kind = 0; kind < kinds; ++kind)
        if (const auto act = kernel(kind);
            act && run->begin[std::size_t(kind)] < run->begin[std::size_t(kind) + 1]) {
          tell_visit(Visited::grain_pairs, kind, std::int64_t(shade), run->begin[std::size_t(kind)],
                     run->begin[std::size_t(kind) + 1]);
          act(pairs, run->begin[std::size_t(kind)], run->begin[std::size_t(kind) + 1], what);
        }
  }
}

void ParticleContacts::read_contacts(const World& world, std::vector<ContactMark>& out) {
  for (const ParticleContact& contact : world.contacts.particles) {
    if (contact.b < 0) continue;  // contacts with colliders have marks of their own
    const glm::dvec3 a(world.particles.position[std::size_t(contact.a)]),
        b(world.particles.position[std::size_t(contact.b)]);
    const double length = glm::length(a - b);
    if (length > 0.0) out.push_back({0.5 * (a + b), (a - b) / length, ContactBetween::particles});
  }
}

}}  // namespace limber::LIMBER_PRECISION
