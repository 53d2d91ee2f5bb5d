// Swarms (objects whose surfaces can meet before the frame ends) and the work that is due for each: the part
// of SurfaceSearch that makes distant objects independent of each other.
#include <algorithm>
#include <limits>
#include <utility>

#include "engine/contact/cloth/surface_search.hpp"
#include "engine/core/find_root.hpp"

namespace limber { inline namespace LIMBER_PRECISION {

/// Lists the objects with facets, and divides their particles into pieces.
void SurfaceSearch::list_parts(const World& world) {
  const Topology& topology = *world.topology;
  parts_.clear(), pieces_.clear(), part_of_block_.clear(), by_x_.clear();
  part_of_object_.assign(topology.objects.size(), -1);
  std::int32_t first = 0;
  for (const std::int32_t end : facet_ends(world)) {
    const std::int32_t part = std::int32_t(parts_.size()), blocks = std::int32_t(part_of_block_.size());
    const std::int32_t leaves = (end - first + SurfaceTree::leaf_triangles - 1) / SurfaceTree::leaf_triangles;
    part_of_block_.resize(std::size_t(blocks + (leaves + tree_.block_leaves() - 1) / tree_.block_leaves()),
                          part);
    Part& added = parts_.emplace_back();
    added.object = world.particles.object[std::size_t(topology.facet(first)[0])];
    added.first_block = blocks, added.end_block = std::int32_t(part_of_block_.size());
    added.triangles = end - first;
    part_of_object_[std::size_t(added.object)] = part;
    by_x_.push_back(part);
    first = end;
  }
  const auto add_pieces = [&](std::int32_t part, std::int32_t begin, std::int32_t count) {
    parts_[std::size_t(part)].particles += count;
    for (std::int32_t i = begin; i < begin + count; i += stray_group)
      pieces_.push_back({part, i, std::min(i + stray_group, begin + count)});
  };
  for (std::int32_t p = 0; p < parts(); ++p) {
    const ParticleRange& range = topology.objects[std::size_t(object(p))];
    add_pieces(p, range.first, range.count);
  }
  if (!topology.tears.empty())
    for (std::int32_t p = 0; p < parts(); ++p) {
      const TearRoom::Object& room = topology.tears.objects[std::size_t(object(p))];
      add_pieces(p, room.first_spare, room.spares);
    }
  counts_ = std::vector<Counts>(parts_.size());
  reach_.resize(pieces_.size());
  group_.assign(pieces_.size(), vec4(0));
  for (auto* sums : {&group_way_, &group_room_}) sums->assign(pieces_.size(), real(0));
  begin_frame();
}

void SurfaceSearch::begin_frame() {
  anew_ = true;
  for (std::int32_t p = 0; p < parts(); ++p) {
    Part& part = parts_[std::size_t(p)];
    part.swarm = p, part.due = Due::search;
    part.scale = 1;
  }
  for (Counts& counts : counts_) counts.crowded = false;
  number_swarms();
}

std::int32_t SurfaceSearch::root_of(std::int32_t part) {
  return find_root(part, [&](std::int32_t p) -> std::int32_t& { return parts_[std::size_t(p)].swarm; });
}

/// Sets the first part of each part's swarm, and at that part the totals of the swarm.
void SurfaceSearch::number_swarms() {
  for (std::int32_t p = 0; p < parts(); ++p) {
    Part& part = parts_[std::size_t(p)];
    part.swarm = root_of(p);
    part.swarm_particles = part.swarm_triangles = 0;
    Part& first = parts_[std::size_t(part.swarm)];
    first.swarm_particles += part.particles, first.swarm_triangles += part.triangles;
  }
}

/// Decides what is due: only the pairs of strays if there are few strays, otherwise all pairs of the swarm.
void SurfaceSearch::decide(real elapsed) {
  constexpr std::int64_t share = 16;
  for (Part& part : parts_) {
    part.measured = false;
    if (anew_) continue;
    const Part& first = parts_[std::size_t(part.swarm)];
    const std::int64_t strays = counts_of(part).strays;
    const bool many = strays > first.swarm_particles / share + 1;
    part.due = past_paths(part, elapsed) || many ? Due::search : strays > 0 ? Due::follow : Due::nothing;
  }
  anew_ = false;
}

bool SurfaceSearch::prepare(const World& world, const Motion& motion, real elapsed, Team& team) {
  const Share share = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t g = share.begin; g < share.end; ++g) {
    const Piece& piece = pieces_[std::size_t(g)];
    const auto strays =
        std::count(strays_.begin() + piece.first, strays_.begin() + piece.end, std::uint8_t(1));
    if (strays > 0) counts_of(parts_[std::size_t(piece.part)]).strays += strays;
  }
  team.barrier();
  if (team.rank() == 0) {
    decide(elapsed);
    for (Counts& counts : counts_) counts.strays = 0;
    grown_ = std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.swarm != 0; });
  }
  team.barrier();
  while (grown_) {
    for (std::int64_t g = share.begin; g < share.end; ++g) {
      const Part& part = parts_[std::size_t(pieces_[std::size_t(g)].part)];
      if (part.due != Due::nothing && !part.measured)
        reach_[std::size_t(g)] = reach_of(world, motion, std::size_t(g));
    }
    team.barrier();
    if (team.rank() == 0) grown_ = grow_together();
    team.barrier();
  }
  return std::any_of(parts_.begin(), parts_.end(), [](const Part& part) { return part.due != Due::nothing; });
}

