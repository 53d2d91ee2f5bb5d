#include "engine/parts/tearing/tearing.hpp"

#include <algorithm>
#include <cmath>
#include <glm/geometric.hpp>
#include <tuple>

#include "engine/constraints/constraint_types.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/state/constraint_set.hpp"
#include "engine/state/split.hpp"
#include "engine/state/tear_room.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

/// Largest number of tears per object and frame: fewest_tears, or a share of its particles if that is more. A
/// cascade takes several frames.
constexpr std::int32_t fewest_tears = 16, particles_per_tear = 50;

std::int32_t tear_blocks(std::int32_t slots, std::int32_t size) { return (slots + size - 1) / size; }

template <class Type>
real strain(const StencilBatch<Type>& batch, const World& world, std::size_t slot) {
  const real length = glm::distance(vec3(world.particles.position[std::size_t(batch.vertices[0][slot])]),
                                    vec3(world.particles.position[std::size_t(batch.vertices[1][slot])]));
  const real rest = rest_row(batch, std::get<StencilState<Type>>(*world.matter.constraints), 0)[slot];
  return rest > real(0) ? length / rest - 1 : real(0);
}

/// Strain of the edge between two vertices of a mesh, from its length there.
real strain_between(const World& world, std::int32_t a, std::int32_t b) {
  const auto& rest = world.topology->surface.rest;
  const auto& x = world.particles.position;
  const real length = glm::distance(rest[std::size_t(a)], rest[std::size_t(b)]);
  return length > real(0) ? glm::distance(vec3(x[std::size_t(a)]), vec3(x[std::size_t(b)])) / length - 1
                          : real(0);
}

/// Ends of the most strained side of an elastic triangle, and its strain.
struct StrainedSide {
  std::int32_t a = 0, b = 0;
  real strain = -1;
};
template <class Type>
StrainedSide strained_side(const StencilBatch<Type>& batch, const World& world, std::size_t slot) {
  StrainedSide most;
  for (std::size_t side = 0; side < 3; ++side) {
    const std::int32_t a = batch.vertices[side][slot], b = batch.vertices[(side + 1) % 3][slot];
    if (const real now = strain_between(world, a, b); now > most.strain) most = {a, b, now};
  }
  return most;
}

/// Whether edges of a constraint type can tear.
template <class Type>
constexpr bool has_edges() {
  return tears_as<Type>(TearTrait::on_edge) || tears_as<Type>(TearTrait::on_triangle);
}

/// Sum of the strains of the edges at particle i. Inner edges count twice, because both of their
/// triangles are visited.
real tension(const World& world, std::int32_t i) {
  const Topology& topology = *world.topology;
  const std::int32_t type =
      topology.tears.objects[std::size_t(world.particles.object[std::size_t(i)])].spring_type;
  real sum = 0;
  for (std::int32_t beside : topology.triangles_at(i))  // an elastic sheet
    for (const std::int32_t other : topology.triangles[std::size_t(beside)])
      if (type < 0 && other != i) sum += std::max(strain_between(world, i, other), real(0));
  visit_type(type, [&](auto t) {
    const auto& batch = std::get<t>(*topology.constraints);
    for (std::int32_t beside : topology.triangles_at(i)) {
      const std::size_t triangle = std::size_t(beside);
      for (std::size_t side = 0; side < 3; ++side) {
        const std::int32_t slot = topology.tears.spring[triangle][side];
        if (topology.triangles[triangle][(side + 2) % 3] == i || slot < 0) continue;  // the opposite side
        sum += std::max(strain(batch, world, std::size_t(slot)), real(0));
      }
    }
  });
  return sum;
}

}  // namespace

bool Tearing::enabled(const World& world) {
  const auto& materials = world.settings.materials;
  return !world.topology->tears.empty() && std::any_of(materials.begin(), materials.end(),
                                                       [](const Material& m) { return m.tear_strain > 0.0; });
}

void Tearing::reserve(const World& world) {
  found_.clear();
  relieved_.clear();
  if (world.topology->tears.empty()) return;
  for_each_type([&](auto type) {
    if (!has_edges<std::tuple_element_t<type, ConstraintTypes>>()) return;
    const std::int32_t slots = std::get<type>(*world.topology->constraints).slots();
    found_.resize(found_.size() + std::size_t(tear_blocks(slots, block_slots_)));
  });
  for (auto& list : found_) list.reserve(std::size_t(block_slots_));
  relieved_.assign(std::size_t(world.particles.padded()), -1);
  limit_.reserve(world.settings.materials.size());
  all_.reserve(found_.size() * std::size_t(block_slots_));
  size_.assign(world.settings.materials.size(), 0);
  for (std::int32_t i = 0; i < world.particles.count; ++i)
    ++size_[std::size_t(world.particles.object[std::size_t(i)])];
  left_.assign(size_.size(), 0);
}

void Tearing::begin_frame(const World& world) {
  for (std::size_t o = 0; o < left_.size(); ++o)
    left_[o] = std::max(fewest_tears, size_[o] / particles_per_tear);
  limit_.clear();
  for (std::size_t o = 0; o < world.settings.materials.size(); ++o) {
    const double strain = world.settings.materials[o].tear_strain;
    const real longest = real(1 + strain);
    const bool tears = strain > 0.0 && world.topology->tears.objects[o].refusal.empty();
    limit_.push_back(tears ? longest * longest : real(0));
  }
}

