#include "engine/contact/particles/object_swarms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>

#include "engine/core/find_root.hpp"
#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/motion.hpp"
#include "engine/core/settings/solver.hpp"
#include "engine/core/settings/step.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

// Skins in radii: the additional distance within which pairs are searched.
constexpr real skins[] = {real(0.15), real(0.3), real(0.6), 1};
constexpr std::int32_t piece_members = 1024;
constexpr real endless = std::numeric_limits<real>::max();

/// The cheapest skin (m) if the fastest particle moves `step` m in a substep: a search costs about as much as
/// three sweeps over a substep's pairs.
real cheapest_skin(real radius, real step, real substeps) {
  real least = endless, best = skins[0];
  for (const real skin : skins) {
    const real wide = 1 + real(0.5) * skin, pairs = wide * wide * wide;
    // number of substeps; the clamp also handles 0 / 0
    const real lasts = std::clamp(std::floor(real(0.5) * skin * radius / step), real(1), substeps);
    const real cost = pairs * (1 + 3 / lasts);
    if (!(cost < least)) continue;
    least = cost, best = skin;
  }
  return best * radius;
}

}  // namespace

void ObjectSwarms::reserve(const World& world) {
  const auto& members = world.topology->matter.members;
  const auto object_of = [&](std::int32_t m) {
    return world.particles.object[std::size_t(members[std::size_t(m)])];
  };
  pieces_.clear(), objects_.clear(), by_x_.clear();
  const std::int32_t count = std::int32_t(members.size());
  for (std::int32_t first = 0, end = 0; first < count; first = end) {
    const std::int32_t object = object_of(first);
    while (end < count && end - first < piece_members && object_of(end) == object) ++end;
    pieces_.push_back({object, first, end});
    if (std::size_t(object) >= objects_.size()) objects_.resize(std::size_t(object) + 1);
    objects_[std::size_t(object)].present = true;
  }
  for (std::size_t o = 0; o < objects_.size(); ++o)
    if (objects_[o].present) by_x_.push_back(std::int32_t(o));
  of_member_.assign(members.size(), 0);
  swarms_.reserve(by_x_.size()), skins_.reserve(by_x_.size());
}

/// Calls of(particle), which returns a vector, for a thread's share of the members. Stores the largest
/// squared length of each piece.
template <class Of>
void ObjectSwarms::look(const World& world, const Team& team, const Of& of) {
  const auto& members = world.topology->matter.members;
  const Share mine = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    Piece& piece = pieces_[std::size_t(p)];
    piece.most = 0;
    for (std::int32_t m = piece.first; m < piece.end; ++m) {
      const vec3 way = of(std::size_t(members[std::size_t(m)]));
      const real length = glm::dot(way, way);
      if (!(length <= piece.most)) piece.most = length;  // a NaN is kept
    }
  }
}

void ObjectSwarms::measure_boxes(const World& world, const Team& team) {
  const auto& members = world.topology->matter.members;
  const Share mine = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    Piece& piece = pieces_[std::size_t(p)];
    piece.low = vec3(endless), piece.high = vec3(-endless);
    for (std::int32_t m = piece.first; m < piece.end; ++m) {
      const vec3 x(world.particles.position[std::size_t(members[std::size_t(m)])]);
      piece.low = glm::min(piece.low, x), piece.high = glm::max(piece.high, x);
    }
  }
}

void ObjectSwarms::collect_boxes() {
  for (const std::int32_t o : by_x_)
    objects_[std::size_t(o)].low = vec3(endless), objects_[std::size_t(o)].high = vec3(-endless);
  for (const Piece& piece : pieces_) {
    Object& object = objects_[std::size_t(piece.object)];
    object.low = glm::min(object.low, piece.low), object.high = glm::max(object.high, piece.high);
  }
}

std::int32_t ObjectSwarms::root_of(std::int32_t o) {
  return find_root(o, [&](std::int32_t i) -> std::int32_t& { return objects_[std::size_t(i)].root; });
}

/// Joins objects that are near each other. Two particles touch at 2 r, and each may move by half a skin (at
/// most r / 2) since its own search, and again until the next one.
void ObjectSwarms::join_near(real radius) {
  const real near = 4 * radius;
  const auto object = [&](std::int32_t o) -> const Object& { return objects_[std::size_t(o)]; };
  std::sort(by_x_.begin(), by_x_.end(), [&](std::int32_t a, std::int32_t b) {
    return object(a).low.x != object(b).low.x ? object(a).low.x < object(b).low.x : a < b;
  });
  for (std::size_t k = 0; k < by_x_.size(); ++k) {
    const Object& a = object(by_x_[k]);
    for (std::size_t n = k + 1; n < by_x_.size(); ++n) {
      const Object& b = object(by_x_[n]);
      if (b.low.x > a.high.x + near) break;
      if (a.low.y > b.high.y + near || b.low.y > a.high.y + near || a.low.z > b.high.z + near ||
          b.low.z > a.high.z + near)
        continue;
      const std::int32_t x = root_of(by_x_[k]), y = root_of(by_x_[n]);
      objects_[std::size_t(std::max(x, y))].root = std::min(x, y);
    }
  }
}

