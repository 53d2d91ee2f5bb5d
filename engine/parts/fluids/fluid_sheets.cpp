#include "engine/parts/fluids/fluid_sheets.hpp"

#include <algorithm>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <limits>
#include <tuple>

#include "engine/core/settings/contact.hpp"
#include "engine/core/settings/material.hpp"
#include "engine/parts/fluids/fluid_drag.hpp"
#include "engine/simd/lanes.hpp"

namespace limber { inline namespace LIMBER_PRECISION {
namespace {

real thickness_of(const World& world, std::int32_t triangle) {
  return real(material_of(world, world.topology->triangles[std::size_t(triangle)][0]).thickness);
}

}  // namespace

/// The triangles of a block at the substep's start, as arrays.
class FluidSheets::Block {
 public:
  /// Bounding box of points.
  struct Box {
    vec3 low{std::numeric_limits<real>::max()}, high{-std::numeric_limits<real>::max()};

    void add(const vec3& x) { low = glm::min(low, x), high = glm::max(high, x); }
    /// Whether x is within `within` m of the box along every axis.
    bool reaches(const vec3& x, real within) const {
      for (int k = 0; k < 3; ++k)
        if (x[k] < low[k] - within || x[k] > high[k] + within) return false;
      return true;
    }
  };

  Block(const World& world, std::int32_t number) {
    const auto& triangles = world.topology->triangles;
    first_ = number * block_triangles;
    count_ = std::min(block_triangles, std::int32_t(triangles.size()) - first_);
    for (std::int32_t k = 0; k < count_; ++k) {
      const auto& corners = triangles[std::size_t(first_ + k)];
      for (std::size_t j = 0; j < 3; ++j) {
        x_[k][j] = vec3(world.particles.previous[std::size_t(corners[j])]);
        box_.add(x_[k][j]);
      }
      const vec3 middle = (x_[k][0] + x_[k][1] + x_[k][2]) / real(3),
                 across = glm::cross(x_[k][1] - x_[k][0], x_[k][2] - x_[k][0]);
      const real doubled = glm::length(across);
      const vec3 normal = doubled > real(0) ? across / doubled : vec3(0);
      for (int c = 0; c < 3; ++c) middle_[c][k] = middle[c], normal_[c][k] = normal[c];
      radius_[k] = std::max({glm::distance(x_[k][0], middle), glm::distance(x_[k][1], middle),
                             glm::distance(x_[k][2], middle)});
      thickest_ = std::max(thickest_, thickness_of(world, first_ + k));
    }
  }

  const Box& box() const { return box_; }
  real thickest() const { return thickest_; }

  /// Calls act(view) for the triangles nearer to q than `reach` m that q may be in front of, or that may be
  /// nearer than `nearest` m. act may lower `nearest`.
  template <class Act>
  void for_views(const vec3& q, real reach, const real& nearest, const Act& act) const {
    real away[block_triangles], above[block_triangles];  // squared, from the middle; from the plane
    for (std::int32_t k = 0; k < count_; ++k) {
      const real x = q.x - middle_[0][k], y = q.y - middle_[1][k], z = q.z - middle_[2][k];
      away[k] = x * x + y * y + z * z;
      above[k] = x * normal_[0][k] + y * normal_[1][k] + z * normal_[2][k];
    }
    for (std::int32_t k = 0; k < count_; ++k) {
      const real farthest = radius_[k] + reach;
      if (away[k] > farthest * farthest || std::abs(above[k]) > reach) continue;
      // The foot of the perpendicular lies in the circle around the triangle, or the circle is near. Only
      // triangles of the first kind can be second walls; otherwise the result would depend on the triangles
      // that this thread saw before.
      const real aside = away[k] - above[k] * above[k], circle = radius_[k] * radius_[k];
      const real within = radius_[k] + nearest;
      const bool before = aside <= real(1.01) * circle;
      if (!before && away[k] > real(1.01) * within * within) continue;
      SheetView view = view_of_triangle(first_ + k, q, x_[k]);
      if (!before) view.facing = 0;
      if (view.distance < reach) act(view);
    }
  }