template <class Type>
void Tearing::find_in(const World& world, std::int32_t type, std::int32_t block,
                      std::vector<Overstretched>& out) {
  out.clear();
  const auto& batch = std::get<StencilBatch<Type>>(*world.topology->constraints);
  const auto& position = world.particles.position;
  const auto& corners = world.topology->corner_count;
  const auto& rests = rest_row(batch, std::get<StencilState<Type>>(*world.matter.constraints), 0);
  const std::int32_t end = std::min((block + 1) * block_slots_, batch.slots());
  for (std::int32_t s = block * block_slots_; s < end; ++s) {
    const std::int32_t object = batch.object[std::size_t(s)];
    if (object < 0 || limit_[std::size_t(object)] == real(0) || left_[std::size_t(object)] == 0) continue;
    const std::int32_t a = batch.vertices[0][std::size_t(s)], b = batch.vertices[1][std::size_t(s)];
    const vec4 &x = position[std::size_t(a)], &y = position[std::size_t(b)];
    const vec3 d(y - x);
    const real rest = rests[std::size_t(s)];
    if (!(glm::dot(d, d) > limit_[std::size_t(object)] * (rest * rest)) || rest == real(0)) continue;
    if ((x.w == real(0) || corners[std::size_t(a)] < 2) && (y.w == real(0) || corners[std::size_t(b)] < 2))
      continue;  // neither end can split
    out.push_back({glm::length(d) / rest - 1, type, s});
  }
}

template <class Type>
void Tearing::find_sides_in(const World& world, std::int32_t type, std::int32_t block,
                            std::vector<Overstretched>& out) {
  out.clear();
  const auto& batch = std::get<StencilBatch<Type>>(*world.topology->constraints);
  const auto splits = [&](std::int32_t i) {
    return world.particles.position[std::size_t(i)].w > real(0) &&
           world.topology->corner_count[std::size_t(i)] >= 2;
  };
  const std::int32_t end = std::min((block + 1) * block_slots_, batch.slots());
  for (std::int32_t s = block * block_slots_; s < end; ++s) {
    const std::int32_t object = batch.object[std::size_t(s)];
    if (object < 0 || limit_[std::size_t(object)] == real(0) || left_[std::size_t(object)] == 0) continue;
    const StrainedSide side = strained_side(batch, world, std::size_t(s));
    if ((1 + side.strain) * (1 + side.strain) > limit_[std::size_t(object)] &&
        (splits(side.a) || splits(side.b)))
      out.push_back({side.strain, type, s});
  }
}

void Tearing::find(const World& world, const Team& team) {
  std::int32_t first = 0;  // first block of this type
  for_each_type([&](auto type) {
    using Type = std::tuple_element_t<type, ConstraintTypes>;
    if constexpr (has_edges<Type>()) {
      const std::int32_t blocks =
          tear_blocks(std::get<type>(*world.topology->constraints).slots(), block_slots_);
      const Share share = team.share(blocks);
      for (std::int64_t b = share.begin; b < share.end; ++b)
        if constexpr (tears_as<Type>(TearTrait::on_edge))
          find_in<Type>(world, std::int32_t(type), std::int32_t(b), found_[std::size_t(first + b)]);
        else
          find_sides_in<Type>(world, std::int32_t(type), std::int32_t(b), found_[std::size_t(first + b)]);
      first += blocks;
    }
  });
}

bool Tearing::run(World& world, Team& team) {
  team.barrier();  // other threads' particles must be in place
  find(world, team);
  team.barrier();
  if (team.rank() == 0) changed_ = tear(world);
  team.barrier();
  return changed_;
}

bool Tearing::tear(World& world) {
  all_.clear();
  for (const auto& list : found_) all_.insert(all_.end(), list.begin(), list.end());
  const auto later = [](const Overstretched& a, const Overstretched& b) {
    return std::tie(a.strain, b.type, b.slot) < std::tie(b.strain, a.type, a.slot);
  };
  if (all_.empty()) return false;
  std::make_heap(all_.begin(), all_.end(), later);
  ++pass_;
  Splitter splitter(world);
  std::size_t seen = 0;
  int made = 0;
  for (; !all_.empty(); all_.pop_back()) {
    std::pop_heap(all_.begin(), all_.end(), later);
    const Overstretched edge = all_.back();
    std::int32_t v = 0, u = 0;
    visit_type(edge.type, [&](auto t) {
      const auto& batch = std::get<t>(*world.topology->constraints);
      v = batch.vertices[0][std::size_t(edge.slot)], u = batch.vertices[1][std::size_t(edge.slot)];
      if constexpr (tears_as<std::tuple_element_t<t, ConstraintTypes>>(TearTrait::on_triangle)) {
        const StrainedSide side = strained_side(batch, world, std::size_t(edge.slot));
        v = side.a, u = side.b;
      }
    });
    std::int32_t& left = left_[std::size_t(world.particles.object[std::size_t(v)])];
    if (left == 0) continue;
    const auto relieved = [&](std::int32_t i) { return relieved_[std::size_t(i)] == pass_; };
    if (relieved(v) || relieved(u)) continue;
    const real of_v = tension(world, v), of_u = tension(world, u);
    const auto id = [&](std::int32_t i) { return world.topology->internal_to_external[std::size_t(i)]; };
    if (of_u > of_v || (of_u == of_v && id(u) < id(v))) std::swap(u, v);
    const auto& x = world.particles.position;
    int split = 0;
    for (int end = 0; end < 2 && split == 0; ++end, std::swap(u, v))
      if (x[std::size_t(v)].w > real(0))
        split = splitter.split_across(v, vec3(x[std::size_t(u)] - x[std::size_t(v)]));
    made += split;
    for (; seen < splitter.touched().size(); ++seen) relieved_[std::size_t(splitter.touched()[seen])] = pass_;
    if (split > 0) --left;
  }
  return made > 0;
}

}}  // namespace limber::LIMBER_PRECISION
