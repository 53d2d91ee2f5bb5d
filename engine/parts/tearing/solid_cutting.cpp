#include "engine/parts/tearing/solid_cutting.hpp"

#include <algorithm>
#include <map>

#include "engine/state/displacement.hpp"
#include "engine/state/soft_parts.hpp"
#include "engine/state/tet_split.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Connected piece of each tetrahedron at a vertex, if faces in `open` do not connect.
std::map<std::int32_t, int> parts_around(const TetSplitter& splitter, std::int32_t v,
                                         const std::vector<std::array<std::int32_t, 2>>& open) {
  std::map<std::int32_t, int> part;
  int parts = 0;
  const auto star = splitter.star(v);
  std::vector<std::int32_t> pending;
  for (const std::int32_t seed : star) {
    if (part.contains(seed)) continue;
    part[seed] = parts++;
    pending.assign(1, seed);
    while (!pending.empty()) {
      const std::int32_t from = pending.back();
      pending.pop_back();
      for (const std::int32_t to : star) {
        if (part.contains(to) || !splitter.share_face(from, to, v)) continue;
        if (std::binary_search(open.begin(), open.end(), std::array{std::min(from, to), std::max(from, to)}))
          continue;
        part[to] = part[from];
        pending.push_back(to);
      }
    }
  }
  return part;
}

}  // namespace

void cut_solids(World& world, const Blade& blade, const std::vector<char>& carriers, CutResult& result) {
  const Topology& topology = *world.topology;
  if (topology.tets.empty()) return;
  TetSplitter splitter(world);
  std::vector<std::array<std::int32_t, 2>> open = world.user.cut.faces;
  std::vector<std::int32_t> vertices;
  for (const auto& [a, b, corners] : splitter.inner_faces()) {
    const std::array pair{std::min(a, b), std::max(a, b)};
    if (!blade.crosses(center_of_tet(world, pair[0]), center_of_tet(world, pair[1]))) continue;
    const std::size_t object = std::size_t(world.particles.object[std::size_t(corners[0])]);
    if (object < carriers.size() && carriers[object]) {
      result.refusal = "a solid that carries its mesh cannot be cut: set 'fill' to cut";
      continue;
    }
    open.push_back(pair);
    vertices.insert(vertices.end(), corners.begin(), corners.end());
  }
  std::sort(open.begin(), open.end());
  open.erase(std::unique(open.begin(), open.end()), open.end());
  std::sort(vertices.begin(), vertices.end());
  vertices.erase(std::unique(vertices.begin(), vertices.end()), vertices.end());
  for (const std::int32_t v : vertices) {
    if (!(world.particles.position[std::size_t(v)].w > real(0))) continue;
    const std::map<std::int32_t, int> part = parts_around(splitter, v, open);
    result.made += splitter.split_by(v, [&](std::int32_t t) { return part.at(t); });
  }
  result.full |= splitter.full();
  splitter.finish();
  world.user.cut.faces = std::move(open);
}

void cut_clusters(World& world, const Blade& blade, CutResult& result) {
  const SoftMatter& soft = world.topology->matter.soft;
  if (soft.empty()) return;
  const vec4* const rest = rest_of(soft, world.matter.soft).data();
  std::vector<glm::dvec3> center(soft.clusters());
  for (std::size_t c = 0; c < center.size(); ++c) center[c] = center_of_cluster(world, rest, c);
  std::vector<std::pair<std::size_t, std::int32_t>> leaving;  // member, entry
  for (std::size_t m = 0; m < soft.member_particle.size(); ++m) {
    const glm::dvec3 place = place_of(world.particles, std::size_t(soft.member_particle[m]));
    // Another piece of the cut handles it: centres move as particles leave.
    if (!blade.covers(place)) continue;
    for (std::int32_t k = soft.member_entry[m]; k < soft.member_entry[m + 1]; ++k) {
      const std::int32_t e = soft.member_entries[std::size_t(k)];
      if (rest[e].w > real(0) &&
          blade.above(center[std::size_t(soft.entry_cluster[std::size_t(e)])]) != blade.above(place))
        leaving.emplace_back(m, e);
    }
  }
  SoftParter parter(world);
  for (const auto& [member, entry] : leaving) result.made += parter.leave(member, entry);
  parter.finish();
}

}}  // namespace limber::LIMBER_PRECISION