 private:
  std::int32_t first_, count_;
  vec3 x_[block_triangles][3];
  real middle_[3][block_triangles], normal_[3][block_triangles], radius_[block_triangles];
  Box box_;
  real thickest_ = 0;
};

void FluidSheets::reserve(const World& world) {
  if (!enabled(world)) return;
  const std::size_t fluid = world.topology->fluid.members.size();
  const std::size_t all = fluid + world.topology->matter.members.size();
  seen_.reserve(8 * fluid), rows_.reserve(SheetWalls::most * fluid), begin_.reserve(all + 2);
  place_.assign(std::size_t(world.particles.padded()), 0);
  pressing_.assign(std::size_t(world.particles.padded()), real(0));
}

void FluidSheets::aim(const World& world, const NeighbourLists& lists, real stray,
                      const FluidKernel<real>& kernel, Team& team) {
  const std::int32_t triangles = std::int32_t(world.topology->triangles.size());
  const std::int32_t count = (triangles + block_triangles - 1) / block_triangles;
  if (team.rank() == 0) list_per_thread(found_, team);
  const Share sorted = team.share(lists.count());
  for (std::int64_t k = sorted.begin; k < sorted.end; ++k)
    place_[std::size_t(lists.particle(k))] = std::int32_t(k);
  team.barrier();
  Found& own = found_[std::size_t(team.rank())];
  own.seen.clear();
  own.nearest.assign(std::size_t(lists.count()), std::numeric_limits<real>::max());
  for (std::int32_t b = team.rank(); b < count; b += team.size())
    see_block(world, lists.search(), stray, kernel.support, b, own);
  team.barrier();
  if (team.rank() == 0) list_rows(world, lists);
  team.barrier();
  const Share mine = team.share(std::int64_t(rows_.size()));
  for (std::int64_t r = mine.begin; r < mine.end; ++r)
    rows_[std::size_t(r)].filled = filled_behind(world, lists, kernel, rows_[std::size_t(r)]);
}

/// Finds the triangles of a block that can be walls of fluid particles: all triangles that a particle is in
/// front of, and the nearest one. A thread skips triangles that are farther than one that it saw before; this
/// changes no wall.
void FluidSheets::see_block(const World& world, const NeighbourSearch& grid, real stray, real support,
                            std::int32_t number, Found& out) const {
  const auto& start = world.particles.previous;
  const Block block(world, number);
  const real reach = reach_share * support + block.thickest();
  out.near.clear();
  grid.for_box(block.box().low - (reach + stray), block.box().high + (reach + stray), [&](std::int32_t i) {
    if (world.topology->fluid.takes_part(i) && block.box().reaches(vec3(start[std::size_t(i)]), reach))
      out.near.push_back(i);
  });
  for (const std::int32_t i : out.near) {
    const std::int32_t place = place_[std::size_t(i)];
    real& nearest = out.nearest[std::size_t(place)];
    block.for_views(vec3(start[std::size_t(i)]), reach, nearest, [&](const SheetView& view) {
      if (view.distance > nearest && !SheetWalls::in_front_of(view)) return;
      if (!particles_touch(world, i, world.topology->triangles[std::size_t(view.triangle)][0])) return;
      nearest = std::min(nearest, view.distance);
      out.seen.push_back({place, view});
    });
  }
}

/// Makes the rows of each particle: the walls among the triangles that all threads have seen.
void FluidSheets::list_rows(const World& world, const NeighbourLists& lists) {
  const std::size_t count = std::size_t(lists.count());
  begin_.assign(count + 2, 0);
  for (const Found& found : found_)
    for (const Seen& seen : found.seen) ++begin_[std::size_t(seen.place) + 2];
  for (std::size_t k = 2; k < begin_.size(); ++k) begin_[k] += begin_[k - 1];
  seen_.resize(std::size_t(begin_.back()));
  for (const Found& found : found_)
    for (const Seen& seen : found.seen) seen_[std::size_t(begin_[std::size_t(seen.place) + 1]++)] = seen.view;
  rows_.clear();
  for (std::size_t k = 0; k < count; ++k) {
    if (begin_[k] == begin_[k + 1]) continue;
    const std::span<const SheetView> seen(seen_.data() + begin_[k], seen_.data() + begin_[k + 1]);
    const SheetWalls walls(seen);
    for (const SheetView& view : walls.all()) {
      const auto& corners = world.topology->triangles[std::size_t(view.triangle)];
      rows_.push_back({lists.particle(std::int64_t(k)),
                       {corners[0], corners[1], corners[2]},
                       view.normal,
                       view.weight,
                       thickness_of(world, view.triangle),
                       1});
    }
  }
}

/// 1 minus the share of the half space behind a row's sheet that fluid on its other side fills.
real FluidSheets::filled_behind(const World& world, const NeighbourLists& lists,
                                const FluidKernel<real>& kernel, const Row& row) const {
  using One = Lanes<real, 1>;
  const auto& position = world.particles.position;
  vec3 foot(0);
  for (int k = 0; k < 3; ++k) foot += row.weight[k] * vec3(position[std::size_t(row.points[k])]);
  const vec3 own(position[std::size_t(row.particle)]);
  const real half_space =
      share_behind_plane(kernel.support, glm::dot(row.normal, own - foot) - row.thickness);
  if (!(half_space > real(1e-4))) return 1;
  const std::int32_t place = place_[std::size_t(row.particle)];
  const NeighbourSlices near = lists.view();
  const std::int32_t slice = place / std::int32_t(lane_group);
  real behind = 0;
  for (std::int32_t k = 0; k < near.columns[slice]; ++k) {
    const std::int32_t other = near.column(slice, k)[place % std::int32_t(lane_group)];
    if (other >= lists.count()) break;
    const vec3 x(position[std::size_t(lists.particle(other))]);
    if (glm::dot(row.normal, x - foot) < real(0)) behind += poly6(kernel, One(glm::dot(own - x, own - x))).v;
  }
  return std::max(1 - kernel.volume * behind / half_space, real(0));
}

void FluidSheets::fill(const World& world, real support, const FluidFilm& film, std::span<FluidWall> walls,
                       Team& team) {
  if (rows_.empty()) return;
  const auto& position = world.particles.position;
  if (team.rank() == 0) {
    for (Row& row : rows_) {
      vec3 foot(0);
      for (int k = 0; k < 3; ++k) foot += row.weight[k] * vec3(position[std::size_t(row.points[k])]);
      const real distance = glm::dot(row.normal, vec3(position[std::size_t(row.particle)]) - foot) -
                            row.thickness - film.thickness(std::size_t(row.particle), row.normal);
      row.share = std::min(row.filled * share_before_wall(support, distance), fullest_wall);
      row.slope = row.filled * slope_before_wall(support, distance);
      walls[std::size_t(row.particle)].add(row.share, row.slope, row.normal);
      for (int k = 0; k < 3; ++k) pressing_[std::size_t(row.points[k])] = 0;
    }
    for (const Row& row : rows_)
      for (int k = 0; k < 3; ++k) pressing_[std::size_t(row.points[k])] += row.slope * row.weight[k];
    for (const Row& row : rows_) {
      real moved = 0;
      for (int k = 0; k < 3; ++k) {
        const std::size_t vertex = std::size_t(row.points[k]);
        moved += position[vertex].w * row.weight[k] * pressing_[vertex];
      }
      walls[std::size_t(row.particle)].give += row.slope * moved;
    }
  }
}

void FluidSheets::stick(World& world, real h, TouchedParts* touched, Team& team) const {
  if (rows_.empty()) return;
  const FluidDrag drag(world, h);
  const real radius = real(world.settings.solver.contact->particle_radius);
  Particles& particles = world.particles;
  if (team.rank() == 0)
    for (const Row& row : rows_) {
      const Material& material = material_of(world, row.particle);
      if (!(material.viscosity > 0.0) && !(material.adhesion > 0.0)) continue;
      const std::size_t i = std::size_t(row.particle);
      vec3 foot(0), along(0);
      real inverse_mass = particles.position[i].w;
      for (int k = 0; k < 3; ++k) {
        const std::size_t vertex = std::size_t(row.points[k]);
        foot += row.weight[k] * vec3(particles.position[vertex]);
        along += row.weight[k] * vec3(particles.velocity[vertex]);
        inverse_mass += row.weight[k] * row.weight[k] * particles.position[vertex].w;
      }
      const real distance = glm::dot(row.normal, vec3(particles.position[i]) - foot) - row.thickness;
      const real pull = row.filled * adhesion_of_plane(real(material.adhesion), radius, distance);
      vec3 impulse = (-h * pull) * row.normal;
      if (const real k = row.filled * drag.at(real(material.viscosity), distance); k > real(0))
        impulse -= (vec3(particles.velocity[i]) - along) / (inverse_mass + 1 / k);
      if (impulse == vec3(0)) continue;
      particles.velocity[i] += vec4(particles.position[i].w * impulse, real(0));
      for (int k = 0; k < 3; ++k) {
        const std::size_t vertex = std::size_t(row.points[k]);
        const real w = particles.position[vertex].w * row.weight[k];
        if (!(w > real(0))) continue;
        particles.velocity[vertex] -= vec4(w * impulse, real(0));
        if (touched) touched->touch_particle(row.points[k]);
      }
    }
}

void FluidSheets::press(World& world, std::span<const FluidWall> walls, std::span<const real> pushed,
                        TouchedParts* touched, Team& team) {
  if (rows_.empty()) return;
  if (team.rank() == 0)
    for (const Row& row : rows_) {
      const std::size_t i = std::size_t(row.particle);
      const real push = pushed[i] * row.slope * walls[i].free / (1 - row.share);
      if (push == real(0)) continue;
      for (int k = 0; k < 3; ++k) {
        const std::size_t vertex = std::size_t(row.points[k]);
        const real w = world.particles.position[vertex].w * row.weight[k];
        if (!(w > real(0))) continue;
        move_particle(world.particles, vertex, (-push * w) * row.normal);
        if (touched) touched->touch_particle(row.points[k]);
      }
    }
}

}}  // namespace limber::LIMBER_PRECISION