/// Numbers swarms in the order of their lowest objects; beyond the largest number all further swarms share
/// one. A swarm that unites objects of several former swarms is due.
void ObjectSwarms::number_swarms(const World& world, real h) {
  const SolverSettings& solver = world.settings.solver;
  const real radius = real(solver.contact->particle_radius), substeps = real(solver.step->substeps);
  struct Sum {
    real fastest = 0;
    bool due = false;
    std::int32_t before = -1;
    vec3 low{endless}, high{-endless};
  };
  std::array<Sum, NeighbourSearch::most_swarms> sums;
  std::int32_t count = 0;
  for (std::size_t o = 0; o < objects_.size(); ++o) {
    Object& object = objects_[o];
    if (!object.present) continue;
    const std::int32_t root = root_of(std::int32_t(o));
    object.before = object.number;
    object.number = root == std::int32_t(o)
                        ? std::min(count++, NeighbourSearch::most_swarms - 1)
                        : objects_[std::size_t(root)].number;
    Sum& sum = sums[std::size_t(object.number)];
    if (!(object.fastest <= sum.fastest)) sum.fastest = object.fastest;
    if (sum.before < 0) sum.before = object.before;
    sum.due |= object.due || sum.before != object.before;
  }
  count = std::min(count, NeighbourSearch::most_swarms);
  for (Object& object : objects_) {
    if (!object.present) continue;
    Sum& sum = sums[std::size_t(object.number)];
    object.due = sum.due;
    if (object.due) object.searched_low = object.low, object.searched_high = object.high;
    sum.low = glm::min(sum.low, object.searched_low), sum.high = glm::max(sum.high, object.searched_high);
  }
  swarms_.clear(), skins_.clear();
  stray_ = 0;
  const real falls = h * h * substeps * real(glm::length(solver.motion->gravity));
  for (std::int32_t n = 0; n < count; ++n) {
    const Sum& sum = sums[std::size_t(n)];
    const real step = h * std::sqrt(sum.fastest), skin = cheapest_skin(radius, step, substeps);
    skins_.push_back(skin);
    swarms_.push_back({2 * radius + skin, sum.low, sum.high});
    stray_ = std::max(stray_, real(0.5) * skin + real(1.5) * step + falls);
  }
  for (const Piece& piece : pieces_)
    std::fill(of_member_.begin() + piece.first, of_member_.begin() + piece.end,
              objects_[std::size_t(piece.object)].number);
}

void ObjectSwarms::begin_frame(const World& world, real h, Team& team) {
  look(world, team, [&](std::size_t i) { return vec3(world.particles.velocity[i]); });
  measure_boxes(world, team);
  team.barrier();
  if (team.rank() == 0) {
    h_ = h;
    for (const std::int32_t o : by_x_) {
      Object& object = objects_[std::size_t(o)];
      object.root = o, object.due = true, object.fastest = 0;
    }
    for (const Piece& piece : pieces_) {
      real& fastest = objects_[std::size_t(piece.object)].fastest;
      if (!(piece.most <= fastest)) fastest = piece.most;
    }
    collect_boxes();
    join_near(real(world.settings.solver.contact->particle_radius));
    number_swarms(world, h);
  }
}

bool ObjectSwarms::follow(const World& world, const AlignedVector<vec4>& searched, Team& team) {
  look(world, team, [&](std::size_t i) { return vec3(world.particles.position[i] - searched[i]); });
  team.barrier();
  const auto is_due = [&](const Piece& piece) {
    const real skin = skins_[std::size_t(objects_[std::size_t(piece.object)].number)];
    return !(piece.most <= real(0.25) * skin * skin);
  };
  if (std::none_of(pieces_.begin(), pieces_.end(), is_due)) return false;
  measure_boxes(world, team);
  team.barrier();
  if (team.rank() == 0) {
    for (const std::int32_t o : by_x_) objects_[std::size_t(o)].due = false;
    for (const Piece& piece : pieces_) objects_[std::size_t(piece.object)].due |= is_due(piece);
    collect_boxes();
    join_near(real(world.settings.solver.contact->particle_radius));
    number_swarms(world, h_);
  }
  team.barrier();
  return true;
}

void ObjectSwarms::note_places(const World& world, const Team& team, AlignedVector<vec4>& searched) const {
  const auto& members = world.topology->matter.members;
  const Share mine = team.share(std::int64_t(pieces_.size()));
  for (std::int64_t p = mine.begin; p < mine.end; ++p) {
    const Piece& piece = pieces_[std::size_t(p)];
    if (!objects_[std::size_t(piece.object)].due) continue;
    for (std::int32_t m = piece.first; m < piece.end; ++m) {
      const std::size_t i = std::size_t(members[std::size_t(m)]);
      searched[i] = world.particles.position[i];
    }
  }
}

}}  // namespace limber::LIMBER_PRECISION