/// Joins the swarms of parts that can meet; they are then searched as one. Returns whether some swarms still
/// have to be measured.
bool SurfaceSearch::grow_together() {
  constexpr real far_away = std::numeric_limits<real>::max();
  const auto is_new = [](const Part& part) { return part.due != Due::nothing && !part.measured; };
  for (Part& part : parts_)
    if (is_new(part) && part.due == Due::search) part.reach = {Row<real>(far_away), Row<real>(-far_away)};
  for (std::size_t g = 0; g < pieces_.size(); ++g)
    if (Part& part = parts_[std::size_t(pieces_[g].part)]; is_new(part))
      part.reach = part.reach.united(reach_[g]);
  for (Part& part : parts_) part.measured |= part.due != Due::nothing;
  const auto box = [&](std::int32_t p) {
    vec4 low, high;
    parts_[std::size_t(p)].reach.low.store(&low.x), parts_[std::size_t(p)].reach.high.store(&high.x);
    return std::pair(low.x == low.x ? low.x : -far_away, high.x);  // also sorts NaN
  };
  std::sort(by_x_.begin(), by_x_.end(), [&](std::int32_t a, std::int32_t b) {
    return std::pair(box(a).first, a) < std::pair(box(b).first, b);
  });
  for (std::size_t k = 0; k < by_x_.size(); ++k)
    for (std::size_t n = k + 1; n < by_x_.size(); ++n) {
      const std::int32_t a = by_x_[k], b = by_x_[n];
      if (box(b).first > box(a).second) break;
      if (!parts_[std::size_t(a)].reach.overlaps(parts_[std::size_t(b)].reach)) continue;
      const std::int32_t x = root_of(a), y = root_of(b);
      if (x == y) continue;
      parts_[std::size_t(x)].joined = parts_[std::size_t(y)].joined = true;
      parts_[std::size_t(std::max(x, y))].swarm = std::min(x, y);
    }
  for (std::int32_t p = 0; p < parts(); ++p)
    if (std::exchange(parts_[std::size_t(p)].joined, false)) parts_[std::size_t(root_of(p))].grown = true;
  bool more = false;
  for (std::int32_t p = 0; p < parts(); ++p) {
    Part& part = parts_[std::size_t(p)];
    const Part& first = parts_[std::size_t(root_of(p))];
    if (!first.grown) continue;
    part.due = Due::search;
    more |= !part.measured;
  }
  for (Part& part : parts_) part.grown = false;
  number_swarms();
  for (Part& part : parts_) {
    Part& first = parts_[std::size_t(part.swarm)];
    first.scale = std::min(first.scale, part.scale);
  }
  for (Part& part : parts_) part.scale = parts_[std::size_t(part.swarm)].scale;
  return more;
}

}}  // namespace limber::LIMBER_PRECISION
