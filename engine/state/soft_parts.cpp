#include "engine/state/soft_parts.hpp"

#include <algorithm>
#include <glm/geometric.hpp>
#include <numeric>
#include <span>
#include <utility>

#include "engine/geometry/clusters/point_binding.hpp"
#include "engine/state/displacement.hpp"
#include "engine/state/split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

bool SoftParter::leave(std::size_t m, std::int32_t entry) {
  const SoftMatter& now = world_.topology->matter.soft;
  const std::size_t cluster = std::size_t(now.entry_cluster[std::size_t(entry)]);
  const auto weighs = [&](std::int32_t e) { return now.entry_rest[std::size_t(e)].w > real(0); };
  int in_cluster = 0, of_member = 0;
  for (std::int32_t e = now.cluster_entry[cluster]; e < now.cluster_entry[cluster + 1]; ++e)
    in_cluster += weighs(e);
  for (std::int32_t k = now.member_entry[m]; k < now.member_entry[m + 1]; ++k)
    of_member += weighs(now.member_entries[std::size_t(k)]);
  if (in_cluster <= fewest || of_member < 2 || !weighs(entry)) return false;
  if (!own_) {
    own_ = &own_topology(world_);
    changed_.assign(own_->matter.soft.clusters(), 0);
    if (world_.matter.soft.rest.empty()) world_.matter.soft.rest = own_->matter.soft.entry_rest;
  }
  SoftMatter& soft = own_->matter.soft;
  const auto weigh = [&](std::int32_t e, real w) {
    soft.entry_rest[std::size_t(e)].w = world_.matter.soft.rest[std::size_t(e)].w = w;
    changed_[std::size_t(soft.entry_cluster[std::size_t(e)])] = 1;
  };
  const double whole = double(soft.entry_rest[std::size_t(entry)].w) * of_member;
  weigh(entry, real(0));
  for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k)
    if (const std::int32_t e = soft.member_entries[std::size_t(k)];
        soft.entry_rest[std::size_t(e)].w > real(0))
      weigh(e, real(whole / (of_member - 1)));
  // inner particles may now be at the surface, which the distance field of the mesh does not describe
  if (const std::size_t i = std::size_t(soft.member_particle[m]); i < own_->matter.field.size())
    own_->matter.field[i] = vec4(0);
  return true;
}

namespace {

/// Makes rest positions relative to the centre of mass of the remaining entries.
void center(World& world, SoftMatter& soft, std::size_t c) {
  const std::int32_t begin = soft.cluster_entry[c], end = soft.cluster_entry[c + 1];
  const auto move = [&](AlignedVector<vec4>& rest) {
    glm::dvec3 sum(0.0);
    double mass = 0.0;
    for (std::int32_t e = begin; e < end; ++e) {
      const vec4& q = rest[std::size_t(e)];
      sum += double(q.w) * glm::dvec3(q), mass += double(q.w);
    }
    const vec3 shift(sum / mass);
    for (std::int32_t e = begin; e < end; ++e) rest[std::size_t(e)] -= vec4(shift, real(0));
    soft.cluster_mass[c] = real(mass);
    return shift;
  };
  soft.cluster_rest[c] += move(soft.entry_rest);
  move(world.matter.soft.rest);
  take_moment(&world.matter.soft.rest[std::size_t(begin)], end - begin, world.matter.soft.clusters[c]);
  retake_modes(soft, world.matter.soft, c);
}

/// Removes a member from the cluster of `entry`; its other clusters take its mass over.
void remove_entry(World& world, SoftMatter& soft, std::size_t m, std::int32_t entry) {
  std::vector<std::int32_t> left;
  double mass = 0.0;
  for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k) {
    const std::int32_t e = soft.member_entries[std::size_t(k)];
    mass += double(soft.entry_rest[std::size_t(e)].w);
    if (e != entry && soft.entry_rest[std::size_t(e)].w > real(0)) left.push_back(e);
  }
  const auto weigh = [&](std::int32_t e, real w) {
    soft.entry_rest[std::size_t(e)].w = world.matter.soft.rest[std::size_t(e)].w = w;
  };
  weigh(entry, real(0));
  for (const std::int32_t e : left) weigh(e, real(mass / double(left.size())));
}

/// The member of the clusters that is particle i; -1: none.
std::int64_t member_of(const SoftMatter& soft, std::int32_t i) {
  for (const SoftSolid& solid : soft.solids)
    if (i >= solid.first_particle && i < solid.first_particle + solid.members)
      return solid.first_member + (i - solid.first_particle);
  return -1;
}

}  // namespace

void leave_clusters(World& world, Topology& own, std::int32_t particle) {
  SoftMatter& soft = own.matter.soft;
  const std::int64_t found = member_of(soft, particle);
  if (found < 0) return;
  if (world.matter.soft.rest.empty()) world.matter.soft.rest = soft.entry_rest;
  const auto weighs = [&](std::int32_t e) { return soft.entry_rest[std::size_t(e)].w > real(0); };
  std::vector<std::size_t> changed;
  const auto leave = [&](std::size_t m, const auto& chosen) {
    for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k)
      if (const std::int32_t e = soft.member_entries[std::size_t(k)]; weighs(e)) {
        changed.push_back(std::size_t(soft.entry_cluster[std::size_t(e)]));
        if (chosen(e)) remove_entry(world, soft, m, e);
      }
  };
  leave(std::size_t(found), [](std::int32_t) { return true; });
  for (std::size_t n = 0; n < changed.size(); ++n) {
    const std::size_t c = changed[n];
    const std::int32_t begin = soft.cluster_entry[c], end = soft.cluster_entry[c + 1];
    std::int32_t left = 0;
    for (std::int32_t e = begin; e < end; ++e) left += weighs(e);
    if (left == 0 || left >= SoftParter::fewest) continue;
    for (std::int32_t e = begin; e < end; ++e)
      if (weighs(e))
        leave(std::size_t(member_of(soft, soft.entry_particle[std::size_t(e)])),
              [&](std::int32_t other) { return other == e; });
  }
  std::sort(changed.begin(), changed.end());
  changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
  for (const std::size_t c : changed) {
    soft.cluster_mass[c] = real(0);
    for (std::int32_t e = soft.cluster_entry[c]; e < soft.cluster_entry[c + 1]; ++e)
      soft.cluster_mass[c] += soft.entry_rest[std::size_t(e)].w;
    if (soft.cluster_mass[c] > real(0)) center(world, soft, c);
  }
}

void SoftParter::number_parts() {
  ParticleMatter& matter = own_->matter;
  const SoftMatter& soft = matter.soft;
  const std::vector<std::int32_t> part = parts_of_clusters(soft);
  matter.apart = matter.phase;
  std::int32_t next = std::int32_t(matter.solids.size()) + 1;
  for (const SoftSolid& solid : soft.solids) {
    std::int32_t most = 0;
    for (std::int32_t m = solid.first_member; m < solid.first_member + solid.members; ++m)
      for (std::int32_t k = soft.member_entry[std::size_t(m)]; k < soft.member_entry[std::size_t(m) + 1];
           ++k) {
        const std::size_t e = std::size_t(soft.member_entries[std::size_t(k)]);
        if (!(soft.entry_rest[e].w > real(0))) continue;
        const std::int32_t own = part[std::size_t(soft.entry_cluster[e])];
        const std::size_t i = std::size_t(soft.member_particle[std::size_t(m)]);
        if (own > 0 && i < matter.apart.size()) matter.apart[i] = next + own - 1;
        most = std::max(most, own);
        break;
      }
    next += most;
  }
}

/// Binds each skin vertex to particles of one part: that of its nearest particle at rest. A part whose
/// particles lie in a plane carries its vertices by the nearest particle alone.
void SoftParter::part_skins() {
  ParticleMatter& matter = own_->matter;
  SoftSkin& skin = matter.soft.skin;
  SoftSkin out = skin;
  out.vertex_entry.assign(1, 0), out.particle.clear(), out.weight.clear();
  std::vector<glm::dvec3> rest;
  for (const vec4& q : matter.rest) rest.emplace_back(q);
  std::vector<std::int32_t> candidates;
  for (std::size_t s = 0; s + 1 < skin.solid_vertex.size(); ++s)
    for (std::int32_t v = skin.solid_vertex[s]; v < skin.solid_vertex[s + 1]; ++v) {
      const std::span<const std::int32_t> before =
          std::span(skin.particle)
              .subspan(
                  std::size_t(skin.vertex_entry[std::size_t(v)]),
                  std::size_t(skin.vertex_entry[std::size_t(v) + 1] - skin.vertex_entry[std::size_t(v)]));
      const glm::dvec3 place(skin.rest[std::size_t(v)]);
      const auto part = [&](std::int32_t i) { return matter.apart[std::size_t(i)]; };
      const auto far = [&](std::int32_t i) { return glm::distance(rest[std::size_t(i)], place); };
      const auto nearest = std::min_element(before.begin(), before.end(),
                                            [&](std::int32_t a, std::int32_t b) { return far(a) < far(b); });
      const bool whole = std::all_of(before.begin(), before.end(),
                                     [&](std::int32_t i) { return part(i) == part(*nearest); });
      if (whole) {
        const auto weight = skin.weight.begin() + skin.vertex_entry[std::size_t(v)];
        out.particle.insert(out.particle.end(), before.begin(), before.end());
        out.weight.insert(out.weight.end(), weight, weight + std::ptrdiff_t(before.size()));
      } else {
        const SoftSolid& solid = matter.soft.solids[s];
        candidates.clear();
        for (std::int32_t i = solid.first_particle; i < solid.first_particle + solid.members; ++i)
          if (part(i) == part(*nearest)) candidates.push_back(i);
        PointBinding binding = bind_point(place, rest, candidates);
        if (binding.point.empty()) binding = {{*nearest}, {1.0}};
        out.particle.insert(out.particle.end(), binding.point.begin(), binding.point.end());
        for (const double w : binding.weight) out.weight.push_back(real(w));
      }
      out.vertex_entry.push_back(std::int32_t(out.particle.size()));
    }
  skin = std::move(out);
}

bool SoftParter::finish() {
  if (!own_) return false;
  for (std::size_t c = 0; c < changed_.size(); ++c)
    if (changed_[c]) center(world_, own_->matter.soft, c);
  number_parts();
  if (!own_->matter.soft.skin.empty()) part_skins();
  return true;
}

glm::dvec3 center_of_cluster(const World& world, const vec4* rest, std::size_t c) {
  const SoftMatter& soft = world.topology->matter.soft;
  glm::dvec3 sum(0.0);
  double mass = 0.0;
  for (std::int32_t e = soft.cluster_entry[c]; e < soft.cluster_entry[c + 1]; ++e) {
    const double w = double(rest[e].w);
    sum += w * place_of(world.particles, std::size_t(soft.entry_particle[std::size_t(e)])), mass += w;
  }
  return sum / mass;
}

std::vector<std::int32_t> parts_of_clusters(const SoftMatter& matter) {
  std::vector<std::int32_t> root(matter.clusters());
  std::iota(root.begin(), root.end(), 0);
  const auto find = [&](std::int32_t c) {
    while (root[std::size_t(c)] != c) c = root[std::size_t(c)] = root[std::size_t(root[std::size_t(c)])];
    return c;
  };
  for (std::size_t m = 0; m < matter.member_particle.size(); ++m) {
    std::int32_t first = -1;
    for (std::int32_t k = matter.member_entry[m]; k < matter.member_entry[m + 1]; ++k) {
      const std::size_t e = std::size_t(matter.member_entries[std::size_t(k)]);
      if (!(matter.entry_rest[e].w > real(0))) continue;
      const std::int32_t c = find(matter.entry_cluster[e]);
      if (first < 0)
        first = c;
      else
        root[std::size_t(std::max(first, c))] = std::min(first, c), first = std::min(first, c);
    }
  }
  std::vector<std::int32_t> part(root.size());
  std::int32_t next = 0;
  for (std::size_t c = 0; c < root.size(); ++c) {
    if (c == 0 || matter.cluster_solid[c] != matter.cluster_solid[c - 1]) next = 0;
    const std::int32_t own = find(std::int32_t(c));
    part[c] = own == std::int32_t(c) ? next++ : part[std::size_t(own)];
  }
  return part;
}

std::int64_t entries_left(const SoftMatter& matter) {
  std::int64_t left = 0;
  for (std::size_t m = 0; m < matter.member_particle.size(); ++m) {
    std::int64_t gone = 0, all = 0;
    for (std::int32_t k = matter.member_entry[m]; k < matter.member_entry[m + 1]; ++k, ++all)
      gone += !(matter.entry_rest[std::size_t(matter.member_entries[std::size_t(k)])].w > real(0));
    if (gone < all) left += gone;
  }
  return left;
}

}}  // namespace limber::LIMBER_PRECISION
